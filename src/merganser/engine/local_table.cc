#include "merganser/engine/local_table.h"

#include <array>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include <duckdb/common/arrow/arrow_wrapper.hpp>
#include <duckdb/function/table/arrow.hpp>
#include <duckdb/main/relation.hpp>

#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/native.h"

namespace merganser::engine {
namespace {

/// The format in which the engine reads an Arrow value: intervals are numbers to it.
std::string_view EngineFormat(std::string_view format) {
  if (format == "tDu") return "l";
  if (format == "tiM") return "i";
  return format;
}

}  // namespace

inline std::string LocalNameOf(const ArrowSchema& schema) {
  return schema.name == nullptr ? std::string() : std::string(schema.name);
}

/// A schema of our own: other formats and names, the rest shared with the one it is made from.
class LocalSchema {
 public:
  LocalSchema(const ArrowSchema& source, std::string name)
      : format_(EngineFormat(source.format)), name_(std::move(name)) {
    for (int64_t i = 0; i < source.n_children; ++i) {
      children_.push_back(
          std::make_unique<LocalSchema>(*source.children[i], LocalNameOf(*source.children[i])));
    }
    Link(source);
  }

  /// Name the columns by their positions, and add one for the numbers of the rows.
  void NumberColumns() {
    for (size_t i = 0; i < children_.size(); ++i) {
      children_[i]->name_ = "c" + std::to_string(i);
      children_[i]->schema_.name = children_[i]->name_.c_str();
    }
    ArrowSchema numbers{};
    numbers.format = "l";
    children_.push_back(std::make_unique<LocalSchema>(numbers, kLocalRowNumber));
    pointers_.push_back(&children_.back()->schema_);
    schema_.children = pointers_.data();
    schema_.n_children = static_cast<int64_t>(pointers_.size());
  }

  const ArrowSchema& get() const { return schema_; }

 private:
  void Link(const ArrowSchema& source) {
    schema_ = source;
    schema_.format = format_.c_str();
    schema_.name = name_.c_str();
    pointers_.clear();
    for (const auto& child : children_) pointers_.push_back(&child->schema_);
    schema_.children = pointers_.data();
    schema_.release = [](ArrowSchema*) {};
  }

  std::string format_;
  std::string name_;
  std::vector<std::unique_ptr<LocalSchema>> children_;
  std::vector<ArrowSchema*> pointers_;
  ArrowSchema schema_{};
};

/// What the engine's scan is given the address of.
struct LocalTable {
  explicit LocalTable(std::shared_ptr<const ArrowTable> rows)
      : table(std::move(rows)), schema(table->schema.get(), "") {
    schema.NumberColumns();
  }

  std::shared_ptr<const ArrowTable> table;
  LocalSchema schema;
};

namespace {

/// One pass over the batches.
struct LocalPass {
  const LocalTable* table;
  size_t next = 0;
  int64_t rows = 0;  ///< Of the batches before `next`.
};

/// A batch, shared, beside the numbers of its rows, its own.
class NumberedBatch {
 public:
  NumberedBatch(const ArrowArray& batch, int64_t first)
      : numbers_(static_cast<size_t>(batch.length)),
        children_(batch.children, batch.children + batch.n_children) {
    std::iota(numbers_.begin(), numbers_.end(), first);
    buffers_[1] = numbers_.data();
    column_.length = batch.length;
    column_.n_buffers = 2;
    column_.buffers = buffers_.data();
    column_.release = [](ArrowArray*) {};
    children_.push_back(&column_);
  }

  /// `batch` with these children; releasing it ends this object.
  static ArrowArray Make(const ArrowArray& batch, int64_t first) {
    auto* numbered = new NumberedBatch(batch, first);
    ArrowArray array = batch;
    array.children = numbered->children_.data();
    array.n_children = static_cast<int64_t>(numbered->children_.size());
    array.private_data = numbered;
    array.release = [](ArrowArray* released) {
      delete static_cast<NumberedBatch*>(released->private_data);
      released->release = nullptr;
    };
    return array;
  }

 private:
  std::vector<int64_t> numbers_;
  std::array<const void*, 2> buffers_{};
  ArrowArray column_{};
  std::vector<ArrowArray*> children_;
};

int PassSchema(ArrowArrayStream* stream, ArrowSchema* out) {
  *out = static_cast<LocalPass*>(stream->private_data)->table->schema.get();
  return 0;
}

int PassNext(ArrowArrayStream* stream, ArrowArray* out) {
  auto& pass = *static_cast<LocalPass*>(stream->private_data);
  const auto& batches = pass.table->table->batches;
  if (pass.next == batches.size()) {
    *out = {};
    return 0;
  }
  const ArrowBatch& batch = batches[pass.next++];
  *out = NumberedBatch::Make(batch.array(), pass.rows);
  pass.rows += batch.num_rows();
  return 0;
}

void EndPass(ArrowArrayStream* stream) {
  delete static_cast<LocalPass*>(stream->private_data);
  stream->release = nullptr;
}

duckdb::unique_ptr<duckdb::ArrowArrayStreamWrapper> StartPass(uintptr_t table,
                                                              duckdb::ArrowStreamParameters&) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the scan passes addresses as numbers.
  const auto* local = reinterpret_cast<const LocalTable*>(table);
  auto wrapper = duckdb::make_uniq<duckdb::ArrowArrayStreamWrapper>();
  wrapper->arrow_array_stream = {
      .get_schema = PassSchema,
      .get_next = PassNext,
      .get_last_error = [](ArrowArrayStream*) -> const char* { return nullptr; },
      .release = EndPass,
      .private_data = new LocalPass{local}};
  return wrapper;
}

void TableSchema(ArrowArrayStream* table, ArrowSchema& schema) {
  // The scan hands back the table's address under the name of a stream.
  schema = reinterpret_cast<const LocalTable*>(table)->schema.get();
}

}  // namespace

Status AddLocalTable(Connection& connection, const std::string& name,
                     std::shared_ptr<const ArrowTable> table) {
  try {
    auto local = std::make_shared<LocalTable>(std::move(table));
    const auto address = [](auto pointer) {
      return duckdb::Value::POINTER(reinterpret_cast<uintptr_t>(pointer));
    };
    connection.native()
        .connection
        .TableFunction("arrow_scan_dumb",
                       {address(local.get()), address(&StartPass), address(&TableSchema)})
        ->CreateView(name, /*replace=*/true, /*temporary=*/true);
    connection.native().local_tables.push_back(std::move(local));
    return Status::Ok();
  } catch (const std::exception& exception) {
    return FromException(exception);
  }
}

}  // namespace merganser::engine
