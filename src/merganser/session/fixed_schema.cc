#include "merganser/session/fixed_schema.h"

#include <initializer_list>

#include "merganser/commands/convert.h"
#include "merganser/commands/optimize_metrics.h"
#include "merganser/commands/show_rows.h"

namespace merganser {
namespace {

StructType Numbers(std::initializer_list<const char*> names) {
  StructType schema;
  for (const char* name : names) schema.Add({name, DataType::Long(), true, {}});
  return schema;
}

/// One overload a kind of answer; commands without one here answer with no columns.
struct AnswerSchema {
  using Answer = std::optional<StructType>;

  Answer operator()(const plan::MergeInto&) const {
    return Numbers(
        {"num_affected_rows", "num_updated_rows", "num_deleted_rows", "num_inserted_rows"});
  }
  Answer operator()(const plan::Update&) const { return Numbers({"num_affected_rows"}); }
  Answer operator()(const plan::Delete&) const { return Numbers({"num_affected_rows"}); }
  Answer operator()(const plan::Restore&) const {
    return Numbers({"table_size_after_restore", "num_of_files_after_restore", "num_removed_files",
                    "num_restored_files", "removed_files_size", "restored_files_size"});
  }
  Answer operator()(const plan::CloneTable&) const {
    return Numbers({"source_table_size", "source_num_of_files", "num_removed_files",
                    "num_copied_files", "removed_files_size", "copied_files_size"});
  }
  Answer operator()(const plan::Optimize&) const { return OptimizeSchema(); }
  Answer operator()(const plan::ReorgPurge&) const { return OptimizeSchema(); }
  Answer operator()(const plan::Vacuum&) const {
    return StructType({{"path", DataType::String(), true, {}}});
  }
  Answer operator()(const plan::ConvertToDelta& command) const {
    return command.from_builder ? ConvertedSchema() : StructType();
  }
  Answer operator()(const plan::ShowRows& command) const { return ShownSchema(command); }
  Answer operator()(const plan::IsDeltaTable&) const { return std::nullopt; }
  Answer operator()(const plan::CatalogCall& command) const {
    if (command.kind == plan::CatalogCallKind::kDropTemporaryView) {
      return StructType({{"value", DataType::Boolean(), false, {}}});
    }
    return std::nullopt;
  }
  Answer operator()(const plan::DescribeTable&) const { return std::nullopt; }
  Answer operator()(const plan::DescribeQuery&) const { return std::nullopt; }
  Answer operator()(const plan::DescribeHistory&) const { return std::nullopt; }
  Answer operator()(const plan::DescribeDetail&) const { return std::nullopt; }
  Answer operator()(const plan::DescribeSchema&) const { return std::nullopt; }
  Answer operator()(const plan::DescribeFunction&) const { return std::nullopt; }
  Answer operator()(const plan::Show&) const { return std::nullopt; }
  Answer operator()(const plan::Explain&) const { return std::nullopt; }
  Answer operator()(const plan::SetConf& set) const {
    if (!set.value) return std::nullopt;
    return StructType(
        {{"key", DataType::String(), false, {}}, {"value", DataType::String(), false, {}}});
  }
  template <typename Other>
  Answer operator()(const Other&) const {
    return StructType();
  }
};

}  // namespace

std::optional<StructType> FixedSchemaOf(const plan::Command& command) {
  return std::visit(AnswerSchema(), command);
}

}  // namespace merganser
