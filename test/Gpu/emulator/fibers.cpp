// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fibers.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <vector>

using namespace gpu;

// Stacks are kept: each block of a launch needs as many. Below each lies a page
// that cannot be touched, so that a stack that is too small is found.
static std::vector<char *> &freeStacks() {
  static std::vector<char *> Stacks;
  return Stacks;
}

static char *takeStack() {
  if (!freeStacks().empty()) {
    char *Stack = freeStacks().back();
    freeStacks().pop_back();
    return Stack;
  }
  constexpr size_t Guard = 4096;
  void *Memory = mmap(nullptr, Fiber::StackSize + Guard, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Memory == MAP_FAILED) {
    std::perror("stack of a thread");
    std::exit(3);
  }
  mprotect(Memory, Guard, PROT_NONE);
  return static_cast<char *>(Memory) + Guard;
}

Fiber::Fiber(std::function<void()> Body)
    : Body(std::move(Body)), Stack(takeStack()) {}

Fiber::~Fiber() { freeStacks().push_back(Stack); }

void Fiber::enter(unsigned High, unsigned Low) {
  auto *Self = reinterpret_cast<Fiber *>(uint64_t(High) << 32 | Low);
  Self->Body();
  Self->Ended = true;
  _longjmp(Self->Back, 1);
}

// Only the first entry needs a context; later ones are jumps, which make no
// system call.
void Fiber::resume() {
  if (_setjmp(Back))
    return;
  if (Started)
    _longjmp(Here, 1);
  Started = true;
  getcontext(&Begin);
  Begin.uc_stack.ss_sp = Stack;
  Begin.uc_stack.ss_size = StackSize;
  Begin.uc_link = nullptr;
  auto Self = reinterpret_cast<uint64_t>(this);
  makecontext(&Begin, reinterpret_cast<void (*)()>(&Fiber::enter), 2,
              static_cast<unsigned>(Self >> 32), static_cast<unsigned>(Self));
  setcontext(&Begin);
}

void Fiber::giveWay() {
  if (!_setjmp(Here))
    _longjmp(Back, 1);
}
