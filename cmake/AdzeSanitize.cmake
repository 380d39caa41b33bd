# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# With ADZE_SANITIZE: code, tools and tests under AddressSanitizer and
# UndefinedBehaviorSanitizer, with the assertions of LLVM's headers. Sets
#   ADZE_SANITIZE_RUNTIME   the library that a program which loads the plugin
#                           must have loaded before (LD_PRELOAD); else empty

set(ADZE_SANITIZE_RUNTIME "")
if(ADZE_SANITIZE)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "ADZE_SANITIZE needs clang")
  endif()
  # LLVM has no type information at run time, which vptr and function need.
  add_compile_options(-O1 -g1 -UNDEBUG -fno-omit-frame-pointer
    -fsanitize=address,undefined -fno-sanitize=vptr,function
    -fno-sanitize-recover=all -shared-libasan)
  execute_process(
    COMMAND "${CMAKE_CXX_COMPILER}" -print-file-name=libclang_rt.asan-${CMAKE_SYSTEM_PROCESSOR}.so
    OUTPUT_VARIABLE ADZE_SANITIZE_RUNTIME OUTPUT_STRIP_TRAILING_WHITESPACE)
  cmake_path(GET ADZE_SANITIZE_RUNTIME PARENT_PATH adze_sanitize_folder)
  add_link_options(-fsanitize=address,undefined -shared-libasan
    "-Wl,-rpath,${adze_sanitize_folder}")
endif()
