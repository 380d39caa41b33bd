# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Finds LLVM 19 and fixes how every file of the project is compiled:
#   Adze::Flags   interface target with language level, warnings and includes
#   Adze::LLVM    libLLVM-19.so, for programs (the plugin takes LLVM's symbols
#                 from the program that loads it, so it must not link this)

# LLVM counts a request as met only when major and minor version are equal.
find_package(LLVM 19.1 REQUIRED CONFIG
  HINTS /usr/lib/llvm-19/lib/cmake/llvm /opt/homebrew/opt/llvm@19/lib/cmake/llvm)
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_INSTALL_PREFIX}")
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# A layer's objects need not wait for the layers below to be archived.
set(CMAKE_OPTIMIZE_DEPENDENCIES ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

# ccache refuses to cache a compilation with a precompiled header unless told
# that defines and time macros in it are of no concern. The setting travels on
# the command line so that it does not depend on the user's configuration.
if(ADZE_CCACHE)
  find_program(ADZE_CCACHE_PROGRAM ccache)
  if(ADZE_CCACHE_PROGRAM AND (NOT CMAKE_CXX_COMPILER_LAUNCHER
      OR CMAKE_CXX_COMPILER_LAUNCHER MATCHES "(^|/)ccache$"))
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env
      "CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime"
      "${ADZE_CCACHE_PROGRAM}")
    set(CMAKE_C_COMPILER_LAUNCHER "${ADZE_CCACHE_PROGRAM}")
  endif()
endif()

add_library(adze-flags INTERFACE)
add_library(Adze::Flags ALIAS adze-flags)
target_include_directories(adze-flags INTERFACE
  "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/lib")
target_include_directories(adze-flags SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
separate_arguments(adze_llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(adze-flags INTERFACE ${adze_llvm_definitions}
  ADZE_VERSION="${PROJECT_VERSION}")
# Tables of rules and known functions leave trailing fields to their defaults,
# and callbacks of LLVM's interfaces have parameters that one override needs
# and another does not: those two warnings would only teach noise.
target_compile_options(adze-flags INTERFACE
  -fno-exceptions -fno-rtti
  -Wall -Wextra -Wpedantic
  -Wno-unused-parameter -Wno-missing-field-initializers
  -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough
  $<$<BOOL:${ADZE_WERROR}>:-Werror>
  $<$<CXX_COMPILER_ID:Clang,AppleClang>:-Wextra-semi>
  # GCC's flow-based guess is wrong on APInt and SmallVector.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized -Wno-dangling-pointer
    -Wno-array-bounds -Wno-stringop-overflow>)

add_library(adze-llvm INTERFACE)
add_library(Adze::LLVM ALIAS adze-llvm)
if(TARGET LLVM)
  target_link_libraries(adze-llvm INTERFACE LLVM)
else()
  llvm_map_components_to_libnames(adze_llvm_libs all)
  target_link_libraries(adze-llvm INTERFACE ${adze_llvm_libs})
endif()
