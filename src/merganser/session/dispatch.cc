#include "merganser/session/dispatch.h"

#include "merganser/commands/alter/alter_table.h"
#include "merganser/commands/catalog_call.h"
#include "merganser/commands/clone.h"
#include "merganser/commands/convert.h"
#include "merganser/commands/create_like.h"
#include "merganser/commands/create_table.h"
#include "merganser/commands/delete.h"
#include "merganser/commands/describe.h"
#include "merganser/commands/describe_function.h"
#include "merganser/commands/explain.h"
#include "merganser/commands/generate.h"
#include "merganser/commands/insert.h"
#include "merganser/commands/merge/merge.h"
#include "merganser/commands/no_operation.h"
#include "merganser/commands/optimize.h"
#include "merganser/commands/restore.h"
#include "merganser/commands/schemas.h"
#include "merganser/commands/settings.h"
#include "merganser/commands/show.h"
#include "merganser/commands/show_rows.h"
#include "merganser/commands/truncate.h"
#include "merganser/commands/update.h"
#include "merganser/commands/vacuum.h"
#include "merganser/commands/views.h"
#include "merganser/commands/write.h"

namespace merganser {
namespace {

/// One overload a command; the compiler picks.
struct Runner {
  StatementContext& context;

  Result<ResultSet> operator()(const plan::CreateTable& command) const {
    return RunCreateTable(context, command);
  }
  Result<ResultSet> operator()(const plan::CreateTableLike& command) const {
    return RunCreateTableLike(context, command);
  }
  Result<ResultSet> operator()(const plan::CloneTable& command) const {
    return RunClone(context, command);
  }
  Result<ResultSet> operator()(const plan::TruncateTable& command) const {
    return RunTruncate(context, command);
  }
  Result<ResultSet> operator()(const plan::DropTable& command) const {
    return RunDropTable(context, command);
  }
  Result<ResultSet> operator()(const plan::InsertInto& command) const {
    return RunInsert(context, command);
  }
  Result<ResultSet> operator()(const plan::MergeInto& command) const {
    return RunMerge(context, command);
  }
  Result<ResultSet> operator()(const plan::Update& command) const {
    return RunUpdate(context, command);
  }
  Result<ResultSet> operator()(const plan::Delete& command) const {
    return RunDelete(context, command);
  }
  Result<ResultSet> operator()(const plan::CreateView& command) const {
    return RunCreateView(context, command);
  }
  Result<ResultSet> operator()(const plan::DropView& command) const {
    return RunDropView(context, command);
  }
  Result<ResultSet> operator()(const plan::CreateSchema& command) const {
    return RunCreateSchema(context, command);
  }
  Result<ResultSet> operator()(const plan::DropSchema& command) const {
    return RunDropSchema(context, command);
  }
  Result<ResultSet> operator()(const plan::UseSchema& command) const {
    return RunUseSchema(context, command);
  }
  Result<ResultSet> operator()(const plan::SetConf& command) const {
    return RunSet(context, command);
  }
  Result<ResultSet> operator()(const plan::ResetConf& command) const {
    return RunReset(context, command);
  }
  Result<ResultSet> operator()(const plan::DescribeTable& command) const {
    return RunDescribeTable(context, command);
  }
  Result<ResultSet> operator()(const plan::DescribeQuery& command) const {
    return RunDescribeQuery(context, command);
  }
  Result<ResultSet> operator()(const plan::DescribeHistory& command) const {
    return RunDescribeHistory(context, command);
  }
  Result<ResultSet> operator()(const plan::DescribeDetail& command) const {
    return RunDescribeDetail(context, command);
  }
  Result<ResultSet> operator()(const plan::DescribeSchema& command) const {
    return RunDescribeSchema(context, command);
  }
  Result<ResultSet> operator()(const plan::DescribeFunction& command) const {
    return RunDescribeFunction(context, command);
  }
  Result<ResultSet> operator()(const plan::Show& command) const {
    return RunShow(context, command);
  }
  Result<ResultSet> operator()(const plan::Explain& command) const {
    return RunExplain(context, command);
  }
  Result<ResultSet> operator()(const plan::AlterTable& command) const {
    return RunAlterTable(context, command);
  }
  Result<ResultSet> operator()(const plan::AlterSchema& command) const {
    return RunAlterSchema(context, command);
  }
  Result<ResultSet> operator()(const plan::CommentOn& command) const {
    return RunCommentOn(context, command);
  }
  Result<ResultSet> operator()(const plan::Optimize& command) const {
    return RunOptimize(context, command);
  }
  Result<ResultSet> operator()(const plan::Vacuum& command) const {
    return RunVacuum(context, command);
  }
  Result<ResultSet> operator()(const plan::Restore& command) const {
    return RunRestore(context, command);
  }
  Result<ResultSet> operator()(const plan::ReorgPurge& command) const {
    return RunReorgPurge(context, command);
  }
  Result<ResultSet> operator()(const plan::ConvertToDelta& command) const {
    return RunConvert(context, command);
  }
  Result<ResultSet> operator()(const plan::Generate& command) const {
    return RunGenerate(context, command);
  }
  Result<ResultSet> operator()(const plan::ShowRows& command) const {
    return RunShowRows(context, command);
  }
  Result<ResultSet> operator()(const plan::Write& command) const {
    return RunWrite(context, command);
  }
  Result<ResultSet> operator()(const plan::WriteTo& command) const {
    return RunWriteTo(context, command);
  }
  Result<ResultSet> operator()(const plan::IsDeltaTable& command) const {
    return RunIsDeltaTable(context, command);
  }
  Result<ResultSet> operator()(const plan::CatalogCall& command) const {
    return RunCatalogCall(context, command);
  }
  Result<ResultSet> operator()(const plan::NoOperation& command) const {
    return RunNoOperation(context, command);
  }
};

}  // namespace

Result<ResultSet> RunCommand(StatementContext& context, const plan::Command& command) {
  return std::visit(Runner{context}, command);
}

}  // namespace merganser
