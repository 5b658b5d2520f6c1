# Every third-party library in one place; docs/dependencies.md says why each is here.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(simdjson REQUIRED)
find_package(GTest REQUIRED)
find_package(CLI11 REQUIRED)
find_package(PkgConfig REQUIRED)

find_library(ROARING_LIBRARY roaring REQUIRED)
add_library(merganser_roaring INTERFACE)
target_link_libraries(merganser_roaring INTERFACE ${ROARING_LIBRARY})

find_library(FLATBUFFERS_LIBRARY flatbuffers REQUIRED)
add_library(flatbuffers INTERFACE)
target_link_libraries(flatbuffers INTERFACE ${FLATBUFFERS_LIBRARY})

find_package(OpenSSL REQUIRED COMPONENTS Crypto SSL)
find_package(Protobuf REQUIRED)
find_package(gRPC CONFIG REQUIRED)

pkg_check_modules(PCRE2 REQUIRED IMPORTED_TARGET libpcre2-8)

pkg_check_modules(LIBEDIT REQUIRED libedit)
add_library(merganser_edit INTERFACE)
target_link_libraries(merganser_edit INTERFACE ${LIBEDIT_LIBRARIES})
target_include_directories(merganser_edit SYSTEM INTERFACE ${LIBEDIT_INCLUDE_DIRS})

find_library(RAPIDCHECK_LIBRARY rapidcheck)
if(RAPIDCHECK_LIBRARY)
  set(MERGANSER_RAPIDCHECK ${RAPIDCHECK_LIBRARY})
endif()

# DuckDB: .deps/duckdb holds lib/libduckdb.so and include/ (see scripts/fetch_duckdb).
set(DuckDB_ROOT ${CMAKE_SOURCE_DIR}/.deps/duckdb CACHE PATH "DuckDB 1.5.5: include/, third_party/ and lib/libduckdb.so")
find_library(DUCKDB_LIBRARY duckdb HINTS ${DuckDB_ROOT}/lib ${DuckDB_ROOT} NO_DEFAULT_PATH REQUIRED)
add_library(DuckDB::DuckDB SHARED IMPORTED)
set_target_properties(DuckDB::DuckDB PROPERTIES IMPORTED_LOCATION ${DUCKDB_LIBRARY})
target_include_directories(DuckDB::DuckDB SYSTEM INTERFACE
  ${DuckDB_ROOT}/include ${DuckDB_ROOT}/third_party/parquet ${DuckDB_ROOT}/third_party/thrift)
