# Tests that belong to no layer. Everything runs under ctest; scripts/run_tests adds up the counts.
set(test_root ${CMAKE_SOURCE_DIR}/test)

# test/support/<name>_main.cc is the program merganser_<name>; the other sources are its library.
file(GLOB support_sources CONFIGURE_DEPENDS ${test_root}/support/*.cc ${test_root}/support/*.h)
set(support_tests ${support_sources})
list(FILTER support_tests INCLUDE REGEX "_test\\.cc$")
set(support_programs ${support_sources})
list(FILTER support_programs INCLUDE REGEX "_main\\.cc$")
list(FILTER support_sources EXCLUDE REGEX "_(main|test)\\.cc$")
set(support "")
if(support_sources AND TARGET merganser_api)
  add_library(merganser_test_support STATIC ${support_sources})
  set_target_properties(merganser_test_support PROPERTIES LINKER_LANGUAGE CXX)
  target_include_directories(merganser_test_support PUBLIC ${CMAKE_SOURCE_DIR})
  target_link_libraries(merganser_test_support PUBLIC merganser_api PRIVATE merganser_warnings)
  merganser_join_sources(merganser_test_support)
  set(support merganser_test_support)

  foreach(source IN LISTS support_programs)
    get_filename_component(name ${source} NAME_WE)
    string(REPLACE "_main" "" name ${name})
    add_executable(merganser_${name} ${source})
    target_link_libraries(merganser_${name} PRIVATE merganser_test_support merganser_warnings)
  endforeach()
  if(support_tests)
    merganser_add_test_program(test_support_test SOURCES ${support_tests} LIBRARIES ${support})
    add_test(NAME unit/test/support COMMAND test_support_test WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  endif()

  # One program each for what spans layers.
  foreach(kind IN ITEMS property crash fuzz)
    file(GLOB sources CONFIGURE_DEPENDS ${test_root}/${kind}/*.cc)
    list(FILTER sources EXCLUDE REGEX "/libfuzzer\\.cc$")
    if(sources)
      merganser_add_test_program(${kind}_test SOURCES ${sources} LIBRARIES ${support})
      target_compile_definitions(${kind}_test PRIVATE
        MERGANSER_PROGRAM="$<TARGET_FILE:merganser_program>")
      add_dependencies(${kind}_test merganser_program)
      add_test(NAME ${kind} COMMAND ${kind}_test WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    endif()
  endforeach()
endif()

# The inputs of test/fuzz, made up by libFuzzer.
if(MERGANSER_FUZZ AND TARGET merganser_engine)
  add_executable(merganser_fuzz ${test_root}/fuzz/libfuzzer.cc ${test_root}/fuzz/targets.cc
    ${test_root}/fuzz/checkpoint_target.cc)
  target_include_directories(merganser_fuzz PRIVATE ${CMAKE_SOURCE_DIR})
  target_link_libraries(merganser_fuzz PRIVATE merganser_engine)
  target_link_options(merganser_fuzz PRIVATE -fsanitize=fuzzer)
endif()

option(MERGANSER_SLOW_TESTS
  "Also run every case under each variation, through the builder and through PySpark" OFF)

# Every SQL test runs plain and under each of these; every case too, with the slow tests.
file(GLOB configs RELATIVE ${CMAKE_SOURCE_DIR} CONFIGURE_DEPENDS ${test_root}/configs/*.json)
set(variations "")
foreach(config IN LISTS configs)
  list(APPEND variations --variation ${config})
endforeach()

if(TARGET merganser_sqltest)
  file(GLOB_RECURSE files RELATIVE ${test_root} CONFIGURE_DEPENDS ${test_root}/sql/*.test)
  foreach(file IN LISTS files)
    string(REGEX REPLACE "\\.test$" "" name ${file})
    add_test(NAME ${name} COMMAND merganser_sqltest ${variations} test/${file}
      WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  endforeach()
  # Examples of the documents.
  file(GLOB pages RELATIVE ${CMAKE_SOURCE_DIR} CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/docs/sql/*.md)
  foreach(page IN LISTS pages)
    string(REGEX REPLACE "\\.md$" "" name ${page})
    add_test(NAME ${name} COMMAND merganser_sqltest ${page} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  endforeach()
endif()

if(TARGET merganser_conformance)
  file(GLOB files RELATIVE ${CMAKE_SOURCE_DIR} CONFIGURE_DEPENDS ${test_root}/cases/*.jsonl)
  foreach(file IN LISTS files)
    get_filename_component(name ${file} NAME_WE)
    add_test(NAME cases/${name} COMMAND merganser_conformance cases ${file}
      --expected-failures ${test_root}/cases/expected_failures.txt
      WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  endforeach()
  add_test(NAME golden/own COMMAND merganser_conformance golden ${test_root}/golden/own
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set(all_cases ${files})
  set(slow_configs ${configs})
  if(NOT MERGANSER_SLOW_TESTS)
    set(slow_configs "")
  endif()
  foreach(config IN LISTS slow_configs)
    get_filename_component(name ${config} NAME_WE)
    add_test(NAME cases-under/${name} COMMAND merganser_conformance cases ${all_cases}
      --variation ${config} --expected-failures ${test_root}/cases/expected_failures.txt
      WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  endforeach()
  if(MERGANSER_SLOW_TESTS)
    add_test(NAME cases-through/builder COMMAND merganser_conformance cases ${all_cases}
      --door builder --expected-failures ${test_root}/cases/expected_failures.txt
      WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  endif()
endif()

# test/house checks the tree itself: layers, headers, documents, installation.
file(GLOB files CONFIGURE_DEPENDS ${test_root}/house/*_test.py)
foreach(file IN LISTS files)
  get_filename_component(name ${file} NAME_WE)
  string(REPLACE "_test" "" name ${name})
  add_test(NAME house/${name} COMMAND Python3::Interpreter ${file} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(house/${name} PROPERTIES
    ENVIRONMENT "MERGANSER_BUILD_DIR=${CMAKE_BINARY_DIR}")
endforeach()
# These build further targets in the same folder.
set_tests_properties(house/headers house/install PROPERTIES RESOURCE_LOCK build_folder)

# Other readers of Delta tables; they live in a virtual environment that `make test` lays out.
if(TARGET merganser_program)
  foreach(name IN ITEMS readers concurrency)
    add_test(NAME interop/${name}
      COMMAND ${CMAKE_SOURCE_DIR}/.deps/readers/bin/python ${test_root}/interop/${name}_test.py
      WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    set_tests_properties(interop/${name} PROPERTIES
      ENVIRONMENT "MERGANSER_BUILD_DIR=${CMAKE_BINARY_DIR}")
  endforeach()
endif()

# What the benchmarks write at their smallest size.
if(TARGET merganser_program)
  add_test(NAME bench/merge
    COMMAND ${CMAKE_SOURCE_DIR}/.deps/readers/bin/python ${test_root}/bench/merge_test.py
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(bench/merge PROPERTIES
    ENVIRONMENT "MERGANSER_BUILD_DIR=${CMAKE_BINARY_DIR}")
endif()

# The server with real clients, which live in a virtual environment that `make test` lays out.
if(TARGET merganser_program)
  foreach(name IN ITEMS files frames malformed operations plan_fuzzer python_process sessions stream)
    add_test(NAME connect/${name}
      COMMAND ${CMAKE_SOURCE_DIR}/.deps/connect/bin/python -W ignore
        ${test_root}/connect/${name}_test.py
      WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    set_tests_properties(connect/${name} PROPERTIES
      ENVIRONMENT "MERGANSER_BUILD_DIR=${CMAKE_BINARY_DIR};TZ=UTC;MERGANSER_SLOW_TESTS=$<$<BOOL:${MERGANSER_SLOW_TESTS}>:1>")
  endforeach()
  add_test(NAME connect/client
    COMMAND ${CMAKE_SOURCE_DIR}/.deps/connect/bin/python -W ignore ${test_root}/connect/client_test.py
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  # With the slow tests every case goes through a client, else a few of each kind of value.
  set(connect_cases test/cases/basic.jsonl test/cases/nested.jsonl test/cases/seeds.jsonl)
  set(connect_failures "")
  if(MERGANSER_SLOW_TESTS)
    set(connect_cases ${all_cases})
    set(connect_failures --expected-failures ${test_root}/cases/expected_failures.txt)
  endif()
  add_test(NAME connect/cases
    COMMAND ${CMAKE_SOURCE_DIR}/.deps/connect/bin/python -W ignore ${test_root}/connect/cases.py
      ${connect_failures} ${connect_cases}
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  add_test(NAME connect/examples
    COMMAND ${CMAKE_SOURCE_DIR}/.deps/connect/bin/python ${CMAKE_SOURCE_DIR}/scripts/run_seeds
      $<TARGET_FILE:merganser_program> ${CMAKE_SOURCE_DIR}/examples
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(connect/client connect/cases PROPERTIES
    ENVIRONMENT "MERGANSER_BUILD_DIR=${CMAKE_BINARY_DIR};TZ=UTC")
endif()

# What benchmarks/log_speed.py measures with.
if(TARGET merganser_engine)
  add_executable(merganser_log_speed EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/benchmarks/log_speed.cc)
  target_link_libraries(merganser_log_speed PRIVATE merganser_engine merganser_warnings)
endif()
