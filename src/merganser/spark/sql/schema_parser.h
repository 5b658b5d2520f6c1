#pragma once

#include "merganser/spark/plan/command.h"
#include "merganser/spark/sql/token_stream.h"

namespace merganser {

/// SCHEMA, DATABASE or NAMESPACE `ahead`.
bool PeekSchemaWord(const TokenStream& in, size_t ahead = 0);

/// `CREATE SCHEMA [IF NOT EXISTS] name ...`.
Result<plan::CreateSchema> ParseCreateSchema(TokenStream& in);

/// `DROP TABLE | VIEW | SCHEMA ...`.
Result<plan::Command> ParseDrop(TokenStream& in);

/// `ALTER SCHEMA name SET DBPROPERTIES (...)`, or UNSET.
Result<plan::AlterSchema> ParseAlterSchema(TokenStream& in);

/// `USE [SCHEMA] name`.
Result<plan::UseSchema> ParseUse(TokenStream& in);

/// `COMMENT ON TABLE | SCHEMA name IS text`.
Result<plan::CommentOn> ParseCommentOn(TokenStream& in);

}  // namespace merganser
