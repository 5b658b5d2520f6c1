// Hashes of values, digests and ciphers of bytes.
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <limits>
#include <string>

#include <openssl/evp.h>

#include "merganser/engine/functions/cipher.h"
#include "merganser/engine/functions/families.h"
#include "merganser/engine/functions/row_hash.h"
#include "merganser/engine/functions/rows.h"
#include "merganser/engine/functions/scalar_call.h"

namespace merganser::engine {
namespace {

using duckdb::LogicalType;
using duckdb::LogicalTypeId;

struct Murmur {
  using Hash = int32_t;
  static constexpr Hash kSeed = 42;
  static Hash Int(int32_t value, Hash seed) { return Murmur3Int(value, seed); }
  static Hash Long(int64_t value, Hash seed) { return Murmur3Long(value, seed); }
  static Hash Bytes(std::string_view bytes, Hash seed) { return Murmur3Bytes(bytes, seed); }
};

struct Xx {
  using Hash = int64_t;
  static constexpr Hash kSeed = 42;
  static Hash Int(int32_t value, Hash seed) { return XxHash64Int(value, seed); }
  static Hash Long(int64_t value, Hash seed) { return XxHash64Long(value, seed); }
  static Hash Bytes(std::string_view bytes, Hash seed) { return XxHash64Bytes(bytes, seed); }
};

/// BigInteger.toByteArray: big-endian two's complement without superfluous sign bytes.
std::string MinimalBytes(Int128 value) {
  std::string bytes;
  for (int shift = 120; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift);
  size_t start = 0;
  while (start + 1 < bytes.size()) {
    const auto byte = static_cast<unsigned char>(bytes[start]);
    const bool next_negative = (bytes[start + 1] & 0x80) != 0;
    if (!((byte == 0 && !next_negative) || (byte == 0xFF && next_negative))) break;
    ++start;
  }
  return bytes.substr(start);
}

int32_t FloatBits(float value) {
  if (value == 0) return 0;
  return std::isnan(value) ? 0x7fc00000 : std::bit_cast<int32_t>(value);
}
int64_t DoubleBits(double value) {
  if (value == 0) return 0;
  return std::isnan(value) ? 0x7ff8000000000000LL : std::bit_cast<int64_t>(value);
}

/// The hash of a row's cell on top of `seed`; NULL leaves the seed.
template <typename H>
typename H::Hash HashCell(const duckdb::RecursiveUnifiedVectorFormat& column, duckdb::idx_t row,
                          typename H::Hash seed) {
  const auto& cells = column.unified;
  const auto at = cells.sel->get_index(row);
  if (!cells.validity.RowIsValid(at)) return seed;
  const auto& type = column.logical_type;
  switch (type.id()) {
    case LogicalTypeId::BOOLEAN:
      return H::Int(Cell<bool>::Read(cells, at) ? 1 : 0, seed);
    case LogicalTypeId::TINYINT:
      return H::Int(Cell<int8_t>::Read(cells, at), seed);
    case LogicalTypeId::SMALLINT:
      return H::Int(Cell<int16_t>::Read(cells, at), seed);
    case LogicalTypeId::INTEGER:
    case LogicalTypeId::DATE:
      return H::Int(Cell<int32_t>::Read(cells, at), seed);
    case LogicalTypeId::BIGINT:
    case LogicalTypeId::TIMESTAMP:
    case LogicalTypeId::TIMESTAMP_TZ:
      return H::Long(Cell<int64_t>::Read(cells, at), seed);
    case LogicalTypeId::FLOAT:
      return H::Int(FloatBits(Cell<float>::Read(cells, at)), seed);
    case LogicalTypeId::DOUBLE:
      return H::Long(DoubleBits(Cell<double>::Read(cells, at)), seed);
    case LogicalTypeId::DECIMAL: {
      const Int128 unscaled = Cell<DecimalCell>::Read(cells, at).unscaled;
      if (duckdb::DecimalType::GetWidth(type) <= 18)
        return H::Long(static_cast<int64_t>(unscaled), seed);
      return H::Bytes(MinimalBytes(unscaled), seed);
    }
    case LogicalTypeId::INTERVAL: {
      const auto interval = Cell<duckdb::interval_t>::Read(cells, at);
      return H::Int(interval.months, H::Int(interval.days, H::Long(interval.micros, seed)));
    }
    case LogicalTypeId::VARCHAR:
    case LogicalTypeId::BLOB:
      return H::Bytes(Cell<std::string_view>::Read(cells, at), seed);
    case LogicalTypeId::LIST: {
      const auto list = Cell<duckdb::list_entry_t>::Read(cells, at);
      for (duckdb::idx_t i = 0; i < list.length; ++i)
        seed = HashCell<H>(column.children[0], list.offset + i, seed);
      return seed;
    }
    case LogicalTypeId::MAP: {
      const auto list = Cell<duckdb::list_entry_t>::Read(cells, at);
      for (duckdb::idx_t i = 0; i < list.length; ++i) {
        for (const auto& part : column.children[0].children)
          seed = HashCell<H>(part, list.offset + i, seed);
      }
      return seed;
    }
    case LogicalTypeId::STRUCT:
      for (const auto& field : column.children) seed = HashCell<H>(field, row, seed);
      return seed;
    default:
      return seed;
  }
}

template <typename H>
ScalarKernel BindHash(ScalarCall& call) {
  call.Returns(sizeof(typename H::Hash) == 4 ? LogicalType::INTEGER : LogicalType::BIGINT);
  call.NeverFails();
  return [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    const duckdb::idx_t count = arguments.size();
    bool constant = true;
    for (auto& column : arguments.data)
      constant = constant && column.GetVectorType() == duckdb::VectorType::CONSTANT_VECTOR;
    FlatResult out(result, constant);
    auto* hashes = out.data<typename H::Hash>();
    const duckdb::idx_t rows = constant ? std::min<duckdb::idx_t>(count, 1) : count;
    std::fill_n(hashes, rows, H::kSeed);
    for (auto& vector : arguments.data) {
      duckdb::RecursiveUnifiedVectorFormat column;
      duckdb::Vector::RecursiveToUnifiedFormat(vector, count, column);
      for (duckdb::idx_t row = 0; row < rows; ++row)
        hashes[row] = HashCell<H>(column, row, hashes[row]);
    }
  };
}

std::string LowerHex(const unsigned char* bytes, size_t size) {
  std::string out;
  for (size_t i = 0; i < size; ++i) {
    out += "0123456789abcdef"[bytes[i] >> 4];
    out += "0123456789abcdef"[bytes[i] & 15];
  }
  return out;
}

std::string Digest(std::string_view bytes, const EVP_MD* algorithm) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned int size = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, algorithm, nullptr);
  return LowerHex(digest.data(), size);
}

