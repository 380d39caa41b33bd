// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What memory holds, by the type of its elements.
#ifndef ADZE_GPU_CONTENTS_HPP
#define ADZE_GPU_CONTENTS_HPP

#include <type_traits>

namespace adze::gpu {

/// What kernels take the elements of a block for.
enum contains : unsigned {
  numbers = 1,
  floats = 2,
  doubles = 4,
  others = 8,
  unknown = 16
};

/// What memory of elements T holds (contains). A structure that holds no
/// pointers may have a specialization.
template <class T> struct contents {
  static constexpr unsigned value =
      std::is_same_v<T, float>                       ? floats
      : std::is_same_v<T, double>                    ? doubles
      : std::is_floating_point_v<T>                  ? others
      : std::is_arithmetic_v<T> || std::is_enum_v<T> ? numbers
                                                     : unknown;
};
template <unsigned What> struct contents_are {
  static constexpr unsigned value = What;
};
template <> struct contents<void> : contents_are<0> {};
#if defined(__VECTOR_TYPES_H__) ||                                             \
    defined(HIP_INCLUDE_HIP_AMD_DETAIL_HIP_VECTOR_TYPES_H)
template <> struct contents<float2> : contents_are<floats> {};
template <> struct contents<float3> : contents_are<floats> {};
template <> struct contents<float4> : contents_are<floats> {};
template <> struct contents<double2> : contents_are<doubles> {};
template <> struct contents<double3> : contents_are<doubles> {};
#endif

} // namespace adze::gpu
#endif
