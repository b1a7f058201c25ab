"""What compiled code needs of Numba's runtime, as LLVM code for a 32-bit memory: arrays that rules make, and how many
hold each; other shapes of arrays that are dense in memory, as `ravel` makes (of others there are none here). Memory
comes in powers of two from one stretch that the page hands over, and is kept in lists once free."""

from __future__ import annotations

import re

HEAP = "boardwright_heap"  # i64[2]: where free memory begins, and where it ends

# An owner's record takes the 64 bytes before the data: how many hold it (i32), its power of two (i32), the next free.
RUNTIME = f"""
@{HEAP} = linkonce_odr global [2 x i64] zeroinitializer
@boardwright_free = linkonce_odr global [32 x ptr] zeroinitializer
declare i32 @llvm.ctlz.i32(i32, i1)
declare double @llvm.sqrt.f64(double)
declare float @llvm.sqrt.f32(float)

define double @sqrt(double %x) alwaysinline nobuiltin {{
  %r = call double @llvm.sqrt.f64(double %x)
  ret double %r
}}
define float @sqrtf(float %x) alwaysinline nobuiltin {{
  %r = call float @llvm.sqrt.f32(float %x)
  ret float %r
}}
define ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) noinline {{
  %large = icmp ugt i64 %size, 1073741760
  br i1 %large, label %nothing, label %small
small:
  %bytes = trunc i64 %size to i32
  %whole = add i32 %bytes, 63
  %zeros = call i32 @llvm.ctlz.i32(i32 %whole, i1 false)
  %power = sub i32 32, %zeros
  %list = getelementptr [32 x ptr], ptr @boardwright_free, i32 0, i32 %power
  %head = load ptr, ptr %list
  %none = icmp eq ptr %head, null
  br i1 %none, label %fresh, label %again
again:
  %nextp = getelementptr i8, ptr %head, i32 8
  %next = load ptr, ptr %nextp
  store ptr %next, ptr %list
  br label %out
fresh:
  %room32 = shl i32 1, %power
  %room = zext i32 %room32 to i64
  %top = load i64, ptr @{HEAP}
  %newtop = add i64 %top, %room
  %endp = getelementptr [2 x i64], ptr @{HEAP}, i32 0, i32 1
  %end = load i64, ptr %endp
  %full = icmp ugt i64 %newtop, %end
  br i1 %full, label %nothing, label %cut
cut:
  store i64 %newtop, ptr @{HEAP}
  %made = inttoptr i64 %top to ptr
  %powerp = getelementptr i8, ptr %made, i32 4
  store i32 %power, ptr %powerp
  br label %out
out:
  %p = phi ptr [ %head, %again ], [ %made, %cut ]
  store i32 1, ptr %p
  ret ptr %p
nothing:
  ret ptr null
}}
define ptr @NRT_MemInfo_data_fast(ptr %p) alwaysinline {{
  %d = getelementptr i8, ptr %p, i32 64
  ret ptr %d
}}
define void @NRT_incref(ptr %p) alwaysinline {{
  %z = icmp eq ptr %p, null
  br i1 %z, label %end, label %go
go:
  %n = load i32, ptr %p
  %m = add i32 %n, 1
  store i32 %m, ptr %p
  br label %end
end:
  ret void
}}
define void @NRT_decref(ptr %p) alwaysinline {{
  %z = icmp eq ptr %p, null
  br i1 %z, label %end, label %go
go:
  %n = load i32, ptr %p
  %m = sub i32 %n, 1
  store i32 %m, ptr %p
  %dead = icmp eq i32 %m, 0
  br i1 %dead, label %free, label %end
free:
  %powerp = getelementptr i8, ptr %p, i32 4
  %power = load i32, ptr %powerp
  %list = getelementptr [32 x ptr], ptr @boardwright_free, i32 0, i32 %power
  %head = load ptr, ptr %list
  %np = getelementptr i8, ptr %p, i32 8
  store ptr %head, ptr %np
  store ptr %p, ptr %list
  br label %end
end:
  ret void
}}
define i32 @numba_attempt_nocopy_reshape(i64 %nd, ptr %dims, ptr %strides, i64 %newnd, ptr %newdims,
    ptr %newstrides, i64 %itemsize, i32 %fortran) noinline {{
  %other = icmp ne i32 %fortran, 0
  br i1 %other, label %no, label %check
check:
  %k = phi i64 [ %nd, %0 ], [ %j, %next ]
  %width = phi i64 [ %itemsize, %0 ], [ %wider, %next ]
  %checked = icmp eq i64 %k, 0
  br i1 %checked, label %write, label %one
one:
  %j = sub i64 %k, 1
  %dimp = getelementptr i64, ptr %dims, i64 %j
  %dim = load i64, ptr %dimp
  %stridep = getelementptr i64, ptr %strides, i64 %j
  %stride = load i64, ptr %stridep
  %dense = icmp eq i64 %stride, %width
  %unit = icmp eq i64 %dim, 1
  %fine = or i1 %dense, %unit
  br i1 %fine, label %next, label %no
next:
  %wider = mul i64 %width, %dim
  br label %check
write:
  %m = phi i64 [ %newnd, %check ], [ %i, %put ]
  %step = phi i64 [ %itemsize, %check ], [ %longer, %put ]
  %written = icmp eq i64 %m, 0
  br i1 %written, label %yes, label %put
put:
  %i = sub i64 %m, 1
  %newstridep = getelementptr i64, ptr %newstrides, i64 %i
  store i64 %step, ptr %newstridep
  %newdimp = getelementptr i64, ptr %newdims, i64 %i
  %newdim = load i64, ptr %newdimp
  %longer = mul i64 %step, %newdim
  br label %write
yes:
  ret i32 1
no:
  ret i32 0
}}
"""

RUNTIME_NAMES = frozenset(re.findall(r"^(?:define .*?|)@(\w+)", RUNTIME, re.MULTILINE))
