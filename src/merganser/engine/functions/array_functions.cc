// Functions of arrays.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/functions/cell_order.h"
#include "merganser/engine/functions/families.h"
#include "merganser/engine/functions/nested_vectors.h"
#include "merganser/engine/functions/rows.h"
#include "merganser/engine/functions/scalar_call.h"
#include "merganser/engine/functions/spark_text.h"
#include "merganser/engine/logical_type.h"

namespace merganser::engine {
namespace {

using duckdb::idx_t;
using duckdb::LogicalType;
using duckdb::LogicalTypeId;
using Format = duckdb::RecursiveUnifiedVectorFormat;

LogicalType ElementType(ScalarCall& call, size_t i) {
  if (call.type(i).id() != LogicalTypeId::LIST)
    ThrowError(Error::Internal(call.name() + ": no list: " + call.type(i).ToString()));
  return duckdb::ListType::GetChildType(call.type(i));
}

/// An argument list with its elements described for comparison.
struct ListColumn {
  ListColumn(duckdb::Vector& vector, idx_t count) {
    vector.ToUnifiedFormat(count, lists);
    duckdb::Vector::RecursiveToUnifiedFormat(duckdb::ListVector::GetEntry(vector),
                                             duckdb::ListVector::GetListSize(vector), elements);
  }
  bool IsNull(idx_t row) const { return !lists.validity.RowIsValid(lists.sel->get_index(row)); }
  duckdb::list_entry_t entry(idx_t row) const {
    return Cell<duckdb::list_entry_t>::Read(lists, lists.sel->get_index(row));
  }
  bool ElementIsNull(idx_t at) const {
    return !elements.unified.validity.RowIsValid(elements.unified.sel->get_index(at));
  }

  duckdb::UnifiedVectorFormat lists;
  Format elements;
};

/// Writes one element (or NULL) a row, from a list's child.
class ElementResult {
 public:
  ElementResult(duckdb::Vector& child, idx_t child_size, idx_t rows)
      : child_(child), child_size_(child_size), places_(rows, -1) {}
  void Set(idx_t row, idx_t place) { places_[row] = static_cast<int64_t>(place); }
  void Write(duckdb::Vector& result, bool constant) {
    ElementPool pool(result.GetType());
    pool.Add(child_, child_size_);
    auto taken = pool.Take(places_);
    result.Reference(taken);
    if (constant) result.SetVectorType(duckdb::VectorType::CONSTANT_VECTOR);
  }

