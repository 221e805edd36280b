#!/usr/bin/env python3
"""Writes matrix.txt: matrix instructions, PTX ISA 9.7.14.

Layouts of mma are the ISA's formulas, written out one by one as it gives them; those of wmma, which
it leaves open, are the elements that an H200 keeps in each lane. Values are chosen so that all sums
are exact whatever their order. `run_ptx --cuda` proves all of it on the metal.
Run it again after a change: python3 tests/ptx/matrix.py
"""
import os
import random
import struct

HERE = os.path.dirname(os.path.abspath(__file__))
BITS = dict(f16=16, bf16=16, tf32=32, f32=32, f64=64, s8=8, u8=8, s4=4, u4=4, b1=1, s32=32)
lines = ["# Matrix instructions, PTX ISA 9.7.14. Written by matrix.py.", ""]


def test(name, ins, outs, code, rows, module="", flags=""):
    lines.append(f"test {name} all-lanes {flags}".rstrip())
    if ins:
        lines.append("in " + ins)
    lines.append("out " + outs)
    lines.extend("module " + line for line in module.strip("\n").split("\n") if line)
    lines.extend("code " + line for line in code.strip("\n").split("\n"))
    for inputs, outputs in rows:
        lines.append(" ".join(["row"] + [hex(x) for x in inputs] + ["->"] + [hex(x) for x in outputs]))
    lines.append("")


def bits_of(value, t):
    if t == "f16":
        return struct.unpack("<H", struct.pack("<e", value))[0]
    if t == "bf16":
        word = struct.unpack("<I", struct.pack("<f", value))[0]
        assert word & 0xFFFF == 0
        return word >> 16
    if t in ("tf32", "f32"):
        return struct.unpack("<I", struct.pack("<f", value))[0]
    if t == "f64":
        return struct.unpack("<Q", struct.pack("<d", value))[0]
    return value & ((1 << BITS[t]) - 1)


def pick(t):
    if t in ("f16", "bf16", "tf32", "f64"):
        return random.randint(-12, 12) / random.choice((1, 2, 4))
    if t == "f32":
        return random.randint(-400, 400) / 8
    if t[0] == "s":
        n = BITS[t]
        return random.randint(-(1 << (n - 1)), (1 << (n - 1)) - 1)
    return random.getrandbits(BITS[t])


def fill(rows, columns, t):
    if t == "f16c":  # sums of halves must stay exact
        return [[float(random.randint(-8, 8)) for _ in range(columns)] for _ in range(rows)]
    return [[pick(t) for _ in range(columns)] for _ in range(rows)]


def multiply(a, b, c, t, bitwise=None, saturate=False):
    m, k, n = len(a), len(b), len(b[0])
    d = []
    for i in range(m):
        d.append([])
        for j in range(n):
            terms = [bitwise(a[i][q], b[q][j]) if bitwise else a[i][q] * b[q][j] for q in range(k)]
            x = c[i][j] + sum(terms)
            if t == "s32":
                if saturate:
                    x = max(-(1 << 31), min((1 << 31) - 1, x))
                x = (x + (1 << 31)) % (1 << 32) - (1 << 31)
            d[-1].append(x)
    return d