const EVP_MD* Sha2(int32_t bits) {
  switch (bits) {
    case 224:
      return EVP_sha224();
    case 0:
    case 256:
      return EVP_sha256();
    case 384:
      return EVP_sha384();
    case 512:
      return EVP_sha512();
    default:
      return nullptr;
  }
}

constexpr std::array<uint32_t, 256> MakeCrcTable() {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) != 0 ? 0xEDB88320U ^ (crc >> 1) : crc >> 1;
    table[i] = crc;
  }
  return table;
}

int64_t Crc32(std::string_view bytes) {
  static constexpr auto kTable = MakeCrcTable();
  uint32_t crc = 0xFFFFFFFFU;
  for (const char c : bytes)
    crc = kTable[(crc ^ static_cast<unsigned char>(c)) & 0xFF] ^ (crc >> 8);
  return crc ^ 0xFFFFFFFFU;
}

/// A kernel on bytes, which VARCHAR and BLOB both are.
template <typename F>
void AddDigestFunction(FunctionRegistry& registry, const std::string& name,
                       const LogicalType& result, F f) {
  registry.Add(name, [result, f](ScalarCall& call) -> ScalarKernel {
    if (call.type(0).InternalType() != duckdb::PhysicalType::VARCHAR)
      call.Expect(0, LogicalType::BLOB);
    call.Returns(result);
    call.KeepArguments(1);
    call.NeverFails();
    return [f](duckdb::DataChunk& arguments, duckdb::Vector& out) {
      MapRows<std::string_view>(arguments, out, f);
    };
  });
}

