# One static library and one test program a line of LAYERS: folder delta/log becomes the targets
# merganser_delta_log and delta_log_test. A folder's sources are all of its .cc files and those of
# its subfolders that are not layers themselves; a program's main.cc is not among them.

# Third-party libraries by folder: one library, one door.
set(MERGANSER_LIBRARIES_base fmt::fmt nlohmann_json::nlohmann_json simdjson::simdjson)
set(MERGANSER_LIBRARIES_delta_deletion_vector merganser_roaring)
set(MERGANSER_LIBRARIES_arrow flatbuffers)
set(MERGANSER_LIBRARIES_engine DuckDB::DuckDB PkgConfig::PCRE2 OpenSSL::Crypto)
set(MERGANSER_LIBRARIES_cli CLI11::CLI11 merganser_edit)

# What nearly every source includes, compiled once. Sources name all they use themselves: clang-tidy
# and the header checks see them without it. Headers of other projects only: one that is precompiled
# may come out of the cache of another clone, where our own have changed.
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/common_headers.cc CONTENT "")
add_library(merganser_common_headers OBJECT ${CMAKE_BINARY_DIR}/generated/common_headers.cc)
target_include_directories(merganser_common_headers PRIVATE
  ${CMAKE_SOURCE_DIR}/src ${MERGANSER_GENERATED_DIR})
target_link_libraries(merganser_common_headers PRIVATE merganser_warnings fmt::fmt)
target_precompile_headers(merganser_common_headers PRIVATE
  <algorithm> <functional> <map> <memory> <optional> <set> <string> <unordered_map> <variant>
  <vector> <fmt/format.h>)
add_dependencies(merganser_common_headers merganser_error_registry)

# Every test starts with these headers, so they are compiled once; GCC takes a precompiled header
# only under the very options it was made with.
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/test_headers.cc CONTENT "int main() {}\n")
add_executable(merganser_test_headers ${CMAKE_BINARY_DIR}/generated/test_headers.cc)
target_link_libraries(merganser_test_headers PRIVATE GTest::gmock)
target_compile_options(merganser_test_headers PRIVATE -O0)
target_precompile_headers(merganser_test_headers PRIVATE <gmock/gmock.h> <gtest/gtest.h>)

# A program of tests that link `libraries` (and GoogleTest, which brings main).
function(merganser_add_test_program name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE
    ${ARG_LIBRARIES} merganser_warnings GTest::gmock GTest::gtest_main ${MERGANSER_RAPIDCHECK})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
  target_compile_options(${name} PRIVATE -O0)
  target_precompile_headers(${name} REUSE_FROM merganser_test_headers)
  merganser_join_sources(${name})
endfunction()

function(merganser_add_layers layers_file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${layers_file})
  file(STRINGS ${layers_file} lines REGEX "^[a-z]")
  set(folders "")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "[ ]*:.*" "" folder "${line}")
    list(APPEND folders ${folder})
  endforeach()
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "[ ]*:.*" "" folder "${line}")
    string(REGEX REPLACE "^[^:]*:[ ]*" "" edges "${line}")
    string(REPLACE " " ";" edges "${edges}")
    merganser_add_layer(${folder} "${edges}" "${folders}")
  endforeach()
endfunction()

