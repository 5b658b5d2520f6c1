#pragma once

#include "merganser/base/result.h"
#include "merganser/commands/result_set.h"
#include "merganser/commands/statement_context.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// CREATE SCHEMA. Fails with SCHEMA_ALREADY_EXISTS, REQUIRES_SINGLE_PART_NAMESPACE.
Result<ResultSet> RunCreateSchema(StatementContext& context, const plan::CreateSchema& command);

/// DROP SCHEMA [CASCADE]. Fails with SCHEMA_NOT_FOUND, SCHEMA_NOT_EMPTY.
Result<ResultSet> RunDropSchema(StatementContext& context, const plan::DropSchema& command);

/// ALTER SCHEMA: properties. Fails with SCHEMA_NOT_FOUND.
Result<ResultSet> RunAlterSchema(StatementContext& context, const plan::AlterSchema& command);

/// USE [SCHEMA]. Fails with SCHEMA_NOT_FOUND.
Result<ResultSet> RunUseSchema(StatementContext& context, const plan::UseSchema& command);

/// DESCRIBE SCHEMA: rows of info_name and info_value. Fails with SCHEMA_NOT_FOUND.
Result<ResultSet> RunDescribeSchema(StatementContext& context, const plan::DescribeSchema& command);

}  // namespace merganser
