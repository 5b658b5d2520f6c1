#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "merganser/base/uuid.h"
#include "merganser/engine/connection.h"
#include "merganser/engine/database.h"

namespace merganser::engine {

/// An engine shared by the tests of the program; starting one takes a while. It is never closed: at
/// exit the engine's own thread-local state is gone before static objects are.
inline const std::shared_ptr<Database>& TestDatabase() {
  static const auto* database = new std::shared_ptr<Database>([] {
    auto opened = Database::Open({.memory_limit = 1ull << 30, .threads = 2});
    EXPECT_TRUE(opened.ok()) << opened.error().message();
    return *std::move(opened);
  }());
  return *database;
}

/// A test with a connection and an empty folder.
class EngineTest : public testing::Test {
 protected:
  EngineTest() {
    auto opened = Connection::Open(TestDatabase());
    EXPECT_TRUE(opened.ok()) << opened.error().message();
    connection_ = *std::move(opened);
    folder_ =
        (std::filesystem::temp_directory_path() / ("merganser-test-" + RandomUuid())).string();
    std::filesystem::create_directories(folder_);
  }
  ~EngineTest() override { std::filesystem::remove_all(folder_); }

  void Run(const std::string& sql) {
    auto result = connection_->Execute(sql);
    ASSERT_TRUE(result.ok()) << sql << "\n" << result.error().message();
  }

  /// Rows of a query as JSON lists, one a line.
  std::string Rows(const std::string& sql) {
    auto table = connection_->QueryTable(sql);
    if (!table.ok()) return table.error().message();
    std::string text;
    for (int64_t row = 0; row < table->num_rows(); ++row) {
      if (row != 0) text += '\n';
      for (size_t column = 0; column < table->num_columns(); ++column) {
        text += (column == 0 ? "[" : ",") + table->Json(row, column);
      }
      text += ']';
    }
    return text;
  }

  std::string Path(const std::string& name) const { return folder_ + "/" + name; }

  std::unique_ptr<Connection> connection_;
  std::string folder_;
};

}  // namespace merganser::engine
