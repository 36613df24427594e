Several instructions on a line, one instruction over several lines.
--- left
.version 8.0
.target sm_80
.address_size 64

.visible .entry k()
{ .reg .b32 %r<4>; mov.u32 %r1, 1; add.s32 %r2, %r1, 2;
add.s32
%r3,
%r2, 7; ret; }
--- right
.version 8.0
.target sm_80
.address_size 64

.visible .entry k()
{ .reg .b32 %r<4>; mov.u32 %r3, 1; add.s32 %r2, %r3, 4;
add.s32
%r1,
%r2, 8; ret; }
--- changed
--- left.ptx
+++ right.ptx
@@ -5,5 +5,5 @@ k
    5   5 | .visible .entry k()
~   6     | { .reg .b32 %r<4>; mov.u32 %r1, 1; add.s32 %r2, %r1, 2;
          |                            ^^^                  ^^^  ^
~       6 | { .reg .b32 %r<4>; mov.u32 %r3, 1; add.s32 %r2, %r3, 4;
          |                            ^^^                  ^^^  ^
    7   7 | add.s32
    8   8 | %r3,
~   9     | %r2, 7; ret; }
          |      ^
~       9 | %r2, 8; ret; }
          |      ^
2 changes: 2 immediate; 1 renamed, 5 identical
