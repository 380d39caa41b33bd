// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes that belong to no member, and members of empty classes, hold anything.
// RUN: %import-c++ -O0 | FileCheck %s
template <class R, class... A> R __enzyme_autodiff(void *, A...);
double marked(double);
double uses(double x) { return __enzyme_autodiff<double>((void *)marked, x); }

// CHECK-DAG: !{!"struct.Gap", i64 16, !"{[0]:Integer?, [1]:Anything(7), [8]:Float@double?}"}
struct Gap { char c; double d; };
// CHECK-DAG: !{!"struct.Tail", i64 16, !"{[0]:Float@double?, [8]:Integer?, [9]:Anything(7)}"}
struct Tail { double d; char c; };
// CHECK-DAG: !{!"struct.Bits", i64 16, !"{[0]:Integer(2)?, [2]:Anything(6), [8]:Float@double?}"}
struct Bits { unsigned a : 3; unsigned b : 12; double d; };
// CHECK-DAG: !{!"struct.Nested", i64 40, !"{[0]:Integer?, [1]:Anything(7), [8]:Float@double?, [16]:Integer?, [17]:Anything(7), [24]:Float@double?, [32]:Integer?, [33]:Anything(7)}"}
struct Nested { Gap g; char c; Tail t; };
// CHECK-DAG: !{!"struct.Table", i64 32, !"{[0]:Pointer?, [8]:Integer?, [9]:Anything(7), [16]:Float@x86_fp80?}"}
struct Table { virtual void f() {} char c; long double l; };
// CHECK-DAG: !{!"struct.Packed", i64 9, !"{[0]:Integer?, [1]:Float@double?}"}
struct __attribute__((packed)) Packed { char c; double d; };

// What is not POD lends its tail to a derived class, unless none can be. As a
// member it is complete.
// CHECK-DAG: !{!"struct.Lends", i64 16, !"{[0]:Float@double?, [8]:Integer?}"}
struct Lends { Lends() {} double d; char c; };
// CHECK-DAG: !{!"struct.Borrows", i64 16, !"{[0]:Float@double?, [8]:Integer?, [9]:Integer?}"}
struct Borrows : Lends { char own; };
// CHECK-DAG: !{!"struct.Last", i64 16, !"{[0]:Float@double?, [8]:Integer?, [9]:Anything(7)}"}
struct Last final { Last() {} double d; char c; };
// CHECK-DAG: !{!"struct.Lent", i64 24, !"{[0]:Float@double?, [8]:Integer?, [9]:Anything(7), [16]:Integer?}"}
struct Lent { Lends l; char c; };
// CHECK-DAG: !{!"struct.Shares", i64 16, !"{[0]:Float@double?, [8]:Integer?, [9]:Integer?}"}
struct Shares { Shares() {} [[no_unique_address]] Lends l; char own; };

// Empty classes have a byte of their own as members, mostly.
struct Empty {};
// CHECK-DAG: !{!"struct.EmptyMembers", i64 16, !"{[0]:Pointer? -> {[0]:Float@double?}, [8]:Anything(8)}"}
struct EmptyMembers { double *p; Empty a, b; };
// CHECK-DAG: !{!"struct.NoPlace", i64 8, !"{[0]:Float@double?}"}
struct NoPlace { [[no_unique_address]] Empty e; double d; };
// CHECK-DAG: !{!"struct.OnEmpty", i64 8, !"{[0]:Float@double?}"}
struct OnEmpty : Empty { double d; };

// Where a virtual base lies depends on the complete object: of the class that
// has one (bytes 9 to 15) nothing is said, of the base in it all.
// CHECK-DAG: !{!"struct.Virtual", i64 40, !"{[0]:Pointer?, [8]:Integer?, [16]:Float@double?, [24]:Float@double?, [32]:Integer?, [33]:Anything(7)}"}
struct Virtual : virtual Tail { char c; double e; };
// Of a union nothing is said; a flexible array begins where padding would.
// CHECK-DAG: !{!"struct.HasUnion", i64 16, !"{[8]:Integer?, [9]:Anything(7)}"}
union U { char c; double d; };
struct HasUnion { U u; char c; };
// CHECK-DAG: !{!"struct.Flexible", i64 8, !"{[0]:Integer(4)?, [4]:Integer?}"}
struct Flexible { int n; char more; char rest[]; };

double objects(Flexible *flexible) {
  Gap a{}; Tail b{}; Bits c{}; Nested d{}; Table e; Packed f{};
  Lends g; Borrows h; Last i; Lent j; Shares k;
  EmptyMembers l{}; NoPlace m{}; OnEmpty n{}; Virtual o; HasUnion p{};
  return a.d + b.d + c.d + d.c + e.l + f.d + g.d + h.own + i.d + j.c + k.own + *l.p + m.d + n.d + o.e + p.c + flexible->more;
}
