#!/usr/bin/env python3
"""Writes texture.txt: each form of the texture and surface instructions, on the textures that run_ptx has
(ptx_case.h): 64 words g[i] = 3 i + 1, and 32 floats f[i] = i / 4, seen as arrays of several shapes."""
import os
import struct

G = [3 * i + 1 for i in range(64)]
F = [i / 4 for i in range(32)]
MODULE = [f"module .global .align 512 .b32 g[64] = {{{', '.join(map(str, G))}}};",
          f"module .global .align 512 .b32 f[32] = {{{', '.join(str(struct.unpack('<I', struct.pack('<f', x))[0]) for x in F)}}};"]
BYTES = b"".join(struct.pack("<I", x) for x in G)


def bits(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


def clamp(i, n):
    return min(max(i, 0), n - 1)


def floor(x):
    return int(x // 1)


def linear(x, y):
    """The texture of 8 by 4 floats f[i] = i / 4: weights of 8 bits."""
    def axis(c, n):
        fixed = floor(c * 256 + 0.5) - 128
        return clamp(fixed >> 8, n), clamp((fixed >> 8) + 1, n), (fixed & 255) / 256
    x0, x1, a = axis(x, 8)
    y0, y1, b = axis(y, 4)
    top = (1 - a) * F[8 * y0 + x0] + a * F[8 * y0 + x1]
    low = (1 - a) * F[8 * y1 + x0] + a * F[8 * y1 + x1]
    return (1 - b) * top + b * low


class Writer:
    def __init__(self):
        self.lines = ["# Textures and surfaces. Written by texture.py.", ""]

    def test(self, name, inputs, outputs, code, rows):
        """code: lines over the inputs' and outputs' names, and h, the texture's handle."""
        self.lines += [f"test {name} sim-only", "in " + " ".join(inputs), "out " + " ".join(outputs)] + MODULE
        self.lines += ["code .reg .b64 h, t;", "code .reg .b32 x0, x1, x2, x3;", "code .reg .b16 n0, n1, n2, n3;",
                       "code mov.u64 t, g;", "code mov.u64 t, f;"]
        self.lines += ["code " + line for line in code]
        self.lines += [f"row {' '.join(map(str, a))} -> {' '.join(hex(b & 0xffffffffffffffff) for b in o)}" for a, o in rows] + [""]


def hexed(*numbers):
    return [hex(n & 0xffffffff) for n in numbers]


def main():
    w = Writer()
    words = ["d:b32", "e:b32"]
    # fetches by whole numbers, clamped
    w.test("tex.2d.v4.u32.s32", ["x:b32", "y:b32"], words,
           ["mov.u64 h, 1;", "tex.2d.v4.u32.s32 {d, x1, x2, e}, [h, {x, y}];"],
           [(hexed(x, y), (G[8 * clamp(y, 4) + clamp(x, 8)], 0)) for x in (-1, 0, 3, 7, 9) for y in (-5, 0, 2, 3, 4)])
    w.test("tex.2d.v4.s32.f32", ["x:b32", "y:b32"], words,
           ["mov.u64 h, 1;", "tex.2d.v4.s32.f32 {d, x1, x2, e}, [h, {x, y}];"],
           [(hexed(bits(x), bits(y)), (G[8 * clamp(floor(y), 4) + clamp(floor(x), 8)], 0))
            for x in (-0.5, 0.0, 3.5, 7.875, 8.0) for y in (-1.0, 1.5, 3.0, 40.0)])
    w.test("tex.2d.offset", ["x:b32", "y:b32"], ["d:b32"],
           ["mov.u64 h, 1;", "tex.2d.v4.u32.s32 {d, x1, x2, x3}, [h, {x, y}], {1, -2};"],
           [(hexed(x, y), (G[8 * clamp(y - 2, 4) + clamp(x + 1, 8)],)) for x in (0, 5, 7) for y in (0, 2, 3)])
    w.test("tex.2d.resident", ["x:b32", "y:b32"], ["d:b32", "p:pred"],
           ["mov.u64 h, 1;", "tex.2d.v4.u32.s32 {d, x1, x2, x3}|p, [h, {x, y}];"],
           [(hexed(x, 1), (G[8 + x], 1)) for x in range(8)])
    # the sampler of another texture
    points = [(x / 16, y / 16) for x in (0, 8, 13, 77, 120, 128) for y in (0, 9, 37, 64)]
    w.test("tex.2d.v4.f32.f32", ["x:b32", "y:b32"], ["d:b32"],
           ["mov.u64 h, 3;", "tex.2d.v4.f32.f32 {d, x1, x2, x3}, [h, {x, y}];"],
           [(hexed(bits(x), bits(y)), (bits(linear(x, y)),)) for x, y in points])
    w.test("tex.2d.sampler", ["x:b32", "y:b32"], ["d:b32"],
           ["mov.u64 h, 3;", "mov.u64 t, 8;", "tex.2d.v4.f32.f32 {d, x1, x2, x3}, [h, t, {x, y}];"],
           [(hexed(bits(x), bits(y)), (bits(F[8 * clamp(floor(4 * y), 4) + clamp(floor(8 * x), 8)]),))
            for x in (0.0, 0.25, 0.9375, 1.5) for y in (-1.0, 0.0, 0.5, 0.875)])
    w.test("tex.2d.v2.f16x2.f32", ["x:b32", "y:b32"], ["d:b32", "e:b32"],
           ["mov.u64 h, 3;", "tex.2d.v2.f16x2.f32 {d, e}, [h, {x, y}];"],
           [(hexed(bits(i + 0.5), bits(1.5)), (struct.unpack("<H", struct.pack("<e", F[8 + i]))[0], 0)) for i in range(8)])
    w.test("tex.level.2d", ["x:b32", "l:b32"], ["d:b32"],
           ["mov.u64 h, 8;", "mov.b32 x0, 0f3F000000;", "tex.level.2d.v4.f32.f32 {d, x1, x2, x3}, [h, {x, x0}], l;"],
           [(hexed(bits(i / 8), bits(l)), (bits(F[16 + i]),)) for i in range(8) for l in (0.0, 3.0)])
    w.test("tex.grad.2d", ["x:b32", "l:b32"], ["d:b32"],
           ["mov.u64 h, 8;", "mov.b32 x0, 0f3F000000;", "tex.grad.2d.v4.f32.f32 {d, x1, x2, x3}, [h, {x, x0}], {l, l}, {l, l};"],
           [(hexed(bits(i / 8), bits(0.125)), (bits(F[16 + i]),)) for i in range(8)])
    w.test("tex.base.3d", ["x:b32", "z:b32"], ["d:b32"],
           ["mov.u64 h, 4;", "mov.b32 x1, 2;", "tex.base.3d.v4.u32.s32 {d, x0, x2, x3}, [h, {x, x1, z, z}];"],
           [(hexed(x, z), (G[8 * clamp(z, 4) + 4 + clamp(x, 2)],)) for x in (-1, 0, 1, 2) for z in (-1, 0, 2, 5)])
    w.test("tex.a1d", ["l:b32", "x:b32"], ["d:b32"],
           ["mov.u64 h, 5;", "tex.a1d.v4.u32.f32 {d, x1, x2, x3}, [h, {l, x}];"],
           [(hexed(l, bits(x)), (G[8 * clamp(l & 0xffffffff, 4) + clamp(floor(x), 8)],)) for l in (-1, 0, 3, 4) for x in (-2.0, 0.5, 6.25, 9.0)])
    w.test("tex.a2d", ["l:b32", "x:b32"], ["d:b32"],
           ["mov.u64 h, 6;", "mov.b32 x1, 0f40200000;", "tex.a2d.v4.u32.f32 {d, x0, x2, x3}, [h, {l, x, x1, x1}];"],
           [(hexed(l, bits(x)), (G[8 * clamp(l, 4) + 4 + clamp(floor(x), 2)],)) for l in (0, 1, 9) for x in (0.5, 1.5)])
    faces = [((1, 0.5, 0.25), 0), ((-1, 0.5, 0.25), 1), ((0.5, 1, 0.25), 2), ((0.5, -1, 0.25), 3), ((0.5, 0.25, 1), 4), ((0.5, 0.25, -1), 5)]

    def texel(face, layer, x, y, z):
        s, t = [(-z, -y), (z, -y), (x, z), (x, -z), (x, -y), (-x, -y)][face]
        return BYTES[24 * layer + 4 * face + 2 * clamp(floor(t + 1), 2) + clamp(floor(s + 1), 2)]
    w.test("tex.cube", ["x:b32", "y:b32", "z:b32"], ["d:b32"],
           ["mov.u64 h, 7;", "tex.cube.v4.u32.f32 {d, x1, x2, x3}, [h, {x, y, z, z}];"],
           [(hexed(*map(bits, v)), (texel(f, 0, *v),)) for v, f in faces])
    w.test("tex.acube", ["x:b32", "y:b32", "z:b32"], ["d:b32"],
           ["mov.u64 h, 9;", "mov.b32 x0, 1;", "tex.acube.v4.u32.f32 {d, x1, x2, x3}, [h, {x0, x, y, z}];"],
           [(hexed(*map(bits, v)), (texel(f, 1, *v),)) for v, f in faces])
    # four texels
    for number, letter in enumerate("rgba"):
        def corner(x, y, i, j):
            x0, y0 = (floor(x * 256 + 0.5) - 128) >> 8, (floor(y * 256 + 0.5) - 128) >> 8
            return bits(F[8 * clamp(y0 + j, 4) + clamp(x0 + i, 8)]) if number == 0 else 0
        w.test(f"tld4.{letter}", ["x:b32", "y:b32"], ["a:b32", "b:b32", "c:b32", "d:b32"],
               ["mov.u64 h, 3;", f"tld4.{letter}.2d.v4.f32.f32 {{a, b, c, d}}, [h, {{x, y}}];"],
               [(hexed(bits(x), bits(y)), tuple(corner(x, y, i, j) for i, j in ((0, 1), (1, 1), (1, 0), (0, 0)))) for x, y in points])
    # queries
    for query, handle, answer in (("width", 1, 8), ("height", 1, 4), ("depth", 4, 4), ("array_size", 5, 4), ("num_mipmap_levels", 1, 1),
                                  ("normalized_coords", 8, 1), ("filter_mode", 3, 1), ("addr_mode_0", 1, 1)):
        w.test(f"txq.{query}", ["x:b32"], ["d:b32"], [f"mov.u64 h, {handle};", f"txq.{query}.b32 d, [h];"], [(["0"], (answer,))])
    w.test("txq.level.width", ["x:b32"], ["d:b32"], ["mov.u64 h, 1;", "txq.level.width.b32 d, [h], x;"], [(["0"], (8,)), (["1"], (0,))])
    w.test("suq", ["x:b32"], ["d:b32", "e:b32"], ["mov.u64 h, 2;", "suq.width.b32 d, [h];", "suq.height.b32 e, [h];"], [(["0"], (8, 8))])
    for kind, answers in (("texref", (1, 0, 0)), ("surfref", (0, 1, 0)), ("samplerref", (1, 0, 0))):
        w.test(f"istypep.{kind}", ["x:b64"], ["p:pred"], [f"istypep.{kind} p, x;"], list(zip((["1"], ["2"], ["99"]), ((a,) for a in answers))))
    # surfaces: x in bytes
    inside = [(x, y) for x in (0, 4, 20, 28) for y in range(4)]
    w.test("suld.b.2d.b32", ["x:b32", "y:b32"], ["d:b32"], ["mov.u64 h, 2;", "suld.b.2d.b32.trap d, [h, {x, y}];"],
           [(hexed(x, y), (G[8 * y + x // 4],)) for x, y in inside])
    w.test("suld.b.2d.b32.zero", ["x:b32", "y:b32"], ["d:b32"], ["mov.u64 h, 2;", "suld.b.2d.b32.zero d, [h, {x, y}];"],
           [(hexed(x, y), (G[8 * y + x // 4] if 0 <= x < 32 and 0 <= y < 8 else 0,)) for x in (-4, 0, 28, 32) for y in (-1, 0, 7, 8)])
    w.test("suld.b.2d.b32.clamp", ["x:b32", "y:b32"], ["d:b32"], ["mov.u64 h, 2;", "suld.b.2d.b32.clamp d, [h, {x, y}];"],
           [(hexed(x, y), (G[8 * clamp(y, 8) + clamp(x // 4, 8)],)) for x in (-4, 0, 28, 32) for y in (-1, 0, 7, 8)])
    w.test("suld.b.2d.b8", ["x:b32", "y:b32"], ["d:b16"], ["mov.u64 h, 2;", "suld.b.2d.b8.trap d, [h, {x, y}];"],
           [(hexed(x, 1), (BYTES[32 + x],)) for x in range(16)])
    w.test("suld.b.2d.v2.b16", ["x:b32"], ["d:b16", "e:b16"], ["mov.u64 h, 2;", "mov.b32 x0, 3;", "suld.b.2d.v2.b16.trap {d, e}, [h, {x, x0}];"],
           [(hexed(4 * x), (G[24 + x] & 0xffff, G[24 + x] >> 16)) for x in range(8)])
    w.test("suld.b.2d.b64", ["x:b32"], ["d:b64"], ["mov.u64 h, 2;", "mov.b32 x0, 3;", "suld.b.2d.b64.trap d, [h, {x, x0}];"],
           [(hexed(8 * x), (G[24 + 2 * x] | G[25 + 2 * x] << 32,)) for x in range(4)])
    # what is written is read again as memory, by the lane that has written it
    for letter, bits_, mask in (("b8", 16, 0xff), ("b16", 16, 0xffff), ("b32", 32, 0xffffffff), ("b64", 64, (1 << 64) - 1)):
        size = {"b8": 1, "b16": 2, "b32": 4, "b64": 8}[letter]
        count = 32 // size if size > 1 else 32
        w.test(f"sust.b.2d.{letter}", ["x:b32", f"v:b{bits_}"], [f"d:b{bits_}"],
               ["mov.u64 h, 2;", "mov.b32 x0, %laneid;", f"mul.lo.u32 x, x, {size};", "shr.u32 x1, x0, 3;" if size == 4 else f"div.u32 x1, x0, {count};",
                f"sust.b.2d.{letter}.trap [h, {{x, x1}}], v;", "mov.u64 t, g;", "mul.lo.u32 x1, x1, 32;", "add.u32 x1, x1, x;", "cvt.u64.u32 h, x1;",
                "add.u64 t, t, h;", f"ld.global.{'u8' if size == 1 else letter} d, [t];"],
               [(hexed(i % count) + [hex((0x123456789abcdef * (i + 3)) & ((1 << bits_) - 1))], (((0x123456789abcdef * (i + 3)) & mask),)) for i in range(32)]
               if size < 8 else [(hexed(i % 4) + [hex(0x1234567 * (i + 3) + (i << 40))], (0x1234567 * (i + 3) + (i << 40),)) for i in range(32)])
    for op, kind, start, f in (("add", "u32", None, lambda a, v: a + v), ("min", "s32", None, lambda a, v: min(a, v)), ("max", "u32", None, lambda a, v: max(a, v)),
                               ("and", "b32", None, lambda a, v: a & v), ("or", "b32", None, lambda a, v: a | v), ("min", "u64", 64, lambda a, v: min(a, v)),
                               ("max", "s64", 64, lambda a, v: max(a, v)), ("or", "b64", 64, lambda a, v: a | v), ("add", "s32", None, lambda a, v: a + v)):
        wide = start == 64
        size, count = (8, 4) if wide else (4, 8)
        old = (lambda i: G[2 * i] | G[2 * i + 1] << 32) if wide else (lambda i: G[i])
        rows = [(hexed(size * (i % count)) + [hex(v)], (f(old(i), v),)) for i, v in ((i, (37 * i + 11) % 97) for i in range(32))]
        w.test(f"sured.b.{op}.2d.{kind}", ["x:b32", f"v:b{64 if wide else 32}"], [f"d:b{64 if wide else 32}"],
               ["mov.u64 h, 2;", "mov.b32 x0, %laneid;", f"div.u32 x1, x0, {count};",
                f"sured.b.{op}.2d.{kind}.trap [h, {{x, x1}}], v;",
                "mov.u64 t, g;", "mul.lo.u32 x1, x1, 32;", "add.u32 x1, x1, x;", "cvt.u64.u32 h, x1;", "add.u64 t, t, h;",
                f"ld.global.b{64 if wide else 32} d, [t];"], rows)
    text = "\n".join(w.lines).replace("code .reg .b16 n0, n1, n2, n3;", "code .reg .b16 n0, n1, n2, n3;\ncode .reg .pred q;")
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "texture.txt"), "w") as file:
        file.write(text)


if __name__ == "__main__":
    main()