 private:
  duckdb::Vector& child_;
  idx_t child_size_;
  std::vector<int64_t> places_;
};

/// How an index counts.
enum class Indexing : uint8_t {
  kItem,       ///< mg_get_array_item(list, index, mode [, context]): from 0.
  kElementAt,  ///< mg_element_at(list, index, mode [, context]): from 1, or from -1 at the end.
  kElt,        ///< mg_elt(index, list, mode [, context]): from 1.
};

ScalarKernel BindAccess(ScalarCall& call, Indexing indexing) {
  const CallSite site = call.Site(2);
  const size_t list_index = indexing == Indexing::kElt ? 1 : 0;
  call.Returns(ElementType(call, list_index));
  call.Expect(1 - list_index, LogicalType::BIGINT);
  call.KeepArguments(2);
  return [=](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    const RowRange rows(arguments);
    duckdb::Vector& column = arguments.data[list_index];
    duckdb::UnifiedVectorFormat lists;
    duckdb::UnifiedVectorFormat indexes;
    column.ToUnifiedFormat(arguments.size(), lists);
    arguments.data[1 - list_index].ToUnifiedFormat(arguments.size(), indexes);
    ElementResult out(duckdb::ListVector::GetEntry(column), duckdb::ListVector::GetListSize(column),
                      rows.count);
    for (idx_t row = 0; row < rows.count; ++row) {
      const auto list_at = lists.sel->get_index(row);
      const auto index_at = indexes.sel->get_index(row);
      if (!lists.validity.RowIsValid(list_at) || !indexes.validity.RowIsValid(index_at)) continue;
      const auto list = Cell<duckdb::list_entry_t>::Read(lists, list_at);
      const auto index = Cell<int64_t>::Read(indexes, index_at);
      const auto size = static_cast<int64_t>(list.length);
      int64_t place = index;
      if (indexing == Indexing::kElementAt) {
        if (index == 0) site.Throw(Error(ErrorClass::INVALID_INDEX_OF_ZERO));
        place = index > 0 ? index - 1 : size + index;
      } else if (indexing == Indexing::kElt) {
        place = index - 1;
      }
      if (place >= 0 && place < size) {
        out.Set(row, list.offset + static_cast<idx_t>(place));
      } else if (site.ansi()) {
        site.Throw(Error(indexing == Indexing::kElementAt
                             ? ErrorClass::INVALID_ARRAY_INDEX_IN_ELEMENT_AT
                             : ErrorClass::INVALID_ARRAY_INDEX,
                         {{"indexValue", std::to_string(index)},
                          {"arraySize", std::to_string(size)},
                          {"ansiConfig", kAnsiConfig}}));
      }
    }
    out.Write(result, rows.constant);
  };
}

/// mg_exists(flags) and mg_forall(flags): any and all in three-valued logic.
ScalarKernel BindQuantifier(ScalarCall& call, bool decisive) {
  call.Expect(0, LogicalType::LIST(LogicalType::BOOLEAN));
  call.Returns(LogicalType::BOOLEAN);
  call.KeepArguments(1);
  call.NeverFails();
  return [decisive](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    const RowRange rows(arguments);
    const ListColumn column(arguments.data[0], arguments.size());
    FlatResult out(result, rows.constant);
    for (idx_t row = 0; row < rows.count; ++row) {
      bool decided = false;
      bool has_null = column.IsNull(row);
      const auto list = has_null ? duckdb::list_entry_t() : column.entry(row);
      for (idx_t at = list.offset; at < list.offset + list.length && !decided; ++at) {
        if (column.ElementIsNull(at)) {
          has_null = true;
        } else {
          decided = Cell<bool>::Read(column.elements.unified,
                                     column.elements.unified.sel->get_index(at)) == decisive;
        }
      }
      if (!decided && has_null) {
        out.SetNull(row);
      } else {
        out.data<bool>()[row] = decided == decisive;
      }
    }
  };
}

/// Where in each row's list the row's value stands: 0-based, -1 if nowhere. nullopt for NULL rows.
template <typename F>
void ForEachSearch(duckdb::DataChunk& arguments, const RowRange& rows, F f) {
  const ListColumn column(arguments.data[0], arguments.size());
  Format values;
  duckdb::Vector::RecursiveToUnifiedFormat(arguments.data[1], arguments.size(), values);
  for (idx_t row = 0; row < rows.count; ++row) {
    if (column.IsNull(row) ||
        !values.unified.validity.RowIsValid(values.unified.sel->get_index(row))) {
      f(row, std::optional<int64_t>(), false);
      continue;
    }
    const auto list = column.entry(row);
    int64_t found = -1;
    bool has_null = false;
    for (idx_t i = 0; i < list.length && found < 0; ++i) {
      if (column.ElementIsNull(list.offset + i)) {
        has_null = true;
      } else if (CompareCells(column.elements, list.offset + i, values, row) == 0) {
        found = static_cast<int64_t>(i);
      }
    }
    f(row, std::optional<int64_t>(found), has_null);
  }
}

void ExpectListAndElement(ScalarCall& call) {
  call.Expect(1, ElementType(call, 0));
  call.KeepArguments(2);
  call.NeverFails();
}

ScalarKernel BindContains(ScalarCall& call) {
  ExpectListAndElement(call);
  call.Returns(LogicalType::BOOLEAN);
  return [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    const RowRange rows(arguments);
    FlatResult out(result, rows.constant);
    ForEachSearch(arguments, rows, [&](idx_t row, std::optional<int64_t> place, bool has_null) {
      if (!place || (*place < 0 && has_null)) {
        out.SetNull(row);
      } else {
        out.data<bool>()[row] = *place >= 0;
      }
    });
  };
}

ScalarKernel BindPosition(ScalarCall& call) {
  ExpectListAndElement(call);
  call.Returns(LogicalType::BIGINT);
  return [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    const RowRange rows(arguments);
    FlatResult out(result, rows.constant);
    ForEachSearch(arguments, rows, [&](idx_t row, std::optional<int64_t> place, bool) {
      if (place) {
        out.data<int64_t>()[row] = *place + 1;
      } else {
        out.SetNull(row);
      }
    });
  };
}

/// A kernel that picks elements of one list: f(row, column, picks) for rows that are not NULL.
template <typename F>
ScalarKernel PickKernel(F f) {
  return [f = std::move(f)](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    const RowRange rows(arguments);
    const ListColumn column(arguments.data[0], arguments.size());
    ListPicks picks(rows.count);
    for (idx_t row = 0; row < rows.count; ++row) {
      if (column.IsNull(row) || !f(arguments, row, column, picks)) {
        picks.NullRow(row);
      } else {
        picks.EndRow(row);
      }
    }
    ElementPool pool(duckdb::ListType::GetChildType(result.GetType()));
    pool.Add(duckdb::ListVector::GetEntry(arguments.data[0]),
             duckdb::ListVector::GetListSize(arguments.data[0]));
    picks.Write(pool, result, rows.constant);
  };
}

/// mg_array_remove(list, value).
ScalarKernel BindRemove(ScalarCall& call) {
  ExpectListAndElement(call);
  call.Returns(call.type(0));
  return [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    const RowRange rows(arguments);
    const ListColumn column(arguments.data[0], arguments.size());
    Format values;
    duckdb::Vector::RecursiveToUnifiedFormat(arguments.data[1], arguments.size(), values);
    ListPicks picks(rows.count);
    for (idx_t row = 0; row < rows.count; ++row) {
      if (column.IsNull(row) ||
          !values.unified.validity.RowIsValid(values.unified.sel->get_index(row))) {
        picks.NullRow(row);
        continue;
      }
      const auto list = column.entry(row);
      for (idx_t at = list.offset; at < list.offset + list.length; ++at) {
        if (column.ElementIsNull(at) || CompareCells(column.elements, at, values, row) != 0)
          picks.Pick(static_cast<int64_t>(at));
      }
      picks.EndRow(row);
    }
    ElementPool pool(duckdb::ListType::GetChildType(result.GetType()));
    pool.Add(duckdb::ListVector::GetEntry(arguments.data[0]),
             duckdb::ListVector::GetListSize(arguments.data[0]));
    picks.Write(pool, result, rows.constant);
  };
}

/// Two lists as sets: distinct, union, intersect, except. One list for distinct.
enum class SetKind : uint8_t { kDistinct, kUnion, kIntersect, kExcept };

void CombineSets(SetKind kind, duckdb::DataChunk& arguments, duckdb::Vector& result) {
  const RowRange rows(arguments);
  std::vector<CompactLists> lists;
  lists.reserve(2);
  ElementPool pool(duckdb::ListType::GetChildType(result.GetType()));
  std::vector<idx_t> base;
  for (auto& argument : arguments.data) {
    lists.emplace_back(argument, rows.count);
    base.push_back(pool.Add(lists.back().child(), lists.back().child_count()));
  }
  const idx_t total = pool.size();
  Format elements;
  duckdb::Vector hashes(LogicalType::HASH, std::max<idx_t>(total, 1));
  if (total > 0) {
    duckdb::Vector::RecursiveToUnifiedFormat(pool.All(), total, elements);
    duckdb::VectorOperations::Hash(pool.All(), hashes, total);
    hashes.Flatten(total);
  }
  const auto* hash_data = duckdb::FlatVector::GetData<duckdb::hash_t>(hashes);
  CellSet emitted(elements, hash_data);
  CellSet other(elements, hash_data);
  const auto entry_of = [&](size_t list, idx_t row) {
    return lists[list].entry(lists[list].constant() ? 0 : row);
  };
  ListPicks picks(rows.count);
  for (idx_t row = 0; row < rows.count; ++row) {
    bool null = false;
    idx_t size = 0;
    for (size_t i = 0; i < lists.size(); ++i) {
      null = null || lists[i].IsNull(lists[i].constant() ? 0 : row);
      size += entry_of(i, row).length;
    }
    if (null) {
      picks.NullRow(row);
      continue;
    }
    emitted.Reset(size);
    if (kind == SetKind::kIntersect || kind == SetKind::kExcept) {
      other.Reset(size);
      const auto right = entry_of(1, row);
      for (idx_t i = 0; i < right.length; ++i) other.Insert(base[1] + right.offset + i);
    }
    const size_t sides = kind == SetKind::kUnion ? 2 : 1;
    for (size_t side = 0; side < sides; ++side) {
      const auto entry = entry_of(side, row);
      for (idx_t i = 0; i < entry.length; ++i) {
        const idx_t at = base[side] + entry.offset + i;
        if (kind == SetKind::kIntersect && !other.Contains(at)) continue;
        if (kind == SetKind::kExcept && other.Contains(at)) continue;
        if (emitted.Insert(at)) picks.Pick(static_cast<int64_t>(at));
      }
    }
    picks.EndRow(row);
  }
  picks.Write(pool, result, rows.constant);
}

ScalarKernel BindSets(ScalarCall& call, SetKind kind) {
  const size_t count = kind == SetKind::kDistinct ? 1 : 2;
  ElementType(call, 0);
  if (count == 2) call.Expect(1, call.type(0));
  call.Returns(call.type(0));
  call.KeepArguments(count);
  call.NeverFails();
  return [kind](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    CombineSets(kind, arguments, result);
  };
}

/// mg_arrays_overlap(a, b): NULL if no common element is seen but one may hide behind a NULL.
ScalarKernel BindOverlap(ScalarCall& call) {
  ElementType(call, 0);
  call.Expect(1, call.type(0));
  call.Returns(LogicalType::BOOLEAN);
  call.KeepArguments(2);
  call.NeverFails();
  return [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    const RowRange rows(arguments);
    const ListColumn a(arguments.data[0], arguments.size());
    const ListColumn b(arguments.data[1], arguments.size());
    FlatResult out(result, rows.constant);
    for (idx_t row = 0; row < rows.count; ++row) {
      if (a.IsNull(row) || b.IsNull(row)) {
        out.SetNull(row);
        continue;
      }
      const auto left = a.entry(row);
      const auto right = b.entry(row);
      bool found = false;
      bool has_null = false;
      for (idx_t i = left.offset; i < left.offset + left.length && !found; ++i) {
        if (a.ElementIsNull(i)) {
          has_null = true;
          continue;
        }
        for (idx_t k = right.offset; k < right.offset + right.length && !found; ++k) {
          found = !b.ElementIsNull(k) && CompareCells(a.elements, i, b.elements, k) == 0;
        }
      }
      for (idx_t k = right.offset; k < right.offset + right.length; ++k)
        has_null = has_null || b.ElementIsNull(k);
      if (!found && has_null && left.length > 0 && right.length > 0) {
        out.SetNull(row);
      } else {
        out.data<bool>()[row] = found;
      }
    }
  };
}

/// mg_slice(list, start, length [, context]).
ScalarKernel BindSlice(ScalarCall& call) {
  const CallSite site = call.Context(3);
  ElementType(call, 0);
  call.Expect(1, LogicalType::INTEGER);
  call.Expect(2, LogicalType::INTEGER);
  call.Returns(call.type(0));
  call.KeepArguments(3);
  return PickKernel(
      [site](duckdb::DataChunk& arguments, idx_t row, const ListColumn& column, ListPicks& picks) {
        std::array<int32_t, 2> bounds;
        for (size_t i = 0; i < 2; ++i) {
          duckdb::UnifiedVectorFormat cells;
          arguments.data[i + 1].ToUnifiedFormat(arguments.size(), cells);
          const auto at = cells.sel->get_index(row);
          if (!cells.validity.RowIsValid(at)) return false;
          bounds[i] = Cell<int32_t>::Read(cells, at);
        }
        const auto [start, length] = bounds;
        if (start == 0)
          site.Throw(Error(ErrorClass::INVALID_PARAMETER_VALUE,
                           {{"parameter", QuotedId("start")}, {"functionName", QuotedId("slice")}},
                           "START"));
        if (length < 0) {
          site.Throw(Error(ErrorClass::INVALID_PARAMETER_VALUE,
                           {{"parameter", QuotedId("length")},
                            {"length", std::to_string(length)},
                            {"functionName", QuotedId("slice")}},
                           "LENGTH"));
        }
        const auto list = column.entry(row);
        const auto size = static_cast<int64_t>(list.length);
        const int64_t begin = start > 0 ? int64_t{start} - 1 : size + start;
        if (begin < 0) return true;
        for (int64_t i = begin; i < std::min(begin + length, size); ++i)
          picks.Pick(static_cast<int64_t>(list.offset) + i);
        return true;
      });
}

/// mg_flatten(list of lists): NULL if one of the lists is.
ScalarKernel BindFlatten(ScalarCall& call) {
  call.Returns(ElementType(call, 0));
  call.KeepArguments(1);
  call.NeverFails();
  return [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    const RowRange rows(arguments);
    CompactLists outer(arguments.data[0], rows.count);
    CompactLists inner(outer.child(), outer.child_count());
    ListPicks picks(rows.count);
    for (idx_t row = 0; row < rows.count; ++row) {
      bool null = outer.IsNull(row);
      const auto lists = outer.entry(row);
      for (idx_t i = lists.offset; i < lists.offset + lists.length && !null; ++i) {
        const idx_t at = inner.constant() ? 0 : i;
        null = inner.IsNull(at);
        const auto elements = inner.entry(at);
        for (idx_t k = 0; k < elements.length; ++k)
          picks.Pick(static_cast<int64_t>(elements.offset + k));
      }
      if (null) {
        picks.NullRow(row);
      } else {
        picks.EndRow(row);
      }
    }
    ElementPool pool(duckdb::ListType::GetChildType(result.GetType()));
    pool.Add(inner.child(), inner.child_count());
    picks.Write(pool, result, rows.constant);
  };
}

constexpr int64_t kMaxArrayLength = 2147483632;

/// mg_array_insert(list, position, value [, context]).
ScalarKernel BindInsert(ScalarCall& call) {
  const CallSite site = call.Context(3);
  const LogicalType element = ElementType(call, 0);
  call.Expect(1, LogicalType::INTEGER);
  call.Expect(2, element);
  call.Returns(call.type(0));
  call.KeepArguments(3);
  return [=](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    const RowRange rows(arguments);
    CompactLists lists(arguments.data[0], rows.count);
    auto& values = arguments.data[2];
    values.Flatten(arguments.size());
    duckdb::UnifiedVectorFormat positions;
    arguments.data[1].ToUnifiedFormat(arguments.size(), positions);
    ElementPool pool(element);
    const idx_t list_base = pool.Add(lists.child(), lists.child_count());
    const idx_t value_base = pool.Add(values, rows.count);
    ListPicks picks(rows.count);
    for (idx_t row = 0; row < rows.count; ++row) {
      const idx_t list_row = lists.constant() ? 0 : row;
      const auto at = positions.sel->get_index(row);
      if (lists.IsNull(list_row) || !positions.validity.RowIsValid(at)) {
        picks.NullRow(row);
        continue;
      }
      const auto entry = lists.entry(list_row);
      const auto size = static_cast<int64_t>(entry.length);
      const int64_t position = Cell<int32_t>::Read(positions, at);
      if (position == 0) site.Throw(Error(ErrorClass::INVALID_INDEX_OF_ZERO));
      if (std::abs(position) > kMaxArrayLength) {
        site.Throw(Error(ErrorClass::COLLECTION_SIZE_LIMIT_EXCEEDED,
                         {{"numberOfElements", std::to_string(std::abs(position))},
                          {"maxRoundedArrayLength", std::to_string(kMaxArrayLength)},
                          {"functionName", QuotedId("array_insert")}},
                         "FUNCTION"));
      }
      const int64_t asked = position > 0 ? position - 1 : size + position + 1;
      const int64_t place = std::max<int64_t>(asked, 0);
      const int64_t padding_front = place - asked;
      const auto value = static_cast<int64_t>(value_base + row);
      const auto first = static_cast<int64_t>(list_base + entry.offset);
      if (padding_front > 0) {
        picks.Pick(value);
        for (int64_t i = 0; i < padding_front; ++i) picks.Pick(-1);
        for (int64_t i = 0; i < size; ++i) picks.Pick(first + i);
      } else {
        for (int64_t i = 0; i < std::max(size, place); ++i) {
          if (i == place) picks.Pick(value);
          picks.Pick(i < size ? first + i : -1);
        }
        if (place >= size) picks.Pick(value);
      }
      picks.EndRow(row);
    }
    picks.Write(pool, result, rows.constant);
  };
}

/// mg_array_repeat(value, count).
ScalarKernel BindRepeat(ScalarCall& call) {
  call.Expect(1, LogicalType::INTEGER);
  call.Returns(LogicalType::LIST(call.type(0)));
  call.KeepArguments(2);
  call.NeverFails();
  return [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    const RowRange rows(arguments);
    duckdb::UnifiedVectorFormat counts;
    arguments.data[1].ToUnifiedFormat(arguments.size(), counts);
    arguments.data[0].Flatten(arguments.size());
    ListPicks picks(rows.count);
    for (idx_t row = 0; row < rows.count; ++row) {
      const auto at = counts.sel->get_index(row);
      if (!counts.validity.RowIsValid(at)) {
        picks.NullRow(row);
        continue;
      }
      const int32_t times = std::max(Cell<int32_t>::Read(counts, at), 0);
      RequireElements(static_cast<size_t>(times));
      for (int32_t i = 0; i < times; ++i) picks.Pick(static_cast<int64_t>(row));
      picks.EndRow(row);
    }
    ElementPool pool(duckdb::ListType::GetChildType(result.GetType()));
    pool.Add(arguments.data[0], rows.count);
    picks.Write(pool, result, rows.constant);
  };
}

/// mg_array_join(list of text, separator [, replacement of NULL]).
ScalarKernel BindJoin(ScalarCall& call) {
  const bool replace = call.size() > 2;
  call.Expect(0, LogicalType::LIST(LogicalType::VARCHAR));
  call.Expect(1, LogicalType::VARCHAR);
  if (replace) call.Expect(2, LogicalType::VARCHAR);
  call.Returns(LogicalType::VARCHAR);
  call.KeepArguments(replace ? 3 : 2);
  call.NeverFails();
  return [replace](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    const RowRange rows(arguments);
    const ListColumn column(arguments.data[0], arguments.size());
    std::array<duckdb::UnifiedVectorFormat, 2> texts;
    for (size_t i = 0; i < (replace ? 2 : 1); ++i)
      arguments.data[i + 1].ToUnifiedFormat(arguments.size(), texts[i]);
    FlatResult out(result, rows.constant);
    std::string buffer;
    for (idx_t row = 0; row < rows.count; ++row) {
      bool null = column.IsNull(row);
      std::array<std::string_view, 2> parts;
      for (size_t i = 0; i < (replace ? 2 : 1); ++i) {
        const auto at = texts[i].sel->get_index(row);
        null = null || !texts[i].validity.RowIsValid(at);
        if (!null) parts[i] = Cell<std::string_view>::Read(texts[i], at);
      }
      if (null) {
        out.SetNull(row);
        continue;
      }
      buffer.clear();
      bool first = true;
      const auto list = column.entry(row);
      for (idx_t at = list.offset; at < list.offset + list.length; ++at) {
        const bool element_null = column.ElementIsNull(at);
        if (element_null && !replace) continue;
        if (!first) buffer += parts[0];
        first = false;
        buffer += element_null
                      ? parts[1]
                      : Cell<std::string_view>::Read(column.elements.unified,
                                                     column.elements.unified.sel->get_index(at));
      }
      Cell<std::string_view>::Write(out, row, buffer);
    }
  };
}

}  // namespace

void RegisterArrayFunctions(FunctionRegistry& registry) {
  registry.Add("mg_get_array_item",
               [](ScalarCall& call) { return BindAccess(call, Indexing::kItem); });
  registry.Add("mg_element_at",
               [](ScalarCall& call) { return BindAccess(call, Indexing::kElementAt); });
  registry.Add("mg_elt", [](ScalarCall& call) { return BindAccess(call, Indexing::kElt); });
  registry.Add("mg_exists", [](ScalarCall& call) { return BindQuantifier(call, true); });
  registry.Add("mg_forall", [](ScalarCall& call) { return BindQuantifier(call, false); });
  registry.Add("mg_array_contains", BindContains);
  registry.Add("mg_array_position", BindPosition);
  registry.Add("mg_array_remove", BindRemove);
  registry.Add("mg_array_distinct",
               [](ScalarCall& call) { return BindSets(call, SetKind::kDistinct); });
  registry.Add("mg_array_union", [](ScalarCall& call) { return BindSets(call, SetKind::kUnion); });
  registry.Add("mg_array_intersect",
               [](ScalarCall& call) { return BindSets(call, SetKind::kIntersect); });
  registry.Add("mg_array_except",
               [](ScalarCall& call) { return BindSets(call, SetKind::kExcept); });
  registry.Add("mg_arrays_overlap", BindOverlap);
  registry.Add("mg_slice", BindSlice);
  registry.Add("mg_flatten", BindFlatten);
  registry.Add("mg_array_insert", BindInsert);
  registry.Add("mg_array_repeat", BindRepeat);
  registry.Add("mg_array_join", BindJoin);
}

}  // namespace merganser::engine
