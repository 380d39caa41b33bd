!mod$ v1 sum:71848d780b1ba2a3
!need$ 554180c599dc39f3 i iso_c_binding
module arrays
use,intrinsic::iso_c_binding,only:c_associated
use,intrinsic::iso_c_binding,only:c_funloc
use,intrinsic::iso_c_binding,only:c_funptr
use,intrinsic::iso_c_binding,only:c_f_pointer
use,intrinsic::iso_c_binding,only:c_loc
use,intrinsic::iso_c_binding,only:c_null_funptr
use,intrinsic::iso_c_binding,only:c_null_ptr
use,intrinsic::iso_c_binding,only:c_ptr
use,intrinsic::iso_c_binding,only:c_sizeof
use,intrinsic::iso_c_binding,only:operator(==)
use,intrinsic::iso_c_binding,only:operator(/=)
use,intrinsic::iso_c_binding,only:c_int8_t
use,intrinsic::iso_c_binding,only:c_int16_t
use,intrinsic::iso_c_binding,only:c_int32_t
use,intrinsic::iso_c_binding,only:c_int64_t
use,intrinsic::iso_c_binding,only:c_int128_t
use,intrinsic::iso_c_binding,only:c_int
use,intrinsic::iso_c_binding,only:c_short
use,intrinsic::iso_c_binding,only:c_long
use,intrinsic::iso_c_binding,only:c_long_long
use,intrinsic::iso_c_binding,only:c_signed_char
use,intrinsic::iso_c_binding,only:c_size_t
use,intrinsic::iso_c_binding,only:c_intmax_t
use,intrinsic::iso_c_binding,only:c_intptr_t
use,intrinsic::iso_c_binding,only:c_ptrdiff_t
use,intrinsic::iso_c_binding,only:c_int_least8_t
use,intrinsic::iso_c_binding,only:c_int_fast8_t
use,intrinsic::iso_c_binding,only:c_int_least16_t
use,intrinsic::iso_c_binding,only:c_int_fast16_t
use,intrinsic::iso_c_binding,only:c_int_least32_t
use,intrinsic::iso_c_binding,only:c_int_fast32_t
use,intrinsic::iso_c_binding,only:c_int_least64_t
use,intrinsic::iso_c_binding,only:c_int_fast64_t
use,intrinsic::iso_c_binding,only:c_int_least128_t
use,intrinsic::iso_c_binding,only:c_int_fast128_t
use,intrinsic::iso_c_binding,only:c_float
use,intrinsic::iso_c_binding,only:c_double
use,intrinsic::iso_c_binding,only:c_long_double
use,intrinsic::iso_c_binding,only:c_float_complex
use,intrinsic::iso_c_binding,only:c_double_complex
use,intrinsic::iso_c_binding,only:c_long_double_complex
use,intrinsic::iso_c_binding,only:c_bool
use,intrinsic::iso_c_binding,only:c_char
use,intrinsic::iso_c_binding,only:c_null_char
use,intrinsic::iso_c_binding,only:c_alert
use,intrinsic::iso_c_binding,only:c_backspace
use,intrinsic::iso_c_binding,only:c_form_feed
use,intrinsic::iso_c_binding,only:c_new_line
use,intrinsic::iso_c_binding,only:c_carriage_return
use,intrinsic::iso_c_binding,only:c_horizontal_tab
use,intrinsic::iso_c_binding,only:c_vertical_tab
use,intrinsic::iso_c_binding,only:c_float128
use,intrinsic::iso_c_binding,only:c_float128_complex
use,intrinsic::iso_c_binding,only:c_f_procpointer
integer(4),parameter::m=3_4
contains
function products(x,n) bind(c) result(s)
real(8),intent(in)::x(1_8:3_8,1_8:3_8)
integer(4),value::n
real(8)::s
end
function sections(x,n) bind(c) result(s)
real(8),intent(in)::x(1_8:3_8,1_8:3_8)
integer(4),value::n
real(8)::s
end
function shapes(x,n) bind(c) result(s)
integer(4),value::n
real(8),intent(in)::x(1_8:int(n,kind=8))
real(8)::s
end
function sums(x,n) bind(c) result(s)
integer(4),value::n
real(8),intent(in)::x(1_8:int(n,kind=8))
real(8)::s
end
function turned(x,n) bind(c) result(s)
real(8),intent(in)::x(1_8:3_8,1_8:3_8)
integer(4),value::n
real(8)::s
end
function allocated(x,n) bind(c) result(s)
real(8),intent(in)::x(1_8:3_8,1_8:3_8)
integer(4),value::n
real(8)::s
end
function singles(x,n) bind(c) result(s)
real(8),intent(in)::x(1_8:3_8,1_8:3_8)
integer(4),value::n
real(8)::s
end
function pairs(x,n) bind(c) result(s)
integer(4),value::n
real(8),intent(in)::x(1_8:int(n,kind=8))
real(8)::s
end
end
