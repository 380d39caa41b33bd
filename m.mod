!mod$ v1 sum:1b1d5023dd4a8511
module m
contains
subroutine mm(a,b,c,n)
integer(4),intent(in)::n
real(8)::a(1_8:int(n,kind=8),1_8:int(n,kind=8))
real(8)::b(1_8:int(n,kind=8),1_8:int(n,kind=8))
real(8)::c(1_8:int(n,kind=8),1_8:int(n,kind=8))
end
function dist(x,y,n)
integer(4),intent(in)::n
real(8),intent(in)::x(1_8:int(n,kind=8))
real(8),intent(in)::y(1_8:int(n,kind=8))
real(8)::dist
end
end
