# GCC's warnings are errors on our own targets; third-party headers come in as SYSTEM.
add_library(merganser_warnings INTERFACE)
target_compile_options(merganser_warnings INTERFACE
  -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
  $<IF:$<CXX_COMPILER_ID:GNU>,-Werror,-Wno-unknown-warning-option>)

# The compiler's own garbage collector takes a fifth of a joined source's time; without it such a
# source needs up to 1 GB.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  add_compile_options("SHELL:--param ggc-min-expand=300" "SHELL:--param ggc-min-heapsize=1000000")
endif()

option(MERGANSER_ASAN "Address and undefined-behaviour sanitizers" OFF)
option(MERGANSER_FUZZ "Instrument for libFuzzer (clang) and build the fuzzers" OFF)
option(MERGANSER_TSAN "Thread sanitizer" OFF)
if(MERGANSER_ASAN)
  add_compile_options(-fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=address,undefined)
elseif(MERGANSER_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=address,undefined)
elseif(MERGANSER_TSAN)
  add_compile_options(-fsanitize=thread)
  add_link_options(-fsanitize=thread)
endif()

# A precompiled header is a cache hit only with this sloppiness; without the folder in the hash, a
# second clone hits what the first one compiled.
find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    add_compile_options(-fpch-preprocess)
  endif()
endif()

find_program(MOLD mold)
if(MOLD)
  add_link_options(-fuse-ld=mold)
endif()

# Compiling several sources of a folder as one takes a quarter of the time: they share headers and
# the templates in them. Names in unnamed namespaces must then differ within the folder.
option(MERGANSER_JOIN_SOURCES "Compile the sources of a folder in groups" OFF)
set(MERGANSER_JOINED 12 CACHE STRING "Sources in a group; of tests twice as many")
function(merganser_join_sources target)
  if(MERGANSER_JOIN_SOURCES)
    set(batch ${MERGANSER_JOINED})
    if(target MATCHES "_test$") # Short sources.
      math(EXPR batch "2 * ${MERGANSER_JOINED}")
    endif()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
    # Says that a type of an unnamed namespace is in a header, which a joined source looks like.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
endfunction()
