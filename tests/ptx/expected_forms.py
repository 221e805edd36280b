"""Half-precision, packed, video and rarer forms. Run by expected.py."""
import math
import random
from fractions import Fraction

import expected_base as e
from expected_base import BF16, F16, F32, F64, FORMATS, INF, Family, Format, decode, encode, exact, flush, mask, saturate, signed, test, tuples, value


def halves_of(words, part):
    return [w >> 16 * part & 0xFFFF for w in words]


def nan(x, f):
    return decode(x, f).kind == "nan"


def relu(bits, f):
    return 0 if bits & f.sign and not nan(bits, f) else bits


def half_arithmetic(kind, f, ftz=False, sat=False, clip=False):
    def run(*bits):
        bits = [flush(b, f) for b in bits] if ftz else bits
        d = exact(kind, f, "rn")(*[decode(b, f) for b in bits])
        d = saturate(d, f) if sat else d
        d = relu(d, f) if clip else d
        return flush(d, f) if ftz else d
    return run


def smaller(f, sign, ftz=False, nan_wins=False, xorsign=False, clip=False):
    def key(x):
        n = decode(x, f)
        size = Fraction(1 << 300) if n.kind == INF else abs(n.fraction)
        return (-1 if n.negative else 1) * size, -1 if n.negative else 1

    def pick(a, b):
        s = (a ^ b) & f.sign if xorsign else 0
        if xorsign:
            a, b = a & ~f.sign, b & ~f.sign
        if nan(a, f) or nan(b, f):
            if nan_wins or (nan(a, f) and nan(b, f)):
                return f.nan
            return (b if nan(a, f) else a) | s
        return (min(a, b, key=key) if sign < 0 else max(a, b, key=key)) | s

    def run(*bits):
        bits = [flush(b, f) for b in bits] if ftz else bits
        d = bits[0]
        for b in bits[1:]:
            d = pick(d, b)
        return relu(d, f) if clip else d
    return run


def pairs(run):
    return lambda *words: run(*halves_of(words, 0)) | run(*halves_of(words, 1)) << 16


def rows_of(t, count, rows=64):
    made = e.float_rows(t, count, rows)
    f = FORMATS[t]
    if count == 3:  # a tie that only the third operand breaks, and one that it does not reach
        one = f.bias << f.fraction
        made += [(1, f.sign | 1, 0), (f.sign | 1, 1, 1), (1, 1, f.sign)]  # products that vanish or do not fit
        made += [(one + (64 << f.fraction), one + (64 << f.fraction), f.sign | one + (127 << f.fraction) + 5)] if f is BF16 else []
        for c in (1, f.sign | 1, 0, one >> 1, f.sign | one >> 1):
            made += [(one + 1, one + (1 << f.fraction - 1), c), (one + 3, one + 1, c), (one + 1 << 0, one | f.sign, c)]
    return made


def half_test(name, t, count, run, rows=None, flags=""):
    """The form for t and, with other rows, for its packed pair."""
    letters = "abc"[:count]
    rows = rows or rows_of(t, count)
    for packed in (False, True):
        form = name.replace("TYPE", t + "x2" if packed else t)
        made, function, bits = rows, run, 16
        if packed:
            upper = list(rows)
            random.shuffle(upper)
            made = [tuple(x | y << 16 for x, y in zip(p, q)) for p, q in zip(rows, upper)]
            function, bits = pairs(run), 32
        for i, part in enumerate(e.chunks(made)):
            test(f"{form}-{i}", " ".join(f"{l}:b{bits}" for l in letters), f"d:b{bits}", f"{form} d, {', '.join(letters)};",
                 [(r, (function(*r),)) for r in part], flags=flags)


