// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The markers as templates. Operands are numbers and `void *`, so that no type
// without linkage (a lambda's) becomes part of a marker's name.
#ifndef ADZE_CPP_MARKERS_HPP
#define ADZE_CPP_MARKERS_HPP

#include "adze/adze.h"

#include <type_traits>

/// At -O0, too, the functions around a marker become part of their caller, in
/// which the function to differentiate is known.
#define ADZE_INLINE __attribute__((always_inline)) inline

namespace adze::detail {

template <class Result, class... Operands>
ADZE_MARKER Result __enzyme_autodiff_of(void *, Operands...);
template <class Result, class... Operands>
ADZE_MARKER Result __enzyme_fwddiff_of(void *, Operands...);
template <class Result, class... Operands>
ADZE_MARKER Result __enzyme_augmentfwd_of(void *, Operands...);
template <class Result, class... Operands>
ADZE_MARKER Result __enzyme_reverse_of(void *, Operands...);

/// Several results of a marker, in order.
template <class T> struct two_results {
  T first, second;
};

/// The address of a tag, data or function as markers take it.
template <class T> ADZE_INLINE void *operand_of(T *p) {
  if constexpr (std::is_function_v<T>)
    return reinterpret_cast<void *>(p);
  else
    return const_cast<void *>(static_cast<const volatile void *>(p));
}

} // namespace adze::detail
#endif
