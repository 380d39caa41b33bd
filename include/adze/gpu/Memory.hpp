// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the memory of a device held when.
//
// A launch is reversed by a kernel that runs the primal once more, and goes
// back through it. For that, what the launch read must be there again. So each
// allocation has a number of contents, one for each time that something wrote
// to it. Before a write, the content is copied if the reverse pass will read
// it; a content that nothing overwrites is never copied.
//
//   copy x from the host     x: content 1
//   k(x -> y)                reads 1 of x          y: content 1
//   k(y -> x)                reads 1 of y          x: 2, and 1 is copied
//
// At the end of the reverse pass the memory holds again what the primal left.
// All is of a thread: threads that write one allocation at a time are no
// program that could be reversed.
#ifndef ADZE_GPU_MEMORY_HPP
#define ADZE_GPU_MEMORY_HPP

#include "adze/gpu/Api.hpp"
#include "adze/gpu/Contents.hpp"
#include "adze/gpu/Shadows.h"

namespace adze::gpu {

struct content {
  content *next;      // of all
  char *copy;         // null as long as nothing had to be copied
  unsigned long uses; // by what is not reversed yet
};

/// An allocation of a device, or one of its variables.
struct block {
  block *next;
  char *begin;
  size_t bytes;
  content *now, *last; // it holds; the primal leaves (the reverse pass began)
  unsigned holds;      // contains
  bool managed;
  const void *variable = nullptr; // by which the host names it
  content *first = nullptr;       // of a variable: what it held at the begin
};

class memory {
public:
  static memory &of_thread() {
    static thread_local memory all;
    return all;
  }

  /// The block that \p pointer leads into; null if it is none of a device.
  block *find(const void *pointer) {
    char *begin = nullptr;
    size_t bytes = 0;
    if (!pointer || !is_device(pointer))
      return nullptr;
    if (block *variable = find_variable(pointer))
      return variable;
    if (!range_of(pointer, begin, bytes))
      stop(who, "the driver does not say where memory of the device begins");
    block **at = &blocks;
    while (*at && (*at)->begin != begin)
      at = &(*at)->next;
    if (!*at) {
      *at = allocate<block>();
      **at = {nullptr,
              begin,
              bytes,
              create(),
              nullptr,
              0,
              owner_of(begin) == memory_of::both};
      if (turned)
        leave(**at);
    } else if ((*at)->bytes != bytes) {
      stop(who, "memory of a device was freed and allocated again while a "
                "derivative may read it");
    }
    return *at;
  }

  /// That of a variable of the device.
  block &of_variable(const void *variable) {
    for (block *b = blocks; b; b = b->next)
      if (b->variable == variable)
        return *b;
    void *begin = nullptr;
    size_t bytes = 0;
    check(ADZE_GPU(GetSymbolAddress)(&begin, variable), who);
    check(ADZE_GPU(GetSymbolSize)(&bytes, variable), who);
    block *b = allocate<block>();
    const symbol *given = symbol::of(variable);
    *b = {blocks,
          static_cast<char *>(begin),
          bytes,
          create(),
          nullptr,
          given && given->holds != unknown ? given->holds : 0,
          owner_of(begin) == memory_of::both,
          variable};
    // Launches before may have read it: they did not know.
    b->first = b->now;
    b->first->uses += pending > 1;
    blocks = b;
    if (turned)
      leave(*b);
    return *b;
  }

  /// Calls \p f with each variable that is known.
  template <class F> void for_each_variable(F f) {
    for (block *b = blocks; b; b = b->next)
      if (b->variable)
        f(*b);
  }

  /// Something of the first pass begins, in stream \p in.
  void forward(stream in, const char *name) {
    who = name;
    if (pending++ == 0)
      for (const symbol *s = symbol::first(); s; s = s->next)
        of_variable(s->variable);
    if (streams == 0) {
      first = in;
      streams = 1;
    } else if (streams == 1 && in != first) {
      streams = 2;
      synchronize(who);
    }
    current = in;
  }

  /// It will be read where the reverse pass comes by.
  content *read(block &b) {
    if (b.managed) // code of the host may have written it
      b.now = create();
    ++b.now->uses;
    if (b.managed)
      save(b);
    return b.now;
  }

  /// It gets another content.
  content *write(block &b) {
    save(b);
    b.now = create();
    if (turned) {
      drop(b.last);
      leave(b);
    }
    return b.now;
  }

  /// The reverse of something begins.
  void reverse(const char *name) {
    who = name;
    current = in_order();
    if (turned)
      return;
    turned = true;
    synchronize(who);
    for (block *b = blocks; b; b = b->next)
      leave(*b);
  }

  /// \p b holds \p c again.
  void restore(block &b, content *c) {
    if (b.now == c && !b.managed)
      return;
    if (b.now != c)
      save(b);
    if (!c->copy)
      stop(who, "what a kernel read is lost: memory of the device was written "
                "by something that is not differentiated");
    check(ADZE_GPU(MemcpyAsync)(b.begin, c->copy, b.bytes,
                                ADZE_GPU(MemcpyDeviceToDevice), current),
          who);
    b.now = c;
  }

  /// \p b is going to get \p c by running the primal again.
  void rewrite(block &b, content *c) {
    if (b.now != c)
      save(b);
    b.now = c;
  }

  void drop(content *c) {
    if (--c->uses == 0 && c->copy) {
      check(ADZE_GPU(Free)(c->copy), who);
      c->copy = nullptr;
    }
  }

  /// What forward() began is reversed. With the last one, all ends.
  void end() {
    if (--pending != 0)
      return;
    for (block *b = blocks; b; b = b->next)
      restore(*b, b->last);
    synchronize(who);
    while (block *b = blocks) {
      blocks = b->next;
      free(b);
    }
    while (content *c = contents) {
      contents = c->next;
      if (c->copy)
        check(ADZE_GPU(Free)(c->copy), who);
      free(c);
    }
    turned = false;
    streams = 0;
  }

private:
  block *find_variable(const void *pointer) {
    auto *at = static_cast<const char *>(pointer);
    for (block *b = blocks; b; b = b->next)
      if (b->variable && at >= b->begin && at < b->begin + b->bytes)
        return b;
    return nullptr;
  }

  /// This is what the primal leaves in \p b.
  void leave(block &b) { b.last = read(b); }

  template <class T> T *allocate() {
    void *made = malloc(sizeof(T));
    if (!made)
      stop(who, "no memory");
    return static_cast<T *>(made);
  }

  content *create() {
    content *c = allocate<content>();
    *c = {contents, nullptr, 0};
    return contents = c;
  }

  /// Before what \p b holds is overwritten.
  void save(block &b) {
    content &c = *b.now;
    if (c.uses == 0 || c.copy)
      return;
    const bool apart = streams > 1 && !turned;
    if (apart)
      synchronize(who);
    check(ADZE_GPU(Malloc)(reinterpret_cast<void **>(&c.copy), b.bytes), who);
    check(ADZE_GPU(MemcpyAsync)(c.copy, b.begin, b.bytes,
                                ADZE_GPU(MemcpyDeviceToDevice), current),
          who);
    if (apart)
      synchronize(who);
  }

  block *blocks = nullptr;
  content *contents = nullptr;
  const char *who = "";
  stream first = nullptr, current = nullptr; // of the first pass; of this call
  int streams = 0;                           // none, one, several
  unsigned long pending = 0;
  bool turned = false; // some of it is reversed
};

} // namespace adze::gpu
#endif
