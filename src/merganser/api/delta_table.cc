#include "merganser/api/delta_table.h"

#include <utility>

#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/sql/parser.h"

namespace merganser {
namespace {

plan::MultipartName PathName(std::string_view path) {
  return {{"delta", std::string(path)}, nullptr, {}};
}

}  // namespace

Result<DeltaTable> DeltaTable::Find(Session& session, plan::MultipartName name) {
  MERGANSER_ASSIGN_OR_RETURN(const auto entry, session.catalog().Find(name.parts));
  if (!entry)
    return Error(ErrorClass::TABLE_OR_VIEW_NOT_FOUND,
                 {{"relationName", QuotedIdentifier(name.parts)}});
  const auto* table = std::get_if<CatalogTable>(&*entry);
  SnapshotRef snapshot;
  if (table != nullptr && table->is_delta()) {
    MERGANSER_ASSIGN_OR_RETURN(snapshot, session.catalog().snapshots().Latest(table->location));
  }
  if (snapshot == nullptr) {
    return Error(ErrorClass::DELTA_MISSING_DELTA_TABLE,
                 {{"tableName", QuotedIdentifier(name.parts)}});
  }
  return DeltaTable(session, std::move(name));
}

Result<DeltaTable> DeltaTable::ForName(Session& session, std::string_view name) {
  MERGANSER_ASSIGN_OR_RETURN(plan::MultipartName parsed, ParseMultipartName(name));
  return Find(session, std::move(parsed));
}

Result<DeltaTable> DeltaTable::ForPath(Session& session, std::string_view path) {
  return Find(session, PathName(path));
}

Result<bool> DeltaTable::IsDeltaTable(Session& session, std::string_view path) {
  MERGANSER_ASSIGN_OR_RETURN(const FileLocation location,
                             session.catalog().file_systems().Resolve(path));
  MERGANSER_ASSIGN_OR_RETURN(const SnapshotRef snapshot,
                             session.catalog().snapshots().Latest(location));
  return snapshot != nullptr;
}

DeltaTable DeltaTable::As(std::string alias) const {
  DeltaTable named = *this;
  named.alias_ = std::move(alias);
  return named;
}

MergeBuilder DeltaTable::Merge(std::string source, std::string alias, std::string condition) const {
  return MergeBuilder(*session_, name_, alias_, std::move(source), std::move(alias),
                      std::move(condition));
}

Result<ResultSet> DeltaTable::Update(const std::map<std::string, std::string>& assignments,
                                     const std::optional<std::string>& condition) const {
  plan::Update update;
  update.target = name_;
  update.alias = alias_;
  for (const auto& [column, value] : assignments) {
    plan::Assignment assignment;
    MERGANSER_ASSIGN_OR_RETURN(assignment.key.parts, ParseColumnPath(column));
    MERGANSER_ASSIGN_OR_RETURN(assignment.value, ParseExpression(value));
    update.assignments.push_back(std::move(assignment));
  }
  MERGANSER_ASSIGN_OR_RETURN(update.condition, ParseOptionalExpression(condition));
  return session_->Execute({plan::Command(std::move(update)), {}});
}

Result<ResultSet> DeltaTable::Delete(const std::optional<std::string>& condition) const {
  plan::Delete erase;
  erase.target = name_;
  erase.alias = alias_;
  MERGANSER_ASSIGN_OR_RETURN(erase.condition, ParseOptionalExpression(condition));
  return session_->Execute({plan::Command(std::move(erase)), {}});
}

Result<ResultSet> DeltaTable::Rows() const {
  return session_->Execute({plan::MakeRelation(plan::TableReference{name_, std::nullopt, {}}), {}});
}

Result<ResultSet> DeltaTable::History(std::optional<int64_t> limit) const {
  return session_->Execute({plan::Command(plan::DescribeHistory{name_, limit}), {}});
}

Result<ResultSet> DeltaTable::Detail() const {
  return session_->Execute({plan::Command(plan::DescribeDetail{name_}), {}});
}

}  // namespace merganser
