#include "merganser/delta/log/last_checkpoint.h"

#include <gtest/gtest.h>

#include "merganser/delta/log/log_path.h"
#include "merganser/delta/log/md5.h"
#include "merganser/delta/log/version_checksum.h"
#include "merganser/io/in_memory_file_system.h"

namespace merganser {
namespace {

TEST(Md5Test, VectorsOfTheStandard) {
  EXPECT_EQ(Md5Hex(""), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(Md5Hex("abc"), "900150983cd24fb0d6963f7d28e17f72");
  EXPECT_EQ(
      Md5Hex("12345678901234567890123456789012345678901234567890123456789012345678901234567890"),
      "57edf4a22be3c955ac49da2e2107b67a");
}

TEST(LastCheckpointTest, TheProtocolsChecksumExample) {
  constexpr std::string_view kJson =
      R"({"k0":"'v 0'", "checksum": "adsaskfljadfkjadfkj", "k1":{"k2": 2, "k3": ["v3", [1, 2], {"k4": "v4", "k5": ["v5", "v6", "v7"]}]}})";
  EXPECT_EQ(
      *CanonicalizeJson(kJson),
      R"("k0"="%27v%200%27","k1"+"k2"=2,"k1"+"k3"+0="v3","k1"+"k3"+1+0=1,"k1"+"k3"+1+1=2,"k1"+"k3"+2+"k4"="v4",)"
      R"("k1"+"k3"+2+"k5"+0="v5","k1"+"k3"+2+"k5"+1="v6","k1"+"k3"+2+"k5"+2="v7")");
  EXPECT_EQ(*JsonChecksum(kJson), "6a92d155a59bf2eecbd4b4ec7fd1f875");
}

TEST(LastCheckpointTest, BothWays) {
  LastCheckpoint hint;
  hint.version = Version(10);
  hint.size = 13;
  hint.parts = 3;
  hint.size_in_bytes = 20434;
  hint.num_of_add_files = 5;
  hint.checkpoint_schema = R"({"type":"struct","fields":[]})";
  hint.tags = StringMap{{"a", "b"}};
  const std::string json = ToJson(hint);
  EXPECT_NE(json.find("\"checksum\":\""), std::string::npos);
  EXPECT_EQ(ParseLastCheckpoint(json), hint);
}

TEST(LastCheckpointTest, WhatIsMalformedIsNoHint) {
  EXPECT_EQ(ParseLastCheckpoint(R"({"version":3,"size":6})")->version, Version(3));
  for (const char* text :
       {"", "{", "[]", "{}", R"({"version":"3"})", R"({"version":-1})",
        R"({"version":1,"parts":0})", R"({"version":3,"size":6,"checksum":"0123"})"}) {
    EXPECT_FALSE(ParseLastCheckpoint(text)) << text;
  }
  InMemoryFileSystem memory;
  EXPECT_FALSE(ReadLastCheckpoint(memory, "/t/_delta_log"));
}

TEST(VersionChecksumTest, BothWays) {
  VersionChecksum checksum;
  checksum.txn_id = "t";
  checksum.table_size_bytes = 10;
  checksum.num_files = 2;
  checksum.in_commit_timestamp = 99;
  checksum.set_transactions = {SetTransaction{.app_id = "a", .version = 1}};
  checksum.domain_metadata = std::vector<DomainMetadata>();
  checksum.metadata.id = "m";
  checksum.metadata.schema_string = "{}";
  checksum.protocol = Protocol{1, 2, {}, {}};
  checksum.file_size_histogram = FileSizeHistogram{{0, 8192}, {2, 0}, {10, 0}};
  checksum.all_files = {AddFile{.path = "x", .size = 5}};
  checksum.num_deleted_records = 0;
  checksum.deleted_record_counts = std::vector<int64_t>(10, 0);
  EXPECT_EQ(ParseVersionChecksum(ToJson(checksum)), checksum);
}

TEST(VersionChecksumTest, MalformedFilesAreNone) {
  for (const char* text : {"", "{}", R"({"tableSizeBytes":1,"numFiles":1})",
                           R"({"tableSizeBytes":1,"numFiles":1,"metadata":[],"protocol":{}})"}) {
    EXPECT_FALSE(ParseVersionChecksum(text)) << text;
  }
}

}  // namespace
}  // namespace merganser
