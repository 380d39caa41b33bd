# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   adze_layer(<Name> [DEPENDS <Layer>...] [EXCLUDE <file>...])
#
# Makes the static library Adze<Name> from every .cpp under the current folder.
# DEPENDS names the layers it may include from; they come along transitively.
# EXCLUDE leaves out files that belong to another target of the same folder.
# The declared order itself is checked by tools/lint/check_layers.py.

set(ADZE_PCH_HEADER "${CMAKE_CURRENT_LIST_DIR}/AdzePch.h")

# One precompiled header shared by all layers: they are compiled with the same
# flags, so building it once per layer would only cost time. Clang would write
# the time of day into it, and every rebuild of it would miss in ccache.
function(adze_pch_flags target)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_compile_options(${target} PRIVATE -Xclang -fno-pch-timestamp)
  endif()
endfunction()

function(adze_make_pch)
  file(GENERATE OUTPUT "${CMAKE_BINARY_DIR}/adze-pch.cpp"
    CONTENT "// Generated: carries the precompiled header of all layers.\n")
  add_library(adze-pch OBJECT "${CMAKE_BINARY_DIR}/adze-pch.cpp")
  target_link_libraries(adze-pch PRIVATE Adze::Flags)
  target_precompile_headers(adze-pch PRIVATE "${ADZE_PCH_HEADER}")
  adze_pch_flags(adze-pch)
endfunction()

function(adze_use_pch target)
  if(ADZE_PCH)
    target_precompile_headers(${target} REUSE_FROM adze-pch)
    adze_pch_flags(${target})
  endif()
endfunction()

function(adze_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS;EXCLUDE")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS
    "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  foreach(file ${arg_EXCLUDE})
    list(REMOVE_ITEM sources "${CMAKE_CURRENT_SOURCE_DIR}/${file}")
  endforeach()
  set(depends ${arg_DEPENDS})
  list(TRANSFORM depends PREPEND "Adze")
  if(sources)
    add_library(Adze${name} STATIC ${sources})
    target_link_libraries(Adze${name} PUBLIC Adze::Flags ${depends})
    target_include_directories(Adze${name} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
    adze_use_pch(Adze${name})
  else()
    add_library(Adze${name} INTERFACE)
    target_link_libraries(Adze${name} INTERFACE Adze::Flags ${depends})
  endif()
endfunction()

#   adze_embed_c(<Layer> <file>.c <Name> [<flag>...] [DEPENDS <header>...])
#
# Code that is added to programs is written in C. Clang of the same LLVM makes
# bitcode of it, which the layer carries as the array adze::<Name>.
function(adze_embed_c layer file name)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "" "DEPENDS")
  find_program(ADZE_RUNTIME_CLANG NAMES clang-19 clang
    HINTS "${LLVM_TOOLS_BINARY_DIR}" REQUIRED)
  set(source "${CMAKE_CURRENT_SOURCE_DIR}/${file}")
  set(made "${CMAKE_CURRENT_BINARY_DIR}/${name}")
  list(TRANSFORM arg_DEPENDS PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
  add_custom_command(OUTPUT "${made}.bc"
    COMMAND "${ADZE_RUNTIME_CLANG}" -c -emit-llvm -O1 -fPIC
      -fno-stack-protector -Wall -Wextra -Werror ${arg_UNPARSED_ARGUMENTS}
      "${source}" -o "${made}.bc"
    DEPENDS "${source}" ${arg_DEPENDS})
  add_custom_command(OUTPUT "${made}.cpp"
    COMMAND "${CMAKE_COMMAND}" "-DINPUT=${made}.bc" "-DOUTPUT=${made}.cpp"
      "-DNAME=${name}" -P "${PROJECT_SOURCE_DIR}/cmake/EmbedFile.cmake"
    DEPENDS "${made}.bc" "${PROJECT_SOURCE_DIR}/cmake/EmbedFile.cmake")
  target_sources(Adze${layer} PRIVATE "${made}.cpp")
  set_source_files_properties("${made}.cpp" PROPERTIES
    SKIP_PRECOMPILE_HEADERS ON)
endfunction()
