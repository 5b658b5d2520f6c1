// Merges a batch of changes into a table and prints the table.
#include <iostream>
#include <string>
#include <vector>

#include "merganser/api/delta_table.h"
#include "merganser/arrow/column.h"
#include "merganser/arrow/display_text.h"

using merganser::DeltaTable;
using merganser::Result;
using merganser::ResultSet;
using merganser::Runtime;
using merganser::Session;
using merganser::Status;

// Print every row, its values separated by tabs.
Status Print(ResultSet rows) {
  MERGANSER_ASSIGN_OR_RETURN(const auto schema, rows.ExportSchema());
  while (true) {
    MERGANSER_ASSIGN_OR_RETURN(const auto batch, rows.Next());
    if (!batch) return Status::Ok();
    std::vector<merganser::ArrowColumn> columns;
    for (size_t i = 0; i < rows.schema().size(); ++i) {
      MERGANSER_ASSIGN_OR_RETURN(
          auto column, merganser::ArrowColumn::Make(*schema.get().children[i], batch->column(i),
                                                    rows.schema()[i].type));
      columns.push_back(std::move(column));
    }
    for (int64_t row = 0; row < batch->num_rows(); ++row) {
      std::string line;
      for (const auto& column : columns) {
        if (!line.empty()) line += '\t';
        merganser::AppendDisplayText(column, row, {}, &line);
      }
      std::cout << line << "\n";
    }
  }
}

Status Run(const std::string& warehouse) {
  MERGANSER_ASSIGN_OR_RETURN(auto runtime, Runtime::Open({.warehouse = warehouse}));
  Session session(runtime);

  for (const char* statement : {"CREATE TABLE orders (order_id BIGINT, status STRING) USING delta",
                                "INSERT INTO orders VALUES (1001, 'placed'), (1002, 'placed')"}) {
    MERGANSER_RETURN_IF_ERROR(session.Sql(statement));
  }

  MERGANSER_ASSIGN_OR_RETURN(const auto orders, DeltaTable::ForName(session, "orders"));
  MERGANSER_ASSIGN_OR_RETURN(
      auto counts,
      orders.As("t")
          .Merge(
              "(SELECT * FROM VALUES (1002, 'shipped'), (1003, 'placed') AS v(order_id, status))",
              "s", "t.order_id = s.order_id")
          .WhenMatchedUpdateAll()
          .WhenNotMatchedInsertAll()
          .Execute());
  MERGANSER_RETURN_IF_ERROR(Print(std::move(counts)));

  MERGANSER_ASSIGN_OR_RETURN(auto rows,
                             session.Sql("SELECT order_id, status FROM orders ORDER BY order_id"));
  return Print(std::move(rows));
}

int main(int argc, char** argv) {
  const Status status = Run(argc > 1 ? argv[1] : "spark-warehouse");
  if (status.ok()) return 0;
  std::cerr << status.error().message() << "\n";
  return 1;
}
