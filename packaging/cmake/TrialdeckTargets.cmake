# SPDX-License-Identifier: Apache-2.0
# What every target of Trialdeck shares: language level, warnings, sanitizers, where binaries go,
# and one function for each kind of target, so that a folder's CMakeLists.txt only lists its files.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

find_program(TRIALDECK_CCACHE ccache)
if(TRIALDECK_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Without the second setting ccache passes over what is compiled with precompiled headers.
  set(CMAKE_C_COMPILER_LAUNCHER "${TRIALDECK_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER
    "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros "${TRIALDECK_CCACHE}")
endif()

find_package(Threads REQUIRED)

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 reports these inside its own library at -O2 and under sanitizers; clang-tidy covers the real ones.
  add_compile_options(-Wno-maybe-uninitialized -Wno-stringop-overflow -Wno-array-bounds -Wno-restrict
                      -Wno-dangling-pointer -Wno-free-nonheap-object -Wno-stringop-overread
                      -Wno-mismatched-new-delete)
endif()
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  add_compile_options(-g1)
endif()
add_compile_definitions(ASIO_STANDALONE ASIO_SEPARATE_COMPILATION ASIO_NO_DEPRECATED FMT_HEADER_ONLY)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_compile_definitions(ASIO_HAS_CO_AWAIT ASIO_HAS_STD_COROUTINE)
endif()

find_program(TRIALDECK_LLD ld.lld)
if(TRIALDECK_LLD)
  add_link_options(-fuse-ld=lld)
endif()

if(TRIALDECK_SANITIZE)
  add_compile_options(-fsanitize=${TRIALDECK_SANITIZE} -fno-omit-frame-pointer)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR TRIALDECK_SANITIZE MATCHES "thread")
    add_compile_options(-O1)
  endif()
  add_link_options(-fsanitize=${TRIALDECK_SANITIZE})
  if(TRIALDECK_SANITIZE MATCHES "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Asio's fences, of which the thread sanitizer knows nothing; nothing of ours rests on them.
    add_compile_options(-Wno-tsan)
  endif()
  if(TRIALDECK_SANITIZE MATCHES "undefined")
    # A null pointer that is used ends the program anyway, with its stack; checks of it are a fifth of the time to build.
    add_compile_options(-fno-sanitize-recover=undefined -fno-sanitize=null)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # Asked at each access to a member, another fifth. The clang build has them for the layers that read foreign bytes.
      add_compile_options(-fno-sanitize=alignment,vptr)
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
      # clang 14 cannot give a coroutine the signature that this check wants: "difference across sections".
      add_compile_options(-fno-sanitize=function)
    endif()
  endif()
endif()
if(TRIALDECK_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# What tests/run builds in the fuzz preset.
add_custom_target(fuzz_targets)

include_directories("${PROJECT_SOURCE_DIR}")

if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # gcc takes a source that another includes for a header, and warns of what its unnamed namespace holds.
  add_compile_options(-Wno-subobject-linkage)
endif()

# trialdeck_layer(base SOURCES a.cpp b.cpp [LINKS trialdeck::x ...] [PRIVATE_LINKS ...])
# A layer is a static library trialdeck::<name>; its LINKS are the layers it may include.
function(trialdeck_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINKS;PRIVATE_LINKS")
  string(REPLACE "::" "_" target "trialdeck_${name}")
  add_library(${target} STATIC ${arg_SOURCES})
  add_library(trialdeck::${name} ALIAS ${target})
  target_link_libraries(${target} PUBLIC ${arg_LINKS} PRIVATE ${arg_PRIVATE_LINKS})
endfunction()

# trialdeck_program(trialdeck-head SOURCES main.cpp LINKS ... [STATIC])
# STATIC links everything in, so that the program runs on any Linux of this processor.
# Sanitizer runtimes cannot be linked statically; such builds stay dynamic.
function(trialdeck_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "STATIC" "" "SOURCES;LINKS")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINKS})
  if(arg_STATIC AND NOT TRIALDECK_SANITIZE)
    target_link_options(${name} PRIVATE -static)
  endif()
endfunction()

# Gives a test the headers that all of its kind include, parsed once: two thirds of what compiling a small test costs.
# gcc passes over precompiled headers whose macros do not fit; that costs time and is no mistake.
set(CMAKE_CXX_COMPILE_OPTIONS_INVALID_PCH "")
function(trialdeck_use_precompiled_headers target)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  get_target_property(linked ${target} LINK_LIBRARIES)
  if(linked MATCHES "views|Qt6::(Gui|Widgets|Charts)")
    set(headers test_headers_widgets)
    set(links Qt6::Widgets Qt6::Test)
    set(list <QtTest> <QtWidgets> <map> <memory> <optional> <string> <vector>)
  else()
    set(headers test_headers)
    set(links Qt6::Test)
    set(list <QtTest> <chrono> <functional> <map> <memory> <optional> <string> <variant> <vector>)
  endif()
  if(NOT TARGET ${headers})
    add_library(${headers} OBJECT "${PROJECT_SOURCE_DIR}/tests/support/precompiled.cpp")
    target_link_libraries(${headers} PRIVATE ${links})
    target_compile_definitions(${headers} PRIVATE ${trialdeck_test_definitions})
    set_target_properties(${headers} PROPERTIES AUTOMOC OFF UNITY_BUILD OFF)
    target_precompile_headers(${headers} PRIVATE ${list})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${headers})
endfunction()
set(trialdeck_test_definitions
  TRIALDECK_SOURCE_DIR="${PROJECT_SOURCE_DIR}" TRIALDECK_BIN_DIR="${CMAKE_BINARY_DIR}/bin")

# Writes X.moc for each X.cpp that includes it. AUTOMOC would look through every source at each build and compile one
# more file for each test.
function(trialdeck_run_moc target)
  foreach(source ${ARGN})
    get_filename_component(name "${source}" NAME_WE)
    file(STRINGS "${source}" wanted REGEX "^#include \"${name}\\.moc\"")
    if(wanted)
      qt_generate_moc("${source}" "${CMAKE_CURRENT_BINARY_DIR}/${name}.moc" TARGET ${target})
      target_sources(${target} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/${name}.moc")
      target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
    endif()
  endforeach()
endfunction()

# trialdeck_test(files LAYER base SOURCES files_test.cpp LINKS trialdeck::base [LABELS integration] [TIMEOUT 60])
# One Qt Test program; its labels are its LAYER and, unless LABELS names others, unit.
# Tests run with an offscreen window system. The target tests_<LAYER> builds all of a layer's.
function(trialdeck_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LAYER;TIMEOUT" "SOURCES;LINKS;LABELS;ENVIRONMENT")
  if(NOT arg_LABELS)
    set(arg_LABELS unit)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  set(target "test_${arg_LAYER}_${name}")
  add_executable(${target} ${arg_SOURCES})
  if(NOT TARGET tests_${arg_LAYER})
    add_custom_target(tests_${arg_LAYER})
  endif()
  add_dependencies(tests_${arg_LAYER} ${target})
  set_target_properties(${target} PROPERTIES
    UNITY_BUILD OFF RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin/tests")
  trialdeck_run_moc(${target} ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE ${arg_LINKS} Qt6::Test)
  target_compile_definitions(${target} PRIVATE ${trialdeck_test_definitions})
  trialdeck_use_precompiled_headers(${target})
  add_test(NAME ${arg_LAYER}.${name} COMMAND ${target})
  set_tests_properties(${arg_LAYER}.${name} PROPERTIES
    LABELS "${arg_LAYER};${arg_LABELS}" TIMEOUT ${arg_TIMEOUT}
    ENVIRONMENT "QT_QPA_PLATFORM=offscreen;LC_ALL=C.UTF-8;UBSAN_OPTIONS=print_stacktrace=1;TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/support/tsan.supp:die_after_fork=0;LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/support/lsan.supp:print_suppressions=0;${arg_ENVIRONMENT}")
endfunction()

# trialdeck_fuzz(frames SOURCES frames.cpp LINKS trialdeck::protocol [MAX_LENGTH 4096])
# One libFuzzer program fuzz_<name>, only in the fuzz preset. Seeds lie in corpus/<name> beside the sources; what it finds
# new stays in the build tree. As a test it stops after TRIALDECK_FUZZ_SECONDS or TRIALDECK_FUZZ_RUNS, whichever is first.
set(TRIALDECK_FUZZ_SECONDS 10 CACHE STRING "How long the test of one fuzz target runs at most")
set(TRIALDECK_FUZZ_RUNS 200000 CACHE STRING "How many inputs the test of one fuzz target tries at most")
function(trialdeck_fuzz name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "MAX_LENGTH" "SOURCES;LINKS")
  if(NOT TRIALDECK_FUZZ)
    return()
  endif()
  if(NOT arg_MAX_LENGTH)
    set(arg_MAX_LENGTH 4096)
  endif()
  set(target "fuzz_${name}")
  set(seeds "${CMAKE_CURRENT_SOURCE_DIR}/corpus/${name}")
  set(found "${CMAKE_CURRENT_BINARY_DIR}/found/${name}")
  if(NOT IS_DIRECTORY "${seeds}")
    message(FATAL_ERROR "The fuzz target ${name} has no seeds in ${seeds}")
  endif()
  file(MAKE_DIRECTORY "${found}")
  add_executable(${target} ${arg_SOURCES})
  add_dependencies(fuzz_targets ${target})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin/fuzz")
  target_link_libraries(${target} PRIVATE ${arg_LINKS})
  target_link_options(${target} PRIVATE -fsanitize=fuzzer)
  math(EXPR patience "${TRIALDECK_FUZZ_SECONDS} + 120")
  add_test(NAME fuzz.${name} COMMAND ${target}
    -runs=${TRIALDECK_FUZZ_RUNS} -max_total_time=${TRIALDECK_FUZZ_SECONDS} -max_len=${arg_MAX_LENGTH} -timeout=10
    -rss_limit_mb=1024 -print_final_stats=1 -artifact_prefix=${found}/ ${found} ${seeds})
  set_tests_properties(fuzz.${name} PROPERTIES LABELS fuzz TIMEOUT ${patience}
    ENVIRONMENT "UBSAN_OPTIONS=print_stacktrace=1")
endfunction()

# trialdeck_benchmark(records SOURCES records_bench.cpp LINKS trialdeck::protocol)
# One google-benchmark program bench_<name>, built by the target benchmarks only; a test with the label benchmark.
function(trialdeck_benchmark name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "SOURCES;LINKS")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  set(target "bench_${name}")
  add_executable(${target} EXCLUDE_FROM_ALL ${arg_SOURCES})
  if(NOT TARGET benchmarks)
    add_custom_target(benchmarks)
  endif()
  add_dependencies(benchmarks ${target})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin/benchmarks")
  target_link_libraries(${target} PRIVATE ${arg_LINKS} benchmark::benchmark)
  add_test(NAME benchmark.${name} COMMAND ${target})
  set_tests_properties(benchmark.${name} PROPERTIES LABELS benchmark TIMEOUT ${arg_TIMEOUT})
endfunction()

# Writes what each target links to links.txt in the build folder, for the architecture tests.
function(trialdeck_collect_links directory result)
  get_property(targets DIRECTORY "${directory}" PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(linked ${target} LINK_LIBRARIES)
    if(linked)
      string(REGEX REPLACE "\\$<LINK_ONLY:([^>]*)>" "\\1" linked "${linked}")
      list(JOIN linked " " linked)
      string(APPEND ${result} "${target} ${linked}\n")
    endif()
  endforeach()
  get_property(below DIRECTORY "${directory}" PROPERTY SUBDIRECTORIES)
  foreach(subdirectory IN LISTS below)
    trialdeck_collect_links("${subdirectory}" ${result})
  endforeach()
  set(${result} "${${result}}" PARENT_SCOPE)
endfunction()
function(trialdeck_write_links)
  set(all_links "")
  trialdeck_collect_links("${PROJECT_SOURCE_DIR}" all_links)
  file(WRITE "${PROJECT_BINARY_DIR}/links.txt" "${all_links}")
endfunction()
cmake_language(DEFER CALL trialdeck_write_links)