/// mg_aes_encrypt(input, key, mode, padding, iv, aad [, context]); empty iv and aad are none.
ScalarKernel BindEncrypt(ScalarCall& call) {
  const CallSite site = call.Context(6);
  for (const size_t i : {0, 1, 4, 5}) call.Expect(i, LogicalType::BLOB);
  call.Expect(2, LogicalType::VARCHAR);
  call.Expect(3, LogicalType::VARCHAR);
  call.Returns(LogicalType::BLOB);
  call.KeepArguments(6);
  call.IsVolatile();
  return [site](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    using Bytes = std::string_view;
    MapRows<Bytes, Bytes, Bytes, Bytes, Bytes, Bytes>(
        arguments, result,
        [&](Bytes input, Bytes key, Bytes mode, Bytes padding, Bytes iv, Bytes aad) {
          auto sealed = AesEncrypt(input, key, mode, padding, iv, aad);
          if (!sealed.ok()) site.Throw(sealed.error());
          return *std::move(sealed);
        });
  };
}

/// mg_aes_decrypt(input, key, mode, padding, aad, eval mode [, context]).
ScalarKernel BindDecrypt(ScalarCall& call) {
  const CallSite site = call.Site(5);
  for (const size_t i : {0, 1, 4}) call.Expect(i, LogicalType::BLOB);
  call.Expect(2, LogicalType::VARCHAR);
  call.Expect(3, LogicalType::VARCHAR);
  call.Returns(LogicalType::BLOB);
  call.KeepArguments(5);
  return [site](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    using Bytes = std::string_view;
    MapRows<Bytes, Bytes, Bytes, Bytes, Bytes>(
        arguments, result,
        [&](Bytes input, Bytes key, Bytes mode, Bytes padding,
            Bytes aad) -> std::optional<std::string> {
          auto opened = AesDecrypt(input, key, mode, padding, aad);
          if (opened.ok()) return *std::move(opened);
          if (site.mode != EvalMode::kTry) site.Throw(opened.error());
          return std::nullopt;
        });
  };
}

}  // namespace

void RegisterHashFunctions(FunctionRegistry& registry) {
  registry.Add("mg_hash", BindHash<Murmur>);
  registry.Add("mg_xxhash64", BindHash<Xx>);
  AddDigestFunction(registry, "mg_crc32", LogicalType::BIGINT, Crc32);
  AddDigestFunction(registry, "mg_md5", LogicalType::VARCHAR,
                    [](std::string_view bytes) { return Digest(bytes, EVP_md5()); });
  AddDigestFunction(registry, "mg_sha1", LogicalType::VARCHAR,
                    [](std::string_view bytes) { return Digest(bytes, EVP_sha1()); });
  registry.Add("mg_sha2", [](ScalarCall& call) -> ScalarKernel {
    if (call.type(0).InternalType() != duckdb::PhysicalType::VARCHAR)
      call.Expect(0, LogicalType::BLOB);
    call.Expect(1, LogicalType::INTEGER);
    call.Returns(LogicalType::VARCHAR);
    call.KeepArguments(2);
    call.NeverFails();
    return [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
      MapRows<std::string_view, int32_t>(
          arguments, result,
          [](std::string_view bytes, int32_t bits) -> std::optional<std::string> {
            const EVP_MD* algorithm = Sha2(bits);
            if (algorithm == nullptr) return std::nullopt;
            return Digest(bytes, algorithm);
          });
    };
  });
  registry.Add("mg_aes_encrypt", BindEncrypt);
  registry.Add("mg_aes_decrypt", BindDecrypt);
}

}  // namespace merganser::engine
