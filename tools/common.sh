# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What tools/test and tools/quickstart share; sourced by them, from any folder.
#   need_packages PACKAGE...   install with apt what is missing
#   configure_build            configure build/ unless that is done
# ROOT and BUILD are set here.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
BUILD=${ADZE_BUILD_DIR:-$ROOT/build}

# To build the plugin, and to use it.
BUILD_PACKAGES=(clang-19 libclang-rt-19-dev libclang-19-dev llvm-19-dev
  llvm-19-tools lld-19 cmake ninja-build ccache python3)
# To test it.
TEST_PACKAGES=(libgtest-dev clang-format-19 clang-tidy-19 binutils git)

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