def pack(values, t):
    """Elements of one lane -> registers."""
    width = 64 if t == "f64" else 32
    word = 0
    for i, value in enumerate(values):
        word |= bits_of(value, t) << (i * BITS[t])
    return [word >> (width * i) & ((1 << width) - 1) for i in range(max(1, len(values) * BITS[t] // width))]


# The ISA's fragments of mma: element i of a lane -> (row, column).
def accumulators(lane, i):
    return lane // 4 + (8 if i >= 2 else 0), lane % 4 * 2 + i % 2


def k8_a16(lane, i):
    return lane // 4 + (8 if i >= 2 else 0), lane % 4 * 2 + i % 2


def k8_b16(lane, i):
    return lane % 4 * 2 + i, lane // 4


def k16_a16(lane, i):
    return lane // 4 + (0 if i < 2 or 4 <= i < 6 else 8), lane % 4 * 2 + i % 2 + (8 if i >= 4 else 0)


def k16_b16(lane, i):
    return lane % 4 * 2 + i % 2 + (8 if i >= 2 else 0), lane // 4


MMA = {
    ("m16n8k8", 16): (4, k8_a16, 2, k8_b16, 4),
    ("m16n8k16", 16): (8, k16_a16, 4, k16_b16, 4),
    ("m16n8k4", 32): (2, lambda l, i: (l // 4 + 8 * i, l % 4), 1, lambda l, i: (l % 4, l // 4), 4),
    ("m16n8k8", 32): (4, lambda l, i: (l // 4 + (8 if i in (1, 3) else 0), l % 4 + (4 if i >= 2 else 0)),
                      2, lambda l, i: (l % 4 + 4 * i, l // 4), 4),
    ("m8n8k4", 64): (1, lambda l, i: (l // 4, l % 4), 1, lambda l, i: (l % 4, l // 4), 2),
    ("m16n8k4", 64): (2, lambda l, i: (l // 4 + 8 * i, l % 4), 1, lambda l, i: (l % 4, l // 4), 4),
    ("m16n8k8", 64): (4, lambda l, i: (l // 4 + (8 if i in (1, 3) else 0), l % 4 + (4 if i >= 2 else 0)),
                      2, lambda l, i: (l % 4 + 4 * i, l // 4), 4),
    ("m16n8k16", 64): (8, lambda l, i: (l // 4 + (8 if i % 2 else 0), i // 2 * 4 + l % 4),
                       4, lambda l, i: (l % 4 + 4 * i, l // 4), 4),
    ("m8n8k16", 8): (4, lambda l, i: (l // 4, l % 4 * 4 + i), 4, lambda l, i: (l % 4 * 4 + i, l // 4), 2),
    ("m16n8k16", 8): (8, lambda l, i: (l // 4 + (8 if i >= 4 else 0), l % 4 * 4 + i % 4),
                      4, lambda l, i: (l % 4 * 4 + i, l // 4), 4),
    ("m16n8k32", 8): (16, lambda l, i: (l // 4 + (0 if i < 4 or 8 <= i < 12 else 8),
                                        l % 4 * 4 + i % 4 + (16 if i >= 8 else 0)),
                      8, lambda l, i: (l % 4 * 4 + i % 4 + (16 if i >= 4 else 0), l // 4), 4),
    ("m8n8k32", 4): (8, lambda l, i: (l // 4, l % 4 * 8 + i), 8, lambda l, i: (l % 4 * 8 + i, l // 4), 2),
    ("m16n8k32", 4): (16, lambda l, i: (l // 4 + (8 if i >= 8 else 0), l % 4 * 8 + i % 8),
                      8, lambda l, i: (l % 4 * 8 + i, l // 4), 4),
    ("m16n8k64", 4): (32, lambda l, i: (l // 4 + (0 if i < 8 or 16 <= i < 24 else 8),
                                        l % 4 * 8 + i % 8 + (32 if i >= 16 else 0)),
                      16, lambda l, i: (l % 4 * 8 + i % 8 + (32 if i >= 8 else 0), l // 4), 4),
    ("m8n8k128", 1): (32, lambda l, i: (l // 4, l % 4 * 32 + i), 32, lambda l, i: (l % 4 * 32 + i, l // 4), 2),
    ("m16n8k128", 1): (64, lambda l, i: (l // 4 + (8 if i >= 32 else 0), l % 4 * 32 + i % 32),
                       32, lambda l, i: (l % 4 * 32 + i, l // 4), 4),
    ("m16n8k256", 1): (128, lambda l, i: (l // 4 + (0 if i < 32 or 64 <= i < 96 else 8),
                                          l % 4 * 32 + i % 32 + (128 if i >= 64 else 0)),
                       64, lambda l, i: (l % 4 * 32 + i % 32 + (128 if i >= 32 else 0), l // 4), 4),
}


def sizes(shape):
    m, rest = shape[1:].split("n")
    n, k = rest.split("k")
    return int(m), int(n), int(k)


def registers(letter, count):
    return [f"{letter}{i}" for i in range(count)]


def kind(t):
    return "b64" if t == "f64" else "f32" if t == "f32" else "b32"


def gather(matrix, t, count, place):
    return [pack([matrix[r][c] for r, c in (place(lane, i) for i in range(count))], t) for lane in range(32)]


def product(mnemonic, a, b, c, d, types, flags=""):
    """a..d: registers of each lane; a test of one instruction."""
    names = [registers(x, len(frag[0])) for x, frag in zip("abcd", (a, b, c, d))]
    ins = " ".join(f"{r}:{kind(t)}" for group, t in zip(names[:3], types) for r in group)
    outs = " ".join(f"{r}:{kind(types[3])}" for r in names[3])
    na, nb, nc, nd = ("{" + ", ".join(group) + "}" for group in names)
    test(mnemonic, ins, outs, f"{mnemonic} {nd}, {na}, {nb}, {nc};",
         [(a[l] + b[l] + c[l], d[l]) for l in range(32)], flags=flags)


def mma(shape, dt, at, bt, ct, suffix="", bitwise=None, flags=""):
    m, n, k = sizes(shape)
    na, pa, nb, pb, nc = MMA[(shape, BITS[at])]
    small = "f16" in (dt, ct)
    a, b = fill(m, k, "f16c" if small else at), fill(k, n, "f16c" if small else bt)
    c = fill(m, n, "f16c" if small else ct)
    if "satfinite" in suffix:
        c = [[random.choice((-(1 << 31), (1 << 31) - 1, pick("s32"))) for _ in range(n)] for _ in range(m)]
    d = multiply(a, b, c, dt, bitwise, "satfinite" in suffix)
    product(f"mma.sync.aligned.{shape}.row.col" + (suffix if suffix.startswith(".sat") else "") +
            f".{dt}.{at}.{bt}.{ct}" + ("" if suffix.startswith(".sat") else suffix),
            gather(a, at, na, pa), gather(b, bt, nb, pb), gather(c, ct, nc, accumulators),
            gather(d, dt, nc, accumulators), (at, bt, ct, dt), flags)


def mma_doubles_k16():
    """A and B fill all inputs of a test: C is the first half of A's registers."""
    na, pa, nb, pb, nc = MMA[("m16n8k16", 64)]
    a, b = fill(16, 16, "f64"), fill(16, 8, "f64")
    c = [[0] * 8 for _ in range(16)]
    for lane in range(32):
        for i in range(4):
            r, q = accumulators(lane, i)
            c[r][q] = a[pa(lane, i)[0]][pa(lane, i)[1]]
    ga, gb = gather(a, "f64", na, pa), gather(b, "f64", nb, pb)
    gd = gather(multiply(a, b, c, "f64"), "f64", nc, accumulators)
    ra, rb, rd = registers("a", 8), registers("b", 4), registers("d", 4)
    name = "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64"
    test(name, " ".join(f"{r}:b64" for r in ra + rb), " ".join(f"{r}:b64" for r in rd),
         f"{name} {{{', '.join(rd)}}}, {{{', '.join(ra)}}}, {{{', '.join(rb)}}}, {{{', '.join(ra[:4])}}};",
         [(ga[l] + gb[l], gd[l]) for l in range(32)], flags="sm_90")


# mma.m8n8k4 of f16: lanes 4q..4q+3 and those plus 16 compute product q.
def quad(lane):
    return lane % 16 // 4


def quad_a(layout, lane, i):
    return (lane % 4 + (4 if lane >= 16 else 0), i) if layout == "row" else (i % 4 + (4 if lane >= 16 else 0), lane % 4)


def quad_b(layout, lane, i):
    return (lane % 4, i + (4 if lane >= 16 else 0)) if layout == "row" else (i, lane % 4 + (4 if lane >= 16 else 0))


def quad_c(t, lane, i):
    if t == "f16":
        return lane % 4 + (4 if lane >= 16 else 0), i
    return (lane & 1) + (i & 2) + (4 if lane >= 16 else 0), (i & 4) + (lane & 2) + (i & 1)


def mma_quads(al, bl, dt, ct):
    a, b = [fill(8, 4, "f16c") for _ in range(4)], [fill(4, 8, "f16c") for _ in range(4)]
    c = [fill(8, 8, "f16c") for _ in range(4)]
    d = [multiply(a[q], b[q], c[q], dt) for q in range(4)]

    def lanes(matrices, t, count, place):
        return [pack([matrices[quad(l)][r][k] for r, k in (place(l, i) for i in range(count))], t) for l in range(32)]

    product(f"mma.sync.aligned.m8n8k4.{al}.{bl}.{dt}.f16.f16.{ct}",
            lanes(a, "f16", 4, lambda l, i: quad_a(al, l, i)), lanes(b, "f16", 4, lambda l, i: quad_b(bl, l, i)),
            lanes(c, ct, 8, lambda l, i: quad_c(ct, l, i)), lanes(d, dt, 8, lambda l, i: quad_c(dt, l, i)),
            ("f16", "f16", ct, dt))


# Where an H200 keeps the elements of wmma's fragments: the first elements of each unit in lane 0, how many
# follow it, and whether the groups of four lanes are rows or columns.
A16, B16 = [(0, 0), (8, 0), (0, 8), (8, 8)], [(0, 0), (8, 0), (0, 8), (8, 8)]
WMMA = {
    ("m16n16k16", "a", 16): (A16, 2, "rows"),
    ("m16n16k16", "b", 16): (B16, 2, "columns"),
    ("m16n16k16", "a", 8): ([(0, 0), (8, 0)], 4, "rows"),
    ("m16n16k16", "b", 8): ([(0, 0), (0, 8)], 4, "columns"),
    ("m16n16k16", "c", 0): (A16, 2, "rows"),
    ("m8n32k16", "a", 16): ([(0, 0), (0, 8)], 2, "rows"),
    ("m8n32k16", "b", 16): ([(0, 0), (0, 8), (8, 0), (8, 8), (0, 16), (0, 24), (8, 16), (8, 24)], 2, "columns"),
    ("m8n32k16", "a", 8): ([(0, 0)], 4, "rows"),
    ("m8n32k16", "b", 8): ([(0, 0), (0, 8), (0, 16), (0, 24)], 4, "columns"),
    ("m8n32k16", "c", 0): ([(0, 0), (0, 8), (0, 16), (0, 24)], 2, "columns"),
    ("m32n8k16", "a", 16): ([(0, 0), (8, 0), (0, 8), (8, 8), (16, 0), (24, 0), (16, 8), (24, 8)], 2, "rows"),
    ("m32n8k16", "b", 16): ([(0, 0), (8, 0)], 2, "columns"),
    ("m32n8k16", "a", 8): ([(0, 0), (8, 0), (16, 0), (24, 0)], 4, "rows"),
    ("m32n8k16", "b", 8): ([(0, 0)], 4, "columns"),
    ("m32n8k16", "c", 0): ([(0, 0), (8, 0), (16, 0), (24, 0)], 2, "rows"),
    ("m16n16k8", "a", 32): ([(0, 0), (8, 0), (0, 4), (8, 4)], 1, "rows"),
    ("m16n16k8", "b", 32): ([(0, 0), (4, 0), (0, 8), (4, 8)], 1, "columns"),
    ("m16n16k8", "c", 0): (A16, 2, "rows"),
    ("m8n8k4", "a", 64): ([(0, 0)], 1, "rows"),
    ("m8n8k4", "b", 64): ([(0, 0)], 1, "columns"),
    ("m8n8k4", "c", 0): ([(0, 0)], 2, "rows"),
    ("m8n8k32", "a", 4): ([(0, 0)], 8, "rows"),
    ("m8n8k32", "b", 4): ([(0, 0)], 8, "columns"),
    ("m8n8k128", "a", 1): ([(0, 0)], 32, "rows"),
    ("m8n8k128", "b", 1): ([(0, 0)], 32, "columns"),
}


def image(matrix, t, layout, ld):
    """The bytes of a matrix in memory, as a number."""
    word = 0
    for r, row in enumerate(matrix):
        for c, x in enumerate(row):
            word |= bits_of(x, t) << ((r * ld + c if layout == "row" else c * ld + r) * BITS[t])
    return word


def image_words(matrix, t, layout, ld, lane_bytes):
    word = image(matrix, t, layout, ld)
    return [[word >> (8 * (lane * lane_bytes + i)) & ((1 << 64) - 1) for i in range(0, lane_bytes, 8)]
            for lane in range(32)]


def lane_bytes_of(rows, columns, t, layout, ld):
    total = ((rows - 1) * ld + columns if layout == "row" else (columns - 1) * ld + rows) * BITS[t] // 8
    return max(8, (total + 255) // 256 * 8)


def wmma_load(operand, layout, shape, t, count, space):
    m, n, k = sizes(shape)
    rows, columns = {"a": (m, k), "b": (k, n), "c": (m, n)}[operand]
    matrix = fill(rows, columns, t)
    ld = columns if layout == "row" else rows
    units, run, groups = WMMA[(shape, operand, 0 if operand == "c" else BITS[t])]
    per_lane = count * (64 if t == "f64" else 32) // BITS[t]
    out = []
    for lane in range(32):
        values = []
        for i in range(per_lane):
            r, c = units[i // run % len(units)]
            along, across = lane % 4 * run + i % run, lane // 4
            values.append(matrix[r + across][c + along] if groups == "rows" else matrix[r + along][c + across])
        out.append(pack(values, t))
    data = image(matrix, t, layout, ld)
    size = rows * columns * BITS[t] // 8
    # An initialised array; for shared memory it is copied there by the lanes.
    words = ", ".join(hex(data >> (64 * i) & ((1 << 64) - 1)) for i in range(size // 8))
    module = f".global .align 32 .b64 tile[{size // 8}] = {{{words}}};"
    code, where, dot = [".reg .b64 %from, %word, %move;", "mov.u64 %from, tile;"], "%from", ".global"
    if space == "shared":
        module += f"\n.shared .align 32 .b8 copy[{size}];"
        code += [".reg .b64 %to;", "mov.u64 %to, copy;", "mov.u32 %w32, %tid.x;", "mul.wide.u32 %at, %w32, 8;",
                 "add.s64 %from, %from, %at;", "add.s64 %at, %to, %at;"]
        for i in range(0, size, 256):
            guard = ""
            if size - i < 256:
                code += [".reg .pred %some;", f"setp.lt.u32 %some, %w32, {(size - i) // 8};"]
                guard = "@%some "
            code += [f"{guard}ld.global.b64 %word, [%from+{i}];", f"{guard}st.shared.b64 [%at+{i}], %word;"]
        code += ["bar.warp.sync 0xffffffff;"]
        where, dot = "%to", ".shared"
    elif space == "generic":
        code += ["cvta.global.u64 %from, %from;"]
        dot = ""
    names = registers("d", count)
    code += [f"wmma.load.{operand}.sync.aligned.{layout}.{shape}{dot}.{t} {{{', '.join(names)}}}, [{where}], {ld};"]
    test(f"wmma.load.{operand}.{layout}.{shape}.{space}.{t}", "",
         " ".join(f"{r}:{kind(t)}" for r in names), "\n".join(code), [((), row) for row in out], module)


def wmma(shape, al, bl, cl, dl, types, mnemonic, counts, bitwise=None, saturate=False, pad=0):
    """Stores A, B and C, loads fragments, multiplies, stores D and reads it back."""
    m, n, k = sizes(shape)
    dt, at, bt, ct = types
    small = "f16" in (dt, ct)
    a, b = fill(m, k, "f16c" if small else at), fill(k, n, "f16c" if small else bt)
    c = fill(m, n, "f16c" if small else ct)
    if saturate:
        c = [[random.choice((-(1 << 31), (1 << 31) - 1, pick("s32"))) for _ in range(n)] for _ in range(m)]
    d = multiply(a, b, c, dt, bitwise, saturate)
    ins, module, rows = [], [], [[] for _ in range(32)]
    code = [".reg .b64 %ma, %mb, %mc, %md, %mx;", "mov.u32 %w32, %tid.x;"]
    lds = {}
    for letter, matrix, t, layout in (("a", a, at, al), ("b", b, bt, bl), ("c", c, ct, cl)):
        ld = (len(matrix[0]) if layout == "row" else len(matrix)) + (pad if letter == "c" else 0)
        lds[letter] = ld
        each = lane_bytes_of(len(matrix), len(matrix[0]), t, layout, ld)
        space = {"a": "global", "b": "shared", "c": "global"}[letter]
        module.append(f".{space} .align 32 .b8 tile_{letter}[{32 * each}];")
        code += [f"mov.u64 %m{letter}, tile_{letter};", f"mad.wide.u32 %mx, %w32, {each}, %m{letter};"]
        for i in range(each // 8):
            ins.append(f"{letter}{i}:b64")
            code.append(f"st.{space}.b64 [%mx+{8 * i}], {letter}{i};")
        for lane, words in enumerate(image_words(matrix, t, layout, ld, each)):
            rows[lane] += words
    ld = n if dl == "row" else m
    each = lane_bytes_of(m, n, dt, dl, ld)
    module.append(f".shared .align 32 .b8 tile_d[{32 * each}];")
    code += ["mov.u64 %md, tile_d;", f"mad.wide.u32 %mx, %w32, {each}, %md;", "bar.warp.sync 0xffffffff;"]
    frags = {x: [f"%f{x}{i}" for i in range(count)] for x, count in zip("abcd", counts)}
    for x, t in zip("abcd", (at, bt, ct, dt)):
        code.append(f".reg .{kind(t)} {', '.join(frags[x])};")
    braces = {x: "{" + ", ".join(frags[x]) + "}" for x in frags}
    code += [f"wmma.load.a.sync.aligned.{al}.{shape}.global.{at} {braces['a']}, [%ma], {lds['a']};",
             f"wmma.load.b.sync.aligned.{bl}.{shape}.shared.{bt} {braces['b']}, [%mb], {lds['b']};",
             "cvta.global.u64 %mc, %mc;",
             f"wmma.load.c.sync.aligned.{cl}.{shape}.{ct} {braces['c']}, [%mc], {lds['c']};",
             f"{mnemonic} {braces['d']}, {braces['a']}, {braces['b']}, {braces['c']};",
             f"wmma.store.d.sync.aligned.{dl}.{shape}.shared.{dt} [%md], {braces['d']}, {ld};",
             "bar.warp.sync 0xffffffff;"]
    outs = registers("d", each // 8)
    code += [f"ld.shared.b64 {r}, [%mx+{8 * i}];" for i, r in enumerate(outs)]
    expected = image_words(d, dt, dl, ld, each)
    test(f"{mnemonic}{'-' + cl + dl if pad else ''}", " ".join(ins), " ".join(f"{r}:b64" for r in outs),
         "\n".join(code), [(rows[lane], expected[lane]) for lane in range(32)], "\n".join(module))


def all_mma():
    for dt, ct in (("f16", "f16"), ("f32", "f32")):
        for shape in ("m16n8k8", "m16n8k16"):
            mma(shape, dt, "f16", "f16", ct)
    for shape in ("m16n8k8", "m16n8k16"):
        mma(shape, "f32", "bf16", "bf16", "f32")
    for shape in ("m16n8k4", "m16n8k8"):
        mma(shape, "f32", "tf32", "tf32", "f32")
    mma("m8n8k4", "f64", "f64", "f64", "f64")
    for shape in ("m16n8k4", "m16n8k8"):
        mma(shape, "f64", "f64", "f64", "f64", flags="sm_90")
    mma_doubles_k16()
    for al in ("row", "col"):
        for bl in ("row", "col"):
            mma_quads(al, bl, "f32", "f32")
            mma_quads(al, bl, "f16", "f16")
    mma_quads("row", "col", "f32", "f16")
    for shapes, kinds in ((("m8n8k16", "m16n8k16", "m16n8k32"), ("s8", "u8")),
                          (("m8n8k32", "m16n8k32", "m16n8k64"), ("s4", "u4"))):
        for shape in shapes:
            for at in kinds:
                for bt in kinds:
                    mma(shape, "s32", at, bt, "s32", ".satfinite" if at == bt else "")
            mma(shape, "s32", kinds[0], kinds[0], "s32")
    for shape in ("m8n8k128", "m16n8k128", "m16n8k256"):
        mma(shape, "s32", "b1", "b1", "s32", ".xor.popc", lambda x, y: x ^ y)
        mma(shape, "s32", "b1", "b1", "s32", ".and.popc", lambda x, y: x & y)


def all_wmma():
    spaces = ["global", "shared", "generic"]
    counts16 = {"m16n16k16": (4, 4), "m8n32k16": (2, 8), "m32n8k16": (8, 2)}
    counts8 = {"m16n16k16": (2, 2), "m8n32k16": (1, 4), "m32n8k16": (4, 1)}
    for shape in counts16:
        for operand in "ab":
            which = operand == "b"
            for layout in ("row", "col"):
                wmma_load(operand, layout, shape, "f16", 8, spaces[which + (layout == "col")])
            wmma_load(operand, "row", shape, "bf16", counts16[shape][which], "shared")
            wmma_load(operand, "col", shape, "s8", counts8[shape][which], "global")
            wmma_load(operand, "row", shape, "u8", counts8[shape][which], "generic")
        wmma_load("c", "row", shape, "f16", 4, "shared")
        wmma_load("c", "row", shape, "f32", 8, "global")
        wmma_load("c", "col", shape, "f32", 8, "generic")
        wmma_load("c", "col", shape, "s32", 8, "shared")
    for operand in "ab":
        wmma_load(operand, "row", "m16n16k8", "tf32", 4, "global")
        wmma_load(operand, "col", "m16n16k8", "tf32", 4, "shared")
        wmma_load(operand, "row", "m8n8k4", "f64", 1, "shared")
        wmma_load(operand, "col", "m8n8k4", "f64", 1, "global")
        for t in ("s4", "u4"):
            wmma_load(operand, "row" if operand == "a" else "col", "m8n8k32", t, 1, "global")
        wmma_load(operand, "row" if operand == "a" else "col", "m8n8k128", "b1", 1, "shared")
    wmma_load("c", "row", "m16n16k8", "f32", 8, "global")
    wmma_load("c", "row", "m8n8k4", "f64", 2, "global")
    wmma_load("c", "col", "m8n8k4", "f64", 2, "generic")

    layouts = [(x, y) for x in ("row", "col") for y in ("row", "col")]
    for shape in counts16:
        for al, bl in layouts:
            stem = f"wmma.mma.sync.aligned.{al}.{bl}.{shape}"
            wmma(shape, al, bl, "row", al, ("f32", "f16", "f16", "f32"), stem + ".f32.f32", (8, 8, 8, 8))
            if al == bl:
                wmma(shape, al, bl, "col", bl, ("s32", "u8", "u8", "s32"), stem + ".s32.u8.u8.s32",
                     counts8[shape] + (8, 8))
            else:
                wmma(shape, al, bl, bl, "row", ("s32", "s8", "s8", "s32"), stem + ".s32.s8.s8.s32.satfinite",
                     counts8[shape] + (8, 8), saturate=True)
                wmma(shape, al, bl, "row", "row", ("f32", "bf16", "bf16", "f32"), stem + ".f32.bf16.bf16.f32",
                     counts16[shape] + (8, 8))
        stem = f"wmma.mma.sync.aligned.row.col.{shape}"
        for dt in ("f16", "f32"):
            for ct in ("f16", "f32"):
                if (dt, ct) != ("f32", "f32"):
                    wmma(shape, "row", "col", "row", "col", (dt, "f16", "f16", ct), f"{stem}.{dt}.{ct}",
                         (8, 8, 4 if ct == "f16" else 8, 4 if dt == "f16" else 8))
    wmma("m16n16k16", "row", "row", "row", "row", ("f16", "f16", "f16", "f16"),
         "wmma.mma.sync.aligned.row.row.m16n16k16.f16.f16", (8, 8, 4, 4), pad=8)
    for al, bl in layouts:
        wmma("m16n16k8", al, bl, bl, al, ("f32", "tf32", "tf32", "f32"),
             f"wmma.mma.sync.aligned.{al}.{bl}.m16n16k8.f32.tf32.tf32.f32", (4, 4, 8, 8))
        wmma("m8n8k4", al, bl, al, bl, ("f64", "f64", "f64", "f64"),
             f"wmma.mma.sync.aligned.{al}.{bl}.m8n8k4.f64.f64.f64.f64.rn", (1, 1, 2, 2))
    for t in ("s4", "u4"):
        wmma("m8n8k32", "row", "col", "row", "row", ("s32", t, t, "s32"),
             f"wmma.mma.sync.aligned.row.col.m8n8k32.s32.{t}.{t}.s32", (1, 1, 2, 2))
    for op, f in (("xor", lambda x, y: x ^ y), ("and", lambda x, y: x & y)):
        wmma("m8n8k128", "row", "col", "row", "col", ("s32", "b1", "b1", "s32"),
             f"wmma.mma.{op}.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32", (1, 1, 2, 2), bitwise=f)


def all_rows():
    """ldmatrix, stmatrix, movmatrix."""
    for count in (1, 2, 4):
        for trans in ("", ".trans"):
            matrices = [[[random.getrandbits(16) for _ in range(8)] for _ in range(8)] for _ in range(count)]

            def held(lane, i):
                r, c = lane // 4, 2 * (lane % 4)
                get = (lambda x, y: matrices[i][y][x]) if trans else (lambda x, y: matrices[i][x][y])
                return get(r, c) | get(r, c + 1) << 16

            def row_of(lane):
                if lane >= 8 * count:
                    return 0, 0
                words = matrices[lane // 8][lane % 8]
                return (sum(words[i] << (16 * i) for i in range(4)), sum(words[4 + i] << (16 * i) for i in range(4)))

            names = "{" + ", ".join(registers("d", count)) + "}"
            regs = " ".join(f"d{i}:b32" for i in range(count))
            module = ".shared .align 16 .b8 rows[512];"
            # rows stand in memory in an order of their own: lane l's at 16 * (5 l mod 32)
            at = [".reg .b64 %base;", "mov.u64 %base, rows;", "mov.u32 %w32, %tid.x;", "mul.lo.u32 %w32, %w32, 5;",
                  "and.b32 %w32, %w32, 31;", "mad.wide.u32 %base, %w32, 16, %base;"]
            code = at + ["st.shared.v2.b64 [%base], {lo, hi};", "bar.warp.sync 0xffffffff;",
                         f"ldmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 {names}, [%base];"]
            test(f"ldmatrix.x{count}{trans}", "lo:b64 hi:b64", regs, "\n".join(code),
                 [(row_of(lane), [held(lane, i) for i in range(count)]) for lane in range(32)], module)
            ins = " ".join(f"s{i}:b32" for i in range(count))
            sources = "{" + ", ".join(registers("s", count)) + "}"
            code = at + ["st.shared.v2.b64 [%base], {0, 0};", "bar.warp.sync 0xffffffff;",
                         f"stmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 [%base], {sources};",
                         "bar.warp.sync 0xffffffff;", "ld.shared.v2.b64 {lo, hi}, [%base];"]
            test(f"stmatrix.x{count}{trans}", ins, "lo:b64 hi:b64", "\n".join(code),
                 [([held(lane, i) for i in range(count)], row_of(lane)) for lane in range(32)], module, "sm_90")
    # nvcc's form: the mnemonic's parts in another order
    matrix = [[random.getrandbits(16) for _ in range(8)] for _ in range(8)]
    test("movmatrix.sync.aligned.m8n8.trans.b16", "a:b32", "d:b32", "movmatrix.sync.aligned.m8n8.trans.b16 d, a;",
         [((matrix[l // 4][2 * (l % 4)] | matrix[l // 4][2 * (l % 4) + 1] << 16,),
           (matrix[2 * (l % 4)][l // 4] | matrix[2 * (l % 4) + 1][l // 4] << 16,)) for l in range(32)])


if __name__ == "__main__":
    random.seed("matrix")
    all_mma()
    all_wmma()
    all_rows()
    with open(os.path.join(HERE, "matrix.txt"), "w") as file:
        file.write("\n".join(lines))