with Family("half", "f16 and bf16, single and packed, PTX ISA 9.7.4."):
    for t, f in (("f16", F16), ("bf16", BF16)):
        newer = "sm_90" if t == "bf16" else ""
        for kind, count in (("add", 2), ("sub", 2), ("mul", 2), ("fma", 3)):
            half_test(f"{kind}.rn.TYPE", t, count, half_arithmetic(kind, f), flags=newer if kind != "fma" else "")
        half_test("fma.rn.relu.TYPE", t, 3, half_arithmetic("fma", f, clip=True))
        some, near = e.float_edges(t)
        no_nan = [(x,) for x in some + near if not nan(x, f)]
        half_test("abs.TYPE", t, 1, lambda x: x & ~f.sign, no_nan)
        half_test("neg.TYPE", t, 1, lambda x: x ^ f.sign, no_nan)
        edge_pairs = [(x, y) for x in some[:11] + [f.nan] for y in some[:11]]
        for name, sign in (("min", -1), ("max", 1)):
            picked = random.sample(edge_pairs, 60) + [(0, f.sign), (f.sign, 0), (f.nan, some[2]), (some[2], f.nan)]
            half_test(f"{name}.TYPE", t, 2, smaller(f, sign), picked)
            half_test(f"{name}.NaN.TYPE", t, 2, smaller(f, sign, nan_wins=True), picked)
            signs = [r for r in picked if not nan(r[0], f) and not nan(r[1], f)]
            half_test(f"{name}.xorsign.abs.TYPE", t, 2, smaller(f, sign, xorsign=True), signs, flags="sm_90")
            if t == "f16":
                half_test(f"{name}.ftz.TYPE", t, 2, smaller(f, sign, ftz=True), picked)
    half_test("fma.rn.ftz.relu.TYPE", "f16", 3, half_arithmetic("fma", F16, ftz=True, clip=True))
    half_test("abs.ftz.TYPE", "f16", 1, lambda x: flush(x & 0x7FFF, F16), [(x,) for x in e.float_edges("f16")[0] if not nan(x, F16)])
    half_test("neg.ftz.TYPE", "f16", 1, lambda x: flush(x ^ 0x8000, F16), [(x,) for x in e.float_edges("f16")[0] if not nan(x, F16)])

    def close(x, f, ulp):
        return f"~{hex(encode(x, f))}:{ulp}"
    for t, f in (("f16", F16), ("bf16", BF16)):
        for name, function, points in (("ex2.approx", lambda x: Fraction(2.0 ** x), (0.5, -0.5, 1.25, 3.7, -6.3, 7.1)),
                                       ("tanh.approx", lambda x: Fraction(math.tanh(x)), (0.25, -0.25, 0.7, 1.5, -2, 3))):
            form = name if t == "f16" or name[0] == "t" else name + ".ftz"
            where = "sm_90" if t == "bf16" else ""
            rows = [((encode(Fraction(x), f),), (close(function(float(decode(encode(Fraction(x), f), f).fraction)), f, 2 if t == "f16" else 1),)) for x in points]
            rows += [((f.nan,), (f.nan,))]
            rows += [((0,), (f.bias << f.fraction,)), ((f.inf,), (f.inf,)), ((f.inf | f.sign,), (0,))] if name[0] == "e" else [((f.inf,), (f.bias << f.fraction,)), ((0,), (0,))]
            test(f"{form}.{t}", "a:b16", "d:b16", f"{form}.{t} d, a;", rows, flags=where)
            test(f"{form}.{t}x2", "a:b16 b:b16", "d:b16 c:b16", "{ .reg .b32 x, y;\nmov.b32 x, {a, b};\n" + f"{form}.{t}x2 y, x;\n" + "mov.b32 {d, c}, y; }",
                 [(p[0] + q[0], p[1] + q[1]) for p, q in zip(rows, rows[3:] + rows[:3])], flags=where)

    # comparisons
    def holds(cmp, x, y, f, ftz=False):
        m, n = (decode(flush(b, f) if ftz else b, f) for b in (x, y))
        unordered = "nan" in (m.kind, n.kind)
        if cmp in ("num", "nan"):
            return unordered == (cmp == "nan")
        if unordered:
            return cmp.endswith("u")
        size = lambda v: (-1 if v.negative else 1) * (Fraction(1 << 300) if v.kind == INF else abs(v.fraction))
        a, b = size(m), size(n)
        return {"eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b}[cmp[:2]]
    COMPARES = ["eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"]
    for t, f in (("f16", F16), ("bf16", BF16)):
        where = "sm_90" if t == "bf16" else ""
        some = e.float_edges(t)[0][:11]
        for cmp in COMPARES:
            rows = [(random.choice(some), random.choice(some)) for _ in range(22)] + [(x, x) for x in some[:10]]
            two = [tuple(x | y << 16 for x, y in zip(p, q)) for p, q in zip(rows, rows[7:] + rows[:7])]
            if t == "bf16":
                test(f"setp.{cmp}.{t}", "a:b16 b:b16", "p:pred", f"setp.{cmp}.{t} p, a, b;",
                     [(r, (int(holds(cmp, *r, f)),)) for r in rows], flags=where)
            test(f"setp.{cmp}.{t}x2", "a:b32 b:b32", "p:pred q:pred", f"setp.{cmp}.{t}x2 p|q, a, b;",
                 [(r, tuple(int(holds(cmp, *halves_of(r, i), f)) for i in (0, 1))) for r in two], flags=where)
            one = f.bias << f.fraction
            test(f"set.{cmp}.{t}x2.{t}x2", "a:b32 b:b32", "d:b32", f"set.{cmp}.{t}x2.{t}x2 d, a, b;",
                 [(r, (sum((one if holds(cmp, *halves_of(r, i), f) else 0) << 16 * i for i in (0, 1)),)) for r in two], flags=where + " cuda-unguarded")
            if cmp in ("lt", "neu", "nan"):
                test(f"set.{cmp}.u32.{t}x2", "a:b32 b:b32", "d:b32", f"set.{cmp}.u32.{t}x2 d, a, b;",
                     [(r, (sum((0xFFFF if holds(cmp, *halves_of(r, i), f) else 0) << 16 * i for i in (0, 1)),)) for r in two], flags=where + " cuda-unguarded")
                test(f"set.{cmp}.u32.{t}", "a:b16 b:b16", "d:b32", f"set.{cmp}.u32.{t} d, a, b;",
                     [(r, (mask(32) if holds(cmp, *r, f) else 0,)) for r in rows], flags=where + " cuda-unguarded")
                test(f"set.{cmp}.{t}.{t}", "a:b16 b:b16", "d:b16", f"set.{cmp}.{t}.{t} d, a, b;",
                     [(r, (one if holds(cmp, *r, f) else 0,)) for r in rows], flags=where + " cuda-unguarded")
        rows = [(random.choice(some), random.choice(some), random.getrandbits(1)) for _ in range(32)]
        for combine, function in (("and", lambda x, c: x & c), ("or", lambda x, c: x | c), ("xor", lambda x, c: x ^ c)):
            test(f"setp.lt.{combine}.{t}", "a:b16 b:b16 c:pred", "p:pred", f"setp.lt.{combine}.{t} p, a, b, c;",
                 [(r, (function(int(holds("lt", *r[:2], f)), r[2]),)) for r in rows], flags=where)
    rows = [(random.choice([1, 0x8001, 0x400, 0, 0x8000]), random.choice([1, 0x8001, 0x400, 0, 0x8000])) for _ in range(24)]
    test("setp.eq.ftz.f16", "a:b16 b:b16", "p:pred", "setp.eq.ftz.f16 p, a, b;", [(r, (int(holds("eq", *r, F16, True)),)) for r in rows])


def convert(x, f, g, mode="rn", ftz=False, sat=False, clip=False, finite=False):
    n = decode(flush(x, f) if ftz and f is F32 else x, f)
    if n.kind == "nan":
        d = g.inf | (x & mask(52)) >> (52 - g.fraction) | (x >> 63) * g.sign if f is F64 else g.nan
    elif n.kind:
        d = (g.largest if finite else g.inf) | (g.sign if n.negative else 0)
    else:
        d = encode(n.fraction, g, mode, n.negative)
        if finite and d & ~g.sign >= g.inf:
            d = g.largest | d & g.sign
    d = saturate(d, g) if sat else d
    d = relu(d, g) if clip else d
    return flush(d, g) if ftz and g is F32 else d


def sources(f, g):
    some, near = e.float_edges({10: "f16", 7: "bf16", 23: "f32", 52: "f64"}[f.fraction])
    made = some + near[:4]
    if f.fraction > g.fraction:
        one, half = f.bias << f.fraction, 1 << (f.fraction - g.fraction - 1)
        made = some[:11] + [one + half, one + 3 * half, one + half + 1, one + half - 1, one + 3 * half - 1, (one + half) | f.sign]
        scale = (g.least - g.fraction + f.bias) << f.fraction
        if scale > 0:
            made += [scale, scale - 1, scale + 1, scale - (1 << f.fraction), scale - (1 << f.fraction) + 1]
        made += [encode(decode(g.largest, g).fraction + k * Fraction(2) ** (g.bias - g.fraction - 1), f) for k in (1, Fraction(1, 2), 2)]
        made += [encode(Fraction(x), f) for x in (-3.3, 0.1, 100.7)]
    return made[:32]


def shift_nan(x, f, g):
    """f32 from bf16 is a shift, also of a NaN."""
    return x << 16 if f is BF16 and g is F32 else convert(x, f, g)


class Small(Format):
    """The 8-bit floats: e4m3 has no infinity, and its largest number's neighbour is NaN."""
    def __init__(self, exponent, fraction, largest):
        super().__init__(exponent, fraction, 0x7F)
        self.largest = largest
        if fraction == 3:
            self.inf = 0x7F


E4M3, E5M2 = Small(4, 3, 0x7E), Small(5, 2, 0x7B)


def to_small(x, f, g, clip=False):
    n = decode(x, f)
    if n.kind == "nan":
        return g.nan
    d = g.largest if n.kind else min(encode(abs(n.fraction), g), g.largest)
    return 0 if clip and n.negative else d | (0x80 if n.negative else 0)


def from_small(x, g):
    rest, sign = x & 0x7F, (x & 0x80) << 8
    if g is E4M3:
        if rest == 0x7F:
            return 0x7FFF
    elif rest >= 0x7C:
        return sign | 0x7C00 if rest == 0x7C else 0x7FFF
    exponent, fraction = rest >> g.fraction, rest & mask(g.fraction)
    significand = fraction | (1 << g.fraction if exponent else 0)
    return sign | encode(Fraction(significand) * Fraction(2) ** (max(exponent, 1) - g.bias - g.fraction), F16)


with Family("narrow", "cvt from and to bf16, packed halves, tf32 and 8-bit floats, PTX ISA 9.7.9.21."):
    INTEGERS = ["s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64"]
    named = {"f16": F16, "bf16": BF16, "f32": F32, "f64": F64}
    for source, to in (("bf16", "f32"), ("bf16", "f64"), ("bf16", "f16"), ("f16", "bf16"), ("f64", "bf16"), ("bf16", "bf16")):
        f, g = named[source], named[to]
        mode = "" if (to in ("f32", "f64") and source == "bf16") else ".rni" if source == to else ".rn"
        if source == to:
            continue
        rows = [((x,), (shift_nan(x, f, g),)) for x in sources(f, g) if not (nan(x, f) and to in ("f64",)) and not (nan(x, f) and source == "f64")]
        test(f"cvt{mode}.{to}.{source}", f"a:b{e.width(source)}", f"d:b{e.width(to)}", f"cvt{mode}.{to}.{source} d, a;", rows,
             flags="sm_90" if (source, to) != ("bf16", "f32") else "sm_90")
    for t in INTEGERS:  # ptxas has none from or to 8 bits
        where = "sim-only" if t[1:] == "8" else "sm_90"
        for mode in ("rn", "rz", "rm", "rp"):
            rows = [((x,), (encode(Fraction(value(x, t)), BF16, mode),)) for x in e.edges(t) + [x & mask(e.width(t)) for x in (257, 259, 0x1010001, 16842753, 0x8080000000000001)]]
            test(f"cvt.{mode}.bf16.{t}", f"a:{e.reg(t)}", "d:b16", f"cvt.{mode}.bf16.{t} d, a;", rows, flags=where)
        for mode in ("rni", "rzi", "rmi", "rpi"):
            bits = [encode(Fraction(x), BF16) for x in (0.5, 1.5, 2.5, -0.5, -1.5, 1, -1, 127.5, 128, -129, 255, 256, 40000, -40000, 3e9, -3e9, 1e20)] + [0x7F80, 0xFF80, 0x7FFF, 1]
            def whole(x):
                n = decode(x, BF16)
                if n.kind == "nan":
                    return 1 << 63 if "64" in t else 0
                return e.clamp((-(1 << 70) if n.negative else 1 << 70) if n.kind else e.whole(n.fraction, mode[:2]), t)
            test(f"cvt.{mode}.{t}.bf16", "a:b16", f"d:{e.reg(t)}", f"cvt.{mode}.{t}.bf16 d, a;",
                 [((x,), (value(whole(x), t) & mask(max(16, e.width(t))),)) for x in bits], flags=where)
    for t, g in (("f16", F16), ("bf16", BF16)):
        words = sources(F32, g)
        for flags, more in (("rn", {}), ("rz", {"mode": "rz"}), ("rn.relu", {"clip": True}), ("rz.relu", {"mode": "rz", "clip": True}),
                            ("rn.satfinite", {"finite": True}), ("rn.relu.satfinite", {"clip": True, "finite": True})):
            where = "sm_90" if "satfinite" in flags else ""
            if flags not in ("rn", "rz") or t == "f32":
                test(f"cvt.{flags}.{t}.f32", "a:b32", "d:b16", f"cvt.{flags}.{t}.f32 d, a;", [((x,), (convert(x, F32, g, **more),)) for x in words], flags=where)
            shifted = words[5:] + words[:5]
            test(f"cvt.{flags}.{t}x2.f32", "a:b32 b:b32", "d:b32", f"cvt.{flags}.{t}x2.f32 d, a, b;",
                 [((x, y), (convert(x, F32, g, **more) << 16 | convert(y, F32, g, **more),)) for x, y in zip(words, shifted)], flags=where)
    TF32 = Format(8, 10, 0x3FFFF)

    def away(x):  # to nearest, ties away from zero
        n = decode(x, F32)
        if n.kind == "nan":
            return F32.nan & ~mask(13) | 0
        if n.kind:
            return x
        return (x & F32.sign) | min(((x & mask(31)) + (1 << 12)) & ~mask(13), F32.inf)
    test("cvt.rna.tf32.f32", "a:b32", "d:b32", "cvt.rna.tf32.f32 d, a;", [((x,), (away(x),)) for x in sources(F32, TF32) if not nan(x, F32)])
    for mode in ("rn", "rz"):
        for flags, more in (("", {}), (".relu", {"clip": True})):
            test(f"cvt.{mode}{flags}.tf32.f32", "a:b32", "d:b32", f"cvt.{mode}{flags}.tf32.f32 d, a;",
                 [((x,), (convert(x, F32, TF32, mode, **more) << 13,)) for x in sources(F32, TF32) if not nan(x, F32)], flags="sm_90")
    for name, g in (("e4m3x2", E4M3), ("e5m2x2", E5M2)):
        floats = [encode(Fraction(x), F32) for x in (0, 1, -1, 448, 449, 464, 465, 57344, 61439, 61440, 1e10, -1e10, 2.0 ** -9, 2.0 ** -10, 1.5 * 2.0 ** -10, 2.0 ** -16, 2.0 ** -17,
                                                     1.0625, 1.1875, 1.125, 1.375, 0.1, -0.3, 17.5, 2.0 ** -6, 2.0 ** -14)] + [F32.inf, F32.inf | F32.sign, F32.nan, F32.sign, 1]
        for flags, clip in (("", False), (".relu", True)):
            test(f"cvt.rn.satfinite{flags}.{name}.f32", "a:b32 b:b32", "d:b16", f"cvt.rn.satfinite{flags}.{name}.f32 d, a, b;",
                 [((x, y), (to_small(x, F32, g, clip) << 8 | to_small(y, F32, g, clip),)) for x, y in zip(floats, floats[3:] + floats[:3])], flags="sm_90")
            short = [x for x in [encode(Fraction(v), F16) for v in (0, 1, -1, 448, 449, 464, 465, 57344, 60000, -65504, 2.0 ** -9, 2.0 ** -10, 1.5 * 2.0 ** -10, 2.0 ** -16, 2.0 ** -17, 1.0625, 1.1875, 0.1, -0.3)]] + [0x7C00, 0xFC00, 0x7FFF, 1, 0x8000]
            test(f"cvt.rn.satfinite{flags}.{name}.f16x2", "a:b32", "d:b16", f"cvt.rn.satfinite{flags}.{name}.f16x2 d, a;",
                 [((x | y << 16,), (to_small(x, F16, g, clip) | to_small(y, F16, g, clip) << 8,)) for x, y in zip(short, short[3:] + short[:3])], flags="sm_90")
            every = [(2 * i) | (2 * i + 1) << 8 for i in range(128)]
            for k in range(4):
                test(f"cvt.rn{flags}.f16x2.{name}-{k}", "a:b16", "d:b32", f"cvt.rn{flags}.f16x2.{name} d, a;",
                     [((x,), (sum((relu(from_small(x >> 8 * i & 255, g), F16) if clip else from_small(x >> 8 * i & 255, g)) << 16 * i for i in (0, 1)),)) for x in every[32 * k:32 * k + 32]], flags="sm_90")
    for t, bits in (("u16", 16), ("s16", 16), ("u8", 8), ("s8", 8), ("u4", 4), ("s4", 4), ("u2", 2), ("s2", 2)):
        low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if t[0] == "s" else (0, mask(bits))
        part = lambda x: max(low, min(high, signed(x, 32))) & mask(bits)
        if bits == 16:
            test(f"cvt.pack.sat.{t}.s32", "a:b32 b:b32", "d:b32", f"cvt.pack.sat.{t}.s32 d, a, b;",
                 [(r, (part(r[0]) << 16 | part(r[1]),)) for r in tuples(["s32", "s32"])])
        else:
            rows = [(x & mask(32), y & mask(32), c) for x, y, c in zip((0, 1, -1, 3, 7, 8, -8, -9, 127, 128, -128, -129, 255, 256, 1 << 31), (5, -200, 300, 2, -2, -3, 15, 16, 1, 0, 9, 77, -1, 200, 4), (random.getrandbits(32) for _ in range(15)))]
            test(f"cvt.pack.sat.{t}.s32.b32", "a:b32 b:b32 c:b32", "d:b32", f"cvt.pack.sat.{t}.s32.b32 d, a, b, c;",
                 [(r, (part(r[0]) << bits | part(r[1]) | r[2] << 2 * bits & mask(32),)) for r in rows])


with Family("packed", "Packed and rarer integer forms, PTX ISA 9.7.1 and 9.7.8."):
    for t in ("s16", "u16"):
        for name, function in (("add", lambda a, b: a + b), ("min", min), ("max", max)):
            for flags in ("", ".relu") if t == "s16" and name != "add" else ("",):
                def both(a, b):
                    parts = [function(value(x, t), value(y, t)) for x, y in zip((a, a >> 16), (b, b >> 16))]
                    parts = [max(0, p) if flags else p for p in parts]
                    return (parts[0] & 0xFFFF) | (parts[1] & 0xFFFF) << 16
                form = f"{name}.{t}x2{flags}"
                rows = [(x | y << 16, z | w << 16) for (x, z), (y, w) in zip(tuples([t, t]), reversed(tuples([t, t])))]
                test(form, "a:b32 b:b32", "d:b32", f"{form} d, a, b;", [(r, (both(*r),)) for r in rows], flags="sm_90")
    for name, function in (("min", min), ("max", max)):
        e.op(f"{name}.relu.s32", ["s32", "s32"], "s32", lambda a, b: max(0, function(a, b)), flags="sm_90")
    for t in ("s16", "u16", "s64", "u64"):
        e.op(f"sad.{t}", [t, t, "u" + t[1:]], "u" + t[1:], lambda a, b, c: c + abs(a - b))
    for t in ("s16", "u16"):
        e.op(f"mad.hi.{t}", [t, t, t], t, lambda a, b, c: (a * b >> 16) + c)
    e.op("mad.hi.sat.s32", ["s32"] * 3, "s32", lambda a, b, c: e.clamp((a * b >> 32) + c, "s32"))
    for t in ("s32", "u32"):
        small = (lambda x: signed(x, 24)) if t == "s32" else (lambda x: x & mask(24))
        e.op(f"mul24.hi.{t}", [t, t], t, lambda a, b: small(a) * small(b) >> 16)
        e.op(f"mad24.lo.{t}", [t, t, t], t, lambda a, b, c: small(a) * small(b) + c)
        e.op(f"mad24.hi.{t}", [t, t, t], t, lambda a, b, c: (small(a) * small(b) >> 16) + c)
    e.op("mad24.hi.sat.s32", ["s32"] * 3, "s32", lambda a, b, c: e.clamp((signed(a, 24) * signed(b, 24) >> 16) + c, "s32"))
    for where in ("lo", "hi"):
        for t in ("u32", "s32"):
            for u in ("u32", "s32"):
                def dp2a(a, b, c):
                    first = 0 if where == "lo" else 2
                    return c + sum(value(a >> 16 * i, t[0] + "16") * value(b >> 8 * (first + i), u[0] + "8") for i in (0, 1))
                e.op(f"dp2a.{where}.{t}.{u}", ["b32", "b32", "b32"], "b32", dp2a)
    e.op("bfind.shiftamt.s64", ["s64"], "u32", lambda a: mask(32) if e.leading(a, 64, True) is None else 63 - e.leading(a, 64, True))

    def fns(a, base, offset):
        if offset == 0:
            return base if a >> base & 1 else mask(32)
        order = range(base, 32) if offset > 0 else range(base, -1, -1)
        found = [i for i in order if a >> i & 1]
        return found[abs(offset) - 1] if len(found) >= abs(offset) else mask(32)
    rows = [(random.getrandbits(32) & random.getrandbits(32), random.randrange(32), random.choice((0, 1, 2, 3, 8, 32, -1, -2, -5, -32)) & mask(32)) for _ in range(28)] + \
           [(mask(32), 0, 32), (mask(32), 31, -32 & mask(32)), (0, 0, 1), (1, 0, 0)]
    e.op("fns.b32", ["b32", "u32", "s32"], "b32", fns, rows=rows)

    def szext(a, b, t, clamp):
        if clamp and b >= 32:
            return a
        b &= 31
        return value(a & mask(b), "u32") if t == "u32" or not b or not a >> (b - 1) & 1 else (a | mask(32) & ~mask(b))

    def bmsk(a, b, clamp):
        if clamp:
            return 0 if a >= 32 else (mask(min(b, 32)) << a)
        return mask(b & 31) << (a & 31)
    counts = [(random.getrandbits(32), n) for n in (0, 1, 2, 8, 15, 16, 31, 32, 33, 63, 64, 255, 1 << 31)]
    for mode in ("clamp", "wrap"):
        for t in ("u32", "s32"):
            e.op(f"szext.{mode}.{t}", ["b32", "u32"], "b32", lambda a, b: szext(a, b, t, mode == "clamp"), rows=counts)
        e.op(f"bmsk.{mode}.b32", ["u32", "u32"], "b32", lambda a, b: bmsk(a, b, mode == "clamp"),
             rows=[(a, b) for a in (0, 1, 16, 31, 32, 40) for b in (0, 1, 16, 31, 32)])
    for combine, function in (("or", lambda x, q: x | q), ("and", lambda x, q: x & q)):
        for table in (0x80, 0xFE, 0x96, 0x01):
            def lop3(a, b, c):
                return sum((table >> (4 * (a >> i & 1) + 2 * (b >> i & 1) + (c >> i & 1)) & 1) << i for i in range(32))
            rows = [(random.choice((0, mask(32), random.getrandbits(32))), random.choice((0, mask(32), random.getrandbits(32))), random.choice((0, mask(32), random.getrandbits(32))), random.getrandbits(1)) for _ in range(24)]
            test(f"lop3.{combine}.b32-{table:#x}", "a:b32 b:b32 c:b32 q:pred", "d:b32 p:pred", f"lop3.{combine}.b32 d|p, a, b, c, {table:#x}, q;",
                 [(r, (lop3(*r[:3]), function(int(lop3(*r[:3]) != 0), r[3]))) for r in rows], flags="sm_90")


def wrapped(x, t):
    return value(x & mask(32), t)


with Family("video", "Video instructions, PTX ISA 9.7.17."):
    OPS = {"vadd": lambda a, b: a + b, "vsub": lambda a, b: a - b, "vabsdiff": lambda a, b: abs(a - b), "vmin": min, "vmax": max, "vavrg": lambda a, b: (a + b + (a + b >= 0)) >> 1}
    CMP = {"eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b}
    SECOND = {"add": lambda x, c: x + c, "min": min, "max": max}

    def select(x, t, part):
        if not part:
            return value(x, t)
        bits = 8 if part[0] == "b" else 16
        return value(x >> bits * int(part[1]), f"{t[0]}{bits}")

    def scalar(name, d, a, b, function, asel="", bsel="", sat=False, second="", dsel=""):
        def run(x, y, c):
            tmp = function(select(x, a, asel), select(y, b, bsel))
            bits = {"": 32, "b": 8, "h": 16}[dsel[:1]]
            if sat:
                low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if d[0] == "s" else (0, mask(bits))
                tmp = max(low, min(high, tmp))
            tmp = wrapped(tmp, d)
            if second:
                tmp = SECOND[second](tmp, value(c, d))
            if dsel:
                shift = bits * int(dsel[1])
                return c & ~(mask(bits) << shift) & mask(32) | (tmp & mask(bits)) << shift
            return tmp & mask(32)
        three = second or dsel
        dot = lambda s: "." + s if s else ""
        code = f"{name}{'.sat' if sat else ''}{dot(second)} d{dot(dsel)}, a{dot(asel)}, b{dot(bsel)}{', c' if three else ''};"
        full = code.split(" ")[0] + dot(dsel) + dot(asel) + dot(bsel)
        test(full.replace(".", "-", 0) + f"-{len(e.out.names)}", "a:b32 b:b32 c:b32", "d:b32", code, [(r, (run(*r),)) for r in tuples(["u32"] * 3, 24)],
             flags="sim-only" if sat and (d == "u32" or dsel) or second == "min" else "")

    # The code that ptxas 13.0 makes for some saturating scalar forms and for vmad is not what the ISA says: sim-only.
    for name in ("vadd", "vsub", "vabsdiff", "vmin", "vmax"):
        for d, a, b in (("u32", "u32", "u32"), ("s32", "s32", "s32"), ("s32", "u32", "s32"), ("u32", "s32", "u32")):
            form = f"{name}.{d}.{a}.{b}"
            scalar(form, d, a, b, OPS[name])
            scalar(form, d, a, b, OPS[name], sat=True)
        scalar(f"{name}.s32.u32.s32", "s32", "u32", "s32", OPS[name], "b1", "h1", True, "add")
        scalar(f"{name}.u32.u32.u32", "u32", "u32", "u32", OPS[name], "b3", "b0", False, "min")
        scalar(f"{name}.s32.s32.s32", "s32", "s32", "s32", OPS[name], "h0", "b2", False, "max")
        scalar(f"{name}.s32.s32.s32", "s32", "s32", "s32", OPS[name], "b0", "b1", True, "", "b2")
        scalar(f"{name}.u32.s32.s32", "u32", "s32", "s32", OPS[name], "h1", "h0", True, "", "h1")
    for cmp, function in CMP.items():
        def vset(name, a, b, **more):
            scalar(name, "u32", a, b, lambda x, y: int(function(x, y)), **more)
        vset(f"vset.u32.s32.{cmp}", "u32", "s32")
        vset(f"vset.s32.s32.{cmp}", "s32", "s32", asel="b1", bsel="b1", second="add")
    for name, function in (("vshl", lambda x, n: x << n), ("vshr", lambda x, n: x >> n)):
        for mode in ("clamp", "wrap"):
            def shift(x, n, t):
                n = min(n, 32) if mode == "clamp" else n & 31
                return function(value(x, t), n)
            for t in ("u32", "s32"):
                rows = [(x, n) for x in (1, mask(32), 0x80000000, 0x1234567) for n in (0, 1, 7, 31, 32, 33, 64, 300)]
                test(f"{name}.{t}.{t}.u32.{mode}", "a:b32 b:b32", "d:b32", f"{name}.{t}.{t}.u32.{mode} d, a, b;", [(r, (shift(*r, t) & mask(32),)) for r in rows])
                test(f"{name}.{t}.{t}.u32.sat.{mode}", "a:b32 b:b32", "d:b32", f"{name}.{t}.{t}.u32.sat.{mode} d, a, b;", [(r, (e.clamp(shift(*r, t), t) & mask(32),)) for r in rows], flags="sim-only")
    for t in ("u32", "s32"):
        for scale, bits in (("", 0), (".shr7", 7), (".shr15", 15)):
            for sat in ("", ".sat"):
                def vmad(a, b, c):
                    tmp = value(a, t[0] + "16") * value(b >> 8, t[0] + "8") + value(c, t)
                    tmp >>= bits
                    return (e.clamp(tmp, t) if sat else tmp) & mask(32)
                form = f"vmad.{t}.{t}.{t}{sat}{scale}"
                test(form, "a:b32 b:b32 c:b32", "d:b32", f"{form} d, a.h0, b.b1, c;", [(r, (vmad(*r),)) for r in tuples(["u32"] * 3, 24)], flags="sim-only")

    def simd(name, count, d, a, b, function, mode="", dsel="", asel="", bsel=""):
        bits = 32 // count
        def run(x, y, c):
            both = x | y << 32
            spots = lambda sel, first: [int(s) for s in reversed(sel[1:])] if sel else [first + i for i in range(count)]
            result, total = c, c
            for i, (p, q) in enumerate(zip(spots(asel, 0), spots(bsel, count))):
                tmp = function(value(both >> bits * p, f"{a[0]}{bits}"), value(both >> bits * q, f"{b[0]}{bits}"))
                if mode == ".sat":
                    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if d[0] == "s" else (0, mask(bits))
                    tmp = max(low, min(high, tmp))
                if dsel and str(i) not in dsel[1:]:
                    continue
                total += tmp
                result = result & ~(mask(bits) << bits * i) & mask(32) | (tmp & mask(bits)) << bits * i
            return total & mask(32) if mode == ".add" else result
        dot = lambda s: "." + s if s else ""
        code = f"{name}{mode} d{dot(dsel)}, a{dot(asel)}, b{dot(bsel)}, c;"
        rows = [tuple(random.getrandbits(32) for _ in range(3)) for _ in range(20)] + [(0x80808080, 0x7F7F7F7F, 5), (mask(32), 0, 0), (0, mask(32), 1), (0x80007FFF, 0x7FFF8000, 9)]
        test(f"{name}{mode}-{len(e.out.names)}", "a:b32 b:b32 c:b32", "d:b32", code, [(r, (run(*r),)) for r in rows],
             flags="cuda-unguarded" if mode == ".add" else "")  # ptxas 13.0 forgets the guard of some

    for count in (2, 4):
        for name, function in OPS.items():
            for d, a, b in (("u32", "u32", "u32"), ("s32", "s32", "s32"), ("s32", "u32", "s32")):
                for mode in ("", ".sat", ".add"):
                    simd(f"{name}{count}.{d}.{a}.{b}", count, d, a, b, function, mode)
        for cmp, function in CMP.items():
            for mode in ("", ".add"):
                simd(f"vset{count}.u32.s32.{cmp}", count, "u32", "u32", "s32", lambda x, y: int(function(x, y)), mode)
    simd("vadd4.u32.u32.u32", 4, "u32", "u32", "u32", OPS["vadd"], "", "b20", "b7531", "b0246")
    simd("vabsdiff2.u32.u32.u32", 2, "u32", "u32", "u32", OPS["vabsdiff"], ".add", "h1", "h30", "h12")


with Family("forms", "The rarer forms of floats, selection, moving, memory and warps."):
    some = e.float_edges("f32")[0]
    edge_pairs = [(x, y) for x in some[:11] + [F32.nan] for y in some[:11]]
    for name, sign in (("min", -1), ("max", 1)):
        picked = random.sample(edge_pairs, 30)
        clean = [r for r in picked if not nan(r[0], F32) and not nan(r[1], F32)]
        test(f"{name}.NaN.f32", "a:b32 b:b32", "d:b32", f"{name}.NaN.f32 d, a, b;", [(r, (smaller(F32, sign, nan_wins=True)(*r),)) for r in picked])
        test(f"{name}.ftz.NaN.f32", "a:b32 b:b32", "d:b32", f"{name}.ftz.NaN.f32 d, a, b;", [(r, (smaller(F32, sign, True, True)(*r),)) for r in picked])
        test(f"{name}.xorsign.abs.f32", "a:b32 b:b32", "d:b32", f"{name}.xorsign.abs.f32 d, a, b;", [(r, (smaller(F32, sign, xorsign=True)(*r),)) for r in clean], flags="sm_90")
        rows = [(x, y, z) for (x, y), z in zip(picked, random.choices(some[:11], k=30))]
        test(f"{name}.f32-three", "a:b32 b:b32 c:b32", "d:b32", f"{name}.f32 d, a, b, c;", [(r, (smaller(F32, sign)(*r),)) for r in rows], flags="sim-only")
    # set and slct
    cmp = {"eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b}
    for t in e.INTS + ["b16", "b32", "b64"]:
        for name in ("eq", "ne") if t[0] == "b" else ("lt", "ge"):
            for d, one in (("u32", mask(32)), ("s32", mask(32)), ("f32", 0x3F800000)):
                test(f"set.{name}.{d}.{t}", f"a:{e.reg(t)} b:{e.reg(t)}", "d:b32", f"set.{name}.{d}.{t} d, a, b;",
                     [(r, (one if cmp[name](value(r[0], t), value(r[1], t)) else 0,)) for r in tuples([t, t])], flags="cuda-unguarded" if d == "f32" or "16" in t else "")
    for t in ("b16", "b32", "b64", "u16", "s16", "u32", "s32", "u64", "s64", "f32", "f64"):
        bits = e.width(t)
        rows = [(random.getrandbits(bits), random.getrandbits(bits), c) for c in (0, 1, mask(32), 0x80000000, 5)]
        test(f"slct.{t}.s32", f"a:b{bits} b:b{bits} c:b32", f"d:b{bits}", f"slct.{t}.s32 d, a, b, c;", [(r, (r[1] if r[2] >> 31 else r[0],)) for r in rows])
        rows = [(random.getrandbits(bits), random.getrandbits(bits), c) for c in (0, 0x80000000, 0x3F800000, 0xBF800000, F32.inf, F32.inf | F32.sign, F32.nan, 1, 0x80000001)]
        first = lambda c: not nan(c, F32) and (not c >> 31 or c == 0x80000000)
        test(f"slct.{t}.f32", f"a:b{bits} b:b{bits} c:b32", f"d:b{bits}", f"slct.{t}.f32 d, a, b, c;", [(r, (r[0] if first(r[2]) else r[1],)) for r in rows])
    test("slct.ftz.b32.f32", "a:b32 b:b32 c:b32", "d:b32", "slct.ftz.b32.f32 d, a, b, c;", [((1, 2, 0x80000001), (1,)), ((1, 2, 0x80800000), (2,))], flags="sim-only")
    # 128 bits
    wide = [tuple(random.getrandbits(64) for _ in range(2)) for _ in range(8)]
    test("mov.b128", "a:b64 b:b64", "d:b64 c:b64", "{ .reg .b128 x, y;\nmov.b128 x, {a, b};\nmov.b128 y, x;\nmov.b128 {c, d}, y; }", [(r, (r[1], r[0])) for r in wide], flags="sm_90")
    test("ld.st.b128", "a:b64 b:b64", "d:b64 c:b64",
         "{ .reg .b128 x, y;\n.reg .u32 t, s;\nmov.u32 t, %tid.x;\nmov.u32 s, m;\nmad.lo.u32 t, t, 16, s;\nmov.b128 x, {a, b};\nst.shared.b128 [t], x;\nld.shared.b128 y, [t];\nmov.b128 {d, c}, y; }",
         [(r, r) for r in wide], module=".shared .align 16 .b8 m[512];", flags="sm_90")
    place = "{ .reg .b128 x, y, z;\n.reg .u32 t;\n.reg .u64 s, u;\nmov.u32 t, %tid.x;\nmov.u64 s, m;\nmul.wide.u32 u, t, 16;\nadd.u64 s, s, u;\nmov.b128 x, {a, b};\n"
    test("atom.exch.b128", "a:b64 b:b64", "d:b64 c:b64", place + "st.shared.b128 [s], x;\nmov.b128 z, {b, a};\natom.shared.exch.b128 y, [s], z;\natom.shared.exch.b128 y, [s], y;\nmov.b128 {d, c}, y; }",
         [(r, (r[1], r[0])) for r in wide], module=".shared .align 16 .b8 m[512];", flags="sm_90")
    test("atom.cas.b128", "a:b64 b:b64", "d:b64 c:b64", place + "st.shared.b128 [s], x;\nmov.b128 z, {b, a};\natom.shared.cas.b128 y, [s], x, z;\natom.shared.cas.b128 y, [s], x, x;\nmov.b128 {d, c}, y; }",
         [(r, (r[1], r[0])) for r in wide], module=".shared .align 16 .b8 m[512];", flags="sm_90")
    # atomics of halves and vectors: each lane has its own place
    own = "{ .reg .u32 t;\n.reg .u64 s, u;\nmov.u32 t, %tid.x;\nmov.u64 s, m;\nmul.wide.u32 u, t, 16;\nadd.u64 s, s, u;\n"
    memory = ".global .align 16 .b8 m[512];"
    for t, f in (("f16", F16), ("bf16", BF16)):
        add = half_arithmetic("add", f)
        rows = [r for r in e.float_rows(t, 2, 30)[:30]]
        test(f"atom.add.noftz.{t}", "a:b16 b:b16", "d:b16 c:b16", own + f"st.global.b16 [s], a;\natom.global.add.noftz.{t} d, [s], b;\nld.global.b16 c, [s]; }}",
             [(r, (r[0], add(*r))) for r in rows], module=memory, flags="sm_90" if t == "bf16" else "")
        test(f"red.add.noftz.{t}", "a:b16 b:b16", "c:b16", own + f"st.global.b16 [s], a;\nred.global.add.noftz.{t} [s], b;\nld.global.b16 c, [s]; }}",
             [(r, (add(*r),)) for r in rows], module=memory, flags="sm_90" if t == "bf16" else "")
        two = [tuple(x | y << 16 for x, y in zip(p, q)) for p, q in zip(rows, rows[3:] + rows[:3])]
        test(f"atom.add.noftz.{t}x2", "a:b32 b:b32", "d:b32 c:b32", own + f"st.global.b32 [s], a;\natom.global.add.noftz.{t}x2 d, [s], b;\nld.global.b32 c, [s]; }}",
             [(r, (r[0], pairs(add)(*r))) for r in two], module=memory, flags="sm_90" if t == "bf16" else "")
        test(f"red.add.noftz.{t}x2", "a:b32 b:b32", "c:b32", own + f"st.global.b32 [s], a;\nred.global.add.noftz.{t}x2 [s], b;\nld.global.b32 c, [s]; }}",
             [(r, (pairs(add)(*r),)) for r in two], module=memory, flags="sm_90" if t == "bf16" else "")
        for name, sign in (("min", -1), ("max", 1)):
            rows = [r for r in random.sample([(x, y) for x in e.float_edges(t)[0][:10] for y in e.float_edges(t)[0][:10]], 24)]
            run = smaller(f, sign)
            two = [tuple(x | y << 16 for x, y in zip(p, q)) for p, q in zip(rows, rows[3:] + rows[:3])]
            test(f"atom.v2.{t}.{name}", "a:b16 b:b16 x:b16 y:b16", "d:b16 c:b16 g:b16 h:b16",
                 own + f"st.global.v2.b16 [s], {{a, b}};\natom.global.v2.{t}.{name}.noftz {{d, c}}, [s], {{x, y}};\nld.global.v2.b16 {{g, h}}, [s]; }}",
                 [(p + q, p + (run(p[0], q[0]), run(p[1], q[1]))) for p, q in zip(rows, rows[5:] + rows[:5])], module=memory, flags="sm_90")
            test(f"red.v2.{t}.{name}", "a:b16 b:b16 x:b16 y:b16", "g:b16 h:b16",
                 own + f"st.global.v2.b16 [s], {{a, b}};\nred.global.v2.{t}.{name}.noftz [s], {{x, y}};\nld.global.v2.b16 {{g, h}}, [s]; }}",
                 [(p + q, (run(p[0], q[0]), run(p[1], q[1]))) for p, q in zip(rows, rows[5:] + rows[:5])], module=memory, flags="sm_90")
            test(f"atom.v2.{t}x2.{name}", "a:b32 x:b32", "d:b32 c:b32 g:b32",
                 own + f"st.global.v2.b32 [s], {{a, a}};\natom.global.v2.{t}x2.{name}.noftz {{d, c}}, [s], {{x, a}};\nld.global.b32 g, [s]; }}",
                 [(r, (r[0], r[0], pairs(run)(*r))) for r in two], module=memory, flags="sm_90")
            test(f"red.v2.{t}x2.{name}", "a:b32 x:b32", "g:b32",
                 own + f"st.global.v2.b32 [s], {{a, a}};\nred.global.v2.{t}x2.{name}.noftz [s], {{x, a}};\nld.global.b32 g, [s]; }}",
                 [(r, (pairs(run)(*r),)) for r in two], module=memory, flags="sm_90")
    plain = [r for r in e.float_rows("f32", 2, 24)[:24] if all(flush(x, F32) == x for x in r)]
    add32 = e.float_op("add", F32)
    plain = [r for r in plain if flush(add32(*r), F32) == add32(*r)]
    test("atom.v4.f32.add", "a:b32 b:b32", "d:b32 c:b32 g:b32 h:b32",
         "{ .reg .f32 x, y;\n" + own[1:] + "st.global.v4.b32 [s], {a, b, a, b};\natom.global.v4.f32.add {d, c, x, y}, [s], {b, b, a, a};\nld.global.b32 g, [s+4];\nld.global.b32 h, [s+8]; }",
         [(r, (r[0], r[1], add32(r[1], r[1]), add32(r[0], r[0]))) for r in plain], module=memory, flags="sm_90")
    test("red.v2.f32.add", "a:b32 b:b32", "g:b32 h:b32",
         own + "st.global.v2.b32 [s], {a, b};\nred.relaxed.gpu.global.v2.f32.add [s], {b, b};\nld.global.v2.b32 {g, h}, [s]; }",
         [(r, (add32(*r), add32(r[1], r[1]))) for r in plain], module=memory, flags="sm_90")
    reds = {"min.s64": min, "max.s64": max, "min.u64": min, "max.u64": max, "and.b64": lambda a, b: a & b, "or.b64": lambda a, b: a | b, "xor.b64": lambda a, b: a ^ b,
            "inc.u32": lambda a, b: 0 if a >= b else a + 1, "dec.u32": lambda a, b: b if a == 0 or a > b else a - 1}
    for name, function in reds.items():
        t = name.split(".")[1]
        bits = e.width(t)
        test(f"red.{name}", f"a:b{bits} b:b{bits}", f"c:b{bits}", own + f"st.global.b{bits} [s], a;\nred.global.{name} [s], b;\nld.global.b{bits} c, [s]; }}",
             [(r, (function(value(r[0], t), value(r[1], t)) & mask(bits),)) for r in tuples([t, t])], module=memory)
    # ldu, policies and what does nothing here
    for t in ("b8", "u8", "s8", "b16", "u16", "s16", "b32", "u32", "s32", "f32", "b64", "u64", "s64", "f64"):
        bits = e.width(t)
        rows = [((x,), ((value(x, t) if t[0] == "s" else x & mask(bits)) & mask(max(bits, 16)),)) for x in e.edges("u" + str(bits))]
        test(f"ldu.{t}", f"a:b{max(16, bits)}", f"d:b{max(16, bits)}", own + f"st.global.b{bits} [s], a;\nmembar.gl;\nldu.global.{t} d, [s]; }}", rows, module=memory, flags="sim-only")
    test("cache-policies", "a:b32", "d:b32",
         own + ".reg .b64 p;\ncreatepolicy.fractional.L2::evict_last.b64 p, 1.0;\nst.global.L2::cache_hint.b32 [s], a, p;\nprefetch.global.L2 [s];\nprefetch.global.L2::evict_last [s];\n"
         "applypriority.global.L2::evict_normal [m], 128;\nld.global.L2::cache_hint.b32 d, [s], p; }", [((x,), (x,)) for x in (1, 2, 3)], module=".global .align 128 .b8 m[512];", flags="sm_90")
    test("policies-of-ranges", "a:b64", "d:b32",
         "{ .reg .b64 p, q;\ncreatepolicy.range.global.L2::evict_last.L2::evict_first.b64 p, [m], 0x100, 0x200;\ncreatepolicy.cvt.L2.b64 q, a;\nprefetch.tensormap [m];\ndiscard.global.L2 [m], 128;\nmov.u32 d, 7; }",
         [((0,), (7,))], module=".global .align 128 .b8 m[512];", flags="sim-only")
    test("hints-that-do-nothing", "a:b32", "d:b32",
         "fence.proxy.alias;\nmembar.proxy.alias;\nfence.proxy.tensormap::generic.release.gpu;\ngriddepcontrol.wait;\ngriddepcontrol.launch_dependents;\nsetmaxnreg.inc.sync.aligned.u32 64;\n"
         "setmaxnreg.dec.sync.aligned.u32 24;\npmevent.mask 3;\nmov.u32 d, a;", [((5,), (5,))], flags="sim-only")
    test("elect.sync", "a:b32", "d:b32 p:pred", "elect.sync d|p, 0xffffffff;", [((0,), ("*", "*"))], flags="sim-only all-lanes")
    test("elect.sync-one", "a:b32", "d:b32", "{ .reg .pred p;\n.reg .b32 v;\nelect.sync _|p, 0xffffffff;\nvote.sync.ballot.b32 v, p, 0xffffffff;\npopc.b32 d, v; }", [((0,), (1,))], flags="sm_90 all-lanes")
    # the rough reciprocals of doubles keep twenty bits
    def upper(x):
        return x & ~mask(32)
    for name, power in (("rcp", 1), ("rsqrt", 2)):
        points = [encode(Fraction(x), F64) for x in (1, 2, 3.7, 1e10, 1e-10, 123456.789)]
        rows = []
        for x in points:
            v = decode(upper(x), F64).fraction
            d = encode(1 / v if power == 1 else Fraction(float(v) ** -0.5), F64)
            rows.append(((x,), (f"~{hex(d >> 32)}:2", 0)))
        rows += [((x,), (d >> 32, 0)) for x, d in ((0, F64.inf), (F64.sign, F64.inf | F64.sign), (F64.inf, 0), (5, F64.inf), (F64.sign | 5, F64.inf | F64.sign))]
        test(f"{name}.approx.ftz.f64", "a:b64", "d:b32 c:b32", "{ .reg .b64 x;\n" + f"{name}.approx.ftz.f64 x, a;\nmov.b64 {{c, d}}, x; }}", rows)
