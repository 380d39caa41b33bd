# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What tools/test, tools/sanitize and tools/quickstart share; sourced by them, from
# any folder.
#   need_packages PACKAGE...   install with apt what is missing
#   configure_build            configure build/ unless that is done
#   part NAME COMMAND...       run and count a part of a test, if PARTS is empty or has it
#   summarize                  what the parts came to; the status is that of the test
# ROOT and BUILD are set here.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
BUILD=${ADZE_BUILD_DIR:-$ROOT/build}

# To build the plugin, and to use it.
BUILD_PACKAGES=(clang-19 libclang-rt-19-dev libclang-19-dev llvm-19-dev
  llvm-19-tools lld-19 cmake ninja-build ccache python3)
# To test it.
TEST_PACKAGES=(libgtest-dev clang-format-19 clang-tidy-19 binutils git libc++-19-dev libomp-19-dev
  libopenmpi-dev openmpi-bin libmpich-dev mpich flang-19)

say() { printf '== %s\n' "$*"; }

need_packages() {
  local missing=() package
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    missing_programs_without_apt "$@"
    return
  fi
  for package in "$@"; do
    if [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" != installed ]; then
      missing+=("$package")
    fi
  done
  [ ${#missing[@]} -eq 0 ] && return
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "error: these packages are missing, and there is neither root nor sudo:" >&2
      echo "  apt-get install ${missing[*]}" >&2
      exit 1
    fi
    as_root=(sudo)
  fi
  say "installing with${as_root[0]:+ sudo} apt-get: ${missing[*]}"
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -y)
  # The lists of a fresh machine are empty or old: get them when needed only.
  if ! "${apt[@]}" install --no-install-recommends "${missing[@]}" >/dev/null 2>&1; then
    "${apt[@]}" update
    if ! "${apt[@]}" install --no-install-recommends "${missing[@]}" >/dev/null; then
      echo "error: apt-get could not install: ${missing[*]}" >&2
      echo "LLVM 19 is in Debian 12 and later and in Ubuntu 24.10 and later;" >&2
      echo "for other releases see https://apt.llvm.org" >&2
      exit 1
    fi
  fi
}

# Without apt nothing is installed: the programs must be there.
missing_programs_without_apt() {
  local missing=() program
  for program in clang-19 llvm-config-19 cmake ninja python3; do
    command -v "$program" >/dev/null || missing+=("$program")
  done
  [ ${#missing[@]} -eq 0 ] && return
  echo "error: this system has no apt-get, and these programs are missing:" >&2
  echo "  ${missing[*]}" >&2
  echo "Install LLVM 19 with clang, its development files and lld, and CMake," >&2
  echo "Ninja, Python 3 (optional: ccache, GoogleTest, clang-format 19," >&2
  echo "clang-tidy 19). The Debian packages are:" >&2
  echo "  $*" >&2
  exit 1
}

# The compiler is clang 19 unless the caller says otherwise; a build folder
# keeps the compiler that it was made with.
configure_build() {
  if [ ! -e "$BUILD/CMakeCache.txt" ]; then
    export CC=${CC:-clang-19} CXX=${CXX:-clang++-19}
  fi
  cmake -S "$ROOT" -B "$BUILD" -G Ninja "$@" >"$BUILD.log" 2>&1 || {
    cat "$BUILD.log"
    echo "error: configuring failed" >&2
    exit 1
  }
  mv "$BUILD.log" "$BUILD/configure.log"
}

PARTS=()
passed=0 failed=0 skipped=0
summary=()

# count NAME PASSED FAILED SKIPPED SECONDS
count() {
  passed=$((passed + $2)) failed=$((failed + $3)) skipped=$((skipped + $4))
  summary+=("$(printf '%-12s %5d passed %5d failed %5d skipped %5d s' "$@")")
}

wanted() {
  [ ${#PARTS[@]} -eq 0 ] && return 0
  local part
  for part in "${PARTS[@]}"; do [ "$part" = "$1" ] && return 0; done
  return 1
}

# part NAME COMMAND...: runs a part. What it ran is read from the last line of
# its output that says `N passed, M failed, K skipped`. A part that ends with
# an error and counts none as failed, or that counts nothing, failed itself.
part() {
  local name=$1 log="$BUILD/test-$1.log" start=$SECONDS status counts
  shift
  wanted "$name" || return 0
  say "$name"
  "$@" 2>&1 | tee "$log"
  status=${PIPESTATUS[0]}
  counts=$(sed -n 's/^.*\b\([0-9][0-9]*\) passed, \([0-9][0-9]*\) failed, \([0-9][0-9]*\) skipped.*$/\1 \2 \3/p' "$log" | tail -1)
  read -r p f s <<<"${counts:-0 0 0}"
  if [ "$f" -eq 0 ] && { [ "$status" -ne 0 ] || [ "$p" -eq 0 ]; }; then
    echo "$name: ended with status $status after $p passed"
    f=1
  fi
  count "$name" "$p" "$f" "$s" $((SECONDS - start))
}

summarize() {
  say "summary"
  printf '%s\n' "${summary[@]}"
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
