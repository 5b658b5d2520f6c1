#include <memory>

#include "merganser/engine/checkpoint/parquet_checkpoint_codec.h"
#include "merganser/engine/database.h"
#include "merganser/io/in_memory_file_system.h"
#include "test/fuzz/targets.h"

namespace merganser::test {
namespace {

class Nothing final : public ActionVisitor {};

}  // namespace

void ReadCheckpointBytes(std::string_view input) {
  static const auto* database = new std::shared_ptr<engine::Database>([] {
    auto opened = engine::Database::Open({});
    return opened.ok() ? std::move(opened).value() : nullptr;
  }());
  InMemoryFileSystem memory;
  (void)memory.Write("/table/_delta_log/c.parquet", input);
  Nothing visitor;
  (void)engine::MakeCheckpointCodec(*database)->Read(memory, "/table/_delta_log/c.parquet", {},
                                                     visitor);
}

}  // namespace merganser::test
