# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Two functions that store to a noalias argument at very many places; the
second has put its address where the loaded pointer may be it."""

for name, capture in ("kept", ""), ("captured", "  store ptr %v, ptr %box\n"):
    print(f"define double @{name}(ptr noalias %v, ptr %box) {{\n{capture}"
          "  %mass = load ptr, ptr %box\n"
          "  %m = load double, ptr %mass")
    for i in range(300):
        print(f"  %p{i} = getelementptr inbounds double, ptr %v, i64 {i}\n"
              f"  %a{i} = load double, ptr %p{i}\n"
              f"  %b{i} = fmul double %a{i}, %m\n"
              f"  store double %b{i}, ptr %p{i}")
    print(f"  ret double %m\n}}\n"
          f"define void @of_{name}(ptr %v, ptr %dv, ptr %b, ptr %db) {{\n"
          f"  call void (ptr, ...) @__enzyme_autodiff(ptr @{name}, ptr %v, ptr %dv, "
          "ptr %b, ptr %db)\n  ret void\n}")
print("declare void @__enzyme_autodiff(ptr, ...)")