function(merganser_add_layer folder edges all_folders)
  set(root ${CMAKE_SOURCE_DIR}/src/merganser)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${root}/${folder}/*.cc ${root}/${folder}/*.h)
  foreach(other IN LISTS all_folders)
    if(NOT other STREQUAL folder AND other MATCHES "^${folder}/")
      list(FILTER sources EXCLUDE REGEX "^${root}/${other}/")
    endif()
  endforeach()
  if(NOT sources)
    return()
  endif()
  set(headers ${sources})
  list(FILTER headers INCLUDE REGEX "\\.h$")
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER sources EXCLUDE REGEX "(_test|/main)\\.cc$")

  string(REPLACE "/" "_" name ${folder})
  set(below "")
  foreach(edge IN LISTS edges)
    string(REPLACE "/" "_" edge ${edge})
    if(TARGET merganser_${edge})
      list(APPEND below merganser_${edge})
    endif()
  endforeach()

  add_library(merganser_${name} STATIC ${sources})
  set_target_properties(merganser_${name} PROPERTIES
    LINKER_LANGUAGE CXX MERGANSER_LAYERS_BELOW "${below}")
  target_include_directories(merganser_${name} PUBLIC
    ${CMAKE_SOURCE_DIR}/src ${MERGANSER_GENERATED_DIR})
  target_link_libraries(merganser_${name}
    PUBLIC ${below} ${MERGANSER_LIBRARIES_${name}} PRIVATE merganser_warnings)
  add_dependencies(merganser_${name} merganser_error_registry)
  if(name STREQUAL engine)
    # Java rounds each operation; a fused multiply-add does not.
    target_compile_options(merganser_engine PRIVATE -ffp-contract=off)
    target_precompile_headers(merganser_engine PRIVATE <duckdb.hpp>)
  elseif(name STREQUAL connect)
    # Not public: its compile options would not go with other layers' precompiled headers.
    target_link_libraries(merganser_connect PRIVATE merganser_wire)
    target_precompile_headers(merganser_connect PRIVATE
      ${CMAKE_SOURCE_DIR}/src/merganser/connect/deep_request.h
      <spark/connect/service.grpc.pb.h> <delta/connect/delta.pb.h>)
  else()
    target_precompile_headers(merganser_${name} REUSE_FROM merganser_common_headers)
  endif()
  merganser_join_sources(merganser_${name})

  merganser_check_headers(${name} "${headers}")
  if(tests)
    merganser_add_test_program(${name}_test SOURCES ${tests} LIBRARIES merganser_${name})
    if(name STREQUAL connect)
      target_link_libraries(connect_test PRIVATE merganser_wire)
      set_target_properties(connect_test PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
    endif()
    add_test(NAME unit/${folder} COMMAND ${name}_test WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  endif()
endfunction()

# Compile each header alone, so that none leans on what its users include before it. Built by
# the target header_checks only.
add_custom_target(header_checks)
function(merganser_check_headers name headers)
  set(sources "")
  foreach(header IN LISTS headers)
    file(RELATIVE_PATH header ${CMAKE_SOURCE_DIR}/src ${header})
    set(source ${CMAKE_BINARY_DIR}/generated/header_checks/${header}.cc)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${header}\"\n")
    list(APPEND sources ${source})
  endforeach()
  if(sources)
    add_library(${name}_headers OBJECT EXCLUDE_FROM_ALL ${sources})
    target_link_libraries(${name}_headers PRIVATE merganser_${name} merganser_warnings)
    if(name STREQUAL connect)
      target_link_libraries(connect_headers PRIVATE merganser_wire)
    endif()
    # Foreign headers take a second or more each time; CMAKE_DISABLE_PRECOMPILE_HEADERS leaves it to
    # each header to include those, too.
    if(name MATCHES "^(engine|connect)$")
      target_precompile_headers(${name}_headers REUSE_FROM merganser_${name})
    else()
      target_precompile_headers(${name}_headers REUSE_FROM merganser_common_headers)
    endif()
    add_dependencies(header_checks ${name}_headers)
  endif()
endfunction()

# Every layer that `layer` stands on, itself included, into the list `result`.
function(merganser_layer_closure result layer)
  set(closure ${layer})
  get_target_property(below ${layer} MERGANSER_LAYERS_BELOW)
  foreach(other IN LISTS below)
    merganser_layer_closure(others ${other})
    list(APPEND closure ${others})
  endforeach()
  list(REMOVE_DUPLICATES closure)
  set(${result} ${closure} PARENT_SCOPE)
endfunction()
