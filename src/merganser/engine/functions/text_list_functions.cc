// Texts joined and taken apart.
#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "merganser/engine/functions/families.h"
#include "merganser/engine/functions/nested_vectors.h"
#include "merganser/engine/functions/rows.h"
#include "merganser/engine/functions/scalar_call.h"
#include "merganser/engine/functions/sentences.h"

namespace merganser::engine {
namespace {

using duckdb::idx_t;
using duckdb::LogicalType;
using duckdb::LogicalTypeId;

/// mg_concat_ws(separator, values...): VARCHARs and lists of them; NULLs are left out.
ScalarKernel BindConcatWs(ScalarCall& call) {
  call.Expect(0, LogicalType::VARCHAR);
  for (size_t i = 1; i < call.size(); ++i) {
    call.Expect(i, call.type(i).id() == LogicalTypeId::LIST
                       ? LogicalType::LIST(LogicalType::VARCHAR)
                       : LogicalType::VARCHAR);
  }
  call.Returns(LogicalType::VARCHAR);
  call.NeverFails();
  return [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    const idx_t count = arguments.size();
    const RowRange rows(arguments);
    std::vector<duckdb::RecursiveUnifiedVectorFormat> columns(arguments.ColumnCount());
    for (size_t i = 0; i < columns.size(); ++i) {
      duckdb::Vector::RecursiveToUnifiedFormat(arguments.data[i], count, columns[i]);
    }
    FlatResult out(result, rows.constant);
    std::string text;
    for (idx_t row = 0; row < rows.count; ++row) {
      const auto& separators = columns[0].unified;
      const auto separator_at = separators.sel->get_index(row);
      if (!separators.validity.RowIsValid(separator_at)) {
        out.SetNull(row);
        continue;
      }
      const auto separator = Cell<std::string_view>::Read(separators, separator_at);
      text.clear();
      bool first = true;
      const auto add = [&](const duckdb::UnifiedVectorFormat& cells, idx_t cell_row) {
        const auto at = cells.sel->get_index(cell_row);
        if (!cells.validity.RowIsValid(at)) return;
        if (!first) text += separator;
        first = false;
        text += Cell<std::string_view>::Read(cells, at);
      };
      for (size_t i = 1; i < columns.size(); ++i) {
        if (columns[i].children.empty()) {
          add(columns[i].unified, row);
          continue;
        }
        const auto at = columns[i].unified.sel->get_index(row);
        if (!columns[i].unified.validity.RowIsValid(at)) continue;
        const auto list = Cell<duckdb::list_entry_t>::Read(columns[i].unified, at);
        for (idx_t k = 0; k < list.length; ++k)
          add(columns[i].children[0].unified, list.offset + k);
      }
      Cell<std::string_view>::Write(out, row, text);
    }
  };
}

/// mg_join_binaries(list of BLOB, delimiter or NULL).
ScalarKernel BindJoinBinaries(ScalarCall& call) {
  call.Expect(0, LogicalType::LIST(LogicalType::BLOB));
  call.Expect(1, LogicalType::BLOB);
  call.Returns(LogicalType::BLOB);
  call.KeepArguments(2);
  call.NeverFails();
  return [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    duckdb::RecursiveUnifiedVectorFormat lists;
    duckdb::UnifiedVectorFormat delimiters;
    duckdb::Vector::RecursiveToUnifiedFormat(arguments.data[0], arguments.size(), lists);
    arguments.data[1].ToUnifiedFormat(arguments.size(), delimiters);
    const auto& elements = lists.children[0].unified;
    FlatResult out(result, false);
    std::string joined;
    for (idx_t row = 0; row < arguments.size(); ++row) {
      const auto list_at = lists.unified.sel->get_index(row);
      if (!lists.unified.validity.RowIsValid(list_at)) {
        out.SetNull(row);
        continue;
      }
      const auto delimiter_at = delimiters.sel->get_index(row);
      const bool delimited = delimiters.validity.RowIsValid(delimiter_at);
      const auto list = Cell<duckdb::list_entry_t>::Read(lists.unified, list_at);
      joined.clear();
      bool first = true;
      for (idx_t i = list.offset; i < list.offset + list.length; ++i) {
        const auto at = elements.sel->get_index(i);
        if (!elements.validity.RowIsValid(at)) continue;
        if (!first && delimited) joined += Cell<std::string_view>::Read(delimiters, delimiter_at);
        first = false;
        joined += Cell<std::string_view>::Read(elements, at);
      }
      Cell<std::string_view>::Write(out, row, joined);
    }
  };
}

/// mg_sentences(text, language, country) -> the words of each sentence. The language makes no
/// difference.
ScalarKernel BindSentences(ScalarCall& call) {
  call.Expect(0, LogicalType::VARCHAR);
  call.Returns(LogicalType::LIST(LogicalType::LIST(LogicalType::VARCHAR)));
  call.KeepArguments(1);
  call.NeverFails();
  return [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    duckdb::UnifiedVectorFormat texts;
    arguments.data[0].ToUnifiedFormat(arguments.size(), texts);
    FlatResult out(result, false);
    std::vector<duckdb::list_entry_t> sentences;
    std::vector<std::string> words;
    for (idx_t row = 0; row < arguments.size(); ++row) {
      const idx_t begin = sentences.size();
      const auto at = texts.sel->get_index(row);
      if (texts.validity.RowIsValid(at)) {
        for (auto& sentence : SplitSentences(Cell<std::string_view>::Read(texts, at))) {
          sentences.emplace_back(words.size(), sentence.size());
          std::move(sentence.begin(), sentence.end(), std::back_inserter(words));
        }
      } else {
        out.SetNull(row);
      }
      out.data<duckdb::list_entry_t>()[row] = {begin, sentences.size() - begin};
    }
    auto texts_of_words = MakeVector(LogicalType::VARCHAR, words.size());
    for (idx_t i = 0; i < words.size(); ++i) {
      duckdb::FlatVector::GetData<duckdb::string_t>(texts_of_words)[i] =
          duckdb::StringVector::AddString(texts_of_words, words[i]);
    }
    auto lists = MakeVector(LogicalType::LIST(LogicalType::VARCHAR), sentences.size());
    std::copy(sentences.begin(), sentences.end(),
              duckdb::FlatVector::GetData<duckdb::list_entry_t>(lists));
    SetListChild(lists, std::move(texts_of_words), words.size());
    SetListChild(result, std::move(lists), sentences.size());
  };
}

}  // namespace

void RegisterTextListFunctions(FunctionRegistry& registry) {
  registry.Add("mg_concat_ws", BindConcatWs);
  registry.Add("mg_join_binaries", BindJoinBinaries);
  registry.Add("mg_sentences", BindSentences);
}

}  // namespace merganser::engine
