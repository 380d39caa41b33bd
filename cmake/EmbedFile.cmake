# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   cmake -DINPUT=file -DOUTPUT=file.cpp -DNAME=Name -P EmbedFile.cmake
#
# Writes the bytes of a file as the array adze::Name, with adze::NameSize.
file(READ "${INPUT}" bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE "${OUTPUT}" "// Generated from a file.
namespace adze {
extern const unsigned char ${NAME}[];
extern const unsigned long ${NAME}Size;
const unsigned char ${NAME}[] = {
${bytes}
};
const unsigned long ${NAME}Size = sizeof(${NAME});
} // namespace adze
")
