#pragma once

#include "merganser/spark/plan/command.h"
#include "merganser/spark/sql/token_stream.h"

namespace merganser {

/// `OPTIMIZE table [FULL] [WHERE condition] [ZORDER BY columns]`.
Result<plan::Optimize> ParseOptimize(TokenStream& in);

/// `VACUUM table`, LITE, FULL, RETAIN n HOURS and DRY RUN in any order.
Result<plan::Vacuum> ParseVacuum(TokenStream& in);

/// `RESTORE [TABLE] table [TO] VERSION | TIMESTAMP AS OF ...`.
Result<plan::Restore> ParseRestore(TokenStream& in);

/// `REORG TABLE table [WHERE condition] APPLY (PURGE)`, or `(UPGRADE UNIFORM (...))`.
Result<plan::ReorgPurge> ParseReorg(TokenStream& in);

/// `CONVERT TO DELTA table [NO STATISTICS] [PARTITIONED BY (columns)]`.
Result<plan::ConvertToDelta> ParseConvert(TokenStream& in);

/// `GENERATE mode FOR TABLE table`.
Result<plan::Generate> ParseGenerate(TokenStream& in);

/// Is the statement ALTER TABLE t RECOVER PARTITIONS?
bool PeekRecoverPartitions(const TokenStream& in);

/// ANALYZE, REFRESH, CACHE, UNCACHE, CLEAR CACHE, MSCK REPAIR TABLE and RECOVER PARTITIONS: without
/// effect on results. CACHE TABLE v AS query makes a temporary view.
Result<plan::Command> ParseCacheStatement(TokenStream& in);

}  // namespace merganser
