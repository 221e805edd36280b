"""Conversions, comparisons and selections. Run by expected.py."""
import operator

from expected_base import *


with Family("convert", "cvt, PTX ISA 9.7.9."):
    ALL = ["s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64"]
    for to in ALL:
        for source in ALL:
            covers = clamp(-(1 << 70), to) <= clamp(-(1 << 70), source) and clamp(1 << 70, to) >= clamp(1 << 70, source)
            for sat in ("",) if covers else ("", ".sat"):
                rows = [((x,), (value(clamp(value(x, source), to) if sat else value(x, source), to) & mask(max(16, width(to))),)) for x in edges(source)]
                test(f"cvt{sat}.{to}.{source}", f"a:{reg(source)}", f"d:{reg(to)}", f"cvt{sat}.{to}.{source} d, a;", rows)
    # into wider registers: extended by the type's own sign; from wider ones: the low bits
    for to, source, d, a in (("s8", "s32", 32, 32), ("u8", "s32", 32, 32), ("s16", "s64", 32, 64), ("u16", "u32", 32, 32),
                             ("s8", "s64", 64, 64), ("u8", "u16", 32, 32), ("s16", "u16", 64, 32), ("u16", "s16", 64, 64),
                             ("s32", "s8", 32, 32), ("s64", "s16", 64, 32), ("u32", "u8", 32, 64), ("s32", "s32", 64, 32)):
        rows = [((x,), (value(value(x, source), to) & mask(d),)) for x in (random.getrandbits(a) for _ in range(16))]
        test(f"wide-cvt.{to}.{source}-{d}-{a}", f"a:b{a}", f"d:b{d}", f"cvt.{to}.{source} d, a;", rows)
    interesting = [0.5, 1.5, 2.5, -0.5, -1.5, 0.49999997, 1.0, -1.0, 127.5, 128.0, -128.5, 255.5, 256.0, 32767.5, -32769.0, 65535.5,
                   2147483520.0, 2147483648.0, -2147483648.0, 4294967040.0, 4294967296.0, 9.3e18, -9.3e18, 1.9e19, 1e-40, -1e-40, 1e30]
    for source in ("f16", "f32", "f64"):
        f = FORMATS[source]
        bits = [encode(Fraction(x), f) for x in interesting] + [f.inf, f.inf | f.sign, f.nan & ~f.sign, f.sign, 1]
        for to in ALL:
            for mode in ("rni", "rzi", "rmi", "rpi"):
                for ftz in ("", ".ftz") if source == "f32" and to in ("s32", "u64") else ("",):
                    def convert(x):
                        n = decode(flush(x, f) if ftz else x, f)
                        if n.kind == "nan":  # 9.7.9.21: by the types
                            return 1 << (width(to) - 1) if "64" in source + to else 0
                        if n.kind:
                            return clamp(-(1 << 70) if n.negative else 1 << 70, to)
                        return clamp(whole(n.fraction, mode[:2]), to)
                    rows = [((x,), (value(convert(x), to) & mask(max(16, width(to))),)) for x in bits]
                    test(f"cvt.{mode}{ftz}.{to}.{source}", f"a:{reg(source)}", f"d:{reg(to)}", f"cvt.{mode}{ftz}.{to}.{source} d, a;", rows)
    for source in ALL:
        for to in ("f16", "f32", "f64"):
            for mode in ("rn", "rz", "rm", "rp"):
                f = FORMATS[to]
                rows = [((x,), (encode(Fraction(value(x, source)), f, mode),)) for x in edges(source) + [x & mask(width(source)) for x in (16777217, 33554435, 0x1000000080000001, 65519, 65520, 2049, 2051)]]
                test(f"cvt.{mode}.{to}.{source}", f"a:{reg(source)}", f"d:{reg(to)}", f"cvt.{mode}.{to}.{source} d, a;", rows)
    def narrow(x, source, to, mode="rn", ftz=False, sat=False):
        f, g = FORMATS[source], FORMATS[to]
        if ftz and source == "f32":
            x = flush(x, f)
        n = decode(x, f)
        if n.kind == "nan":  # a double's payload is cut
            d = g.inf | (x & mask(52)) >> (52 - g.fraction) if source == "f64" else g.nan
        elif n.kind:
            d = g.inf | (g.sign if n.negative else 0)
        else:
            d = encode(n.fraction, g, mode, n.negative)
        if sat:
            d = saturate(d, g)
        return flush(d, g) if ftz and to == "f32" else d

    def sources(t, to):
        some, near = float_edges(t)
        f, g = FORMATS[t], FORMATS[to]
        made = some + near[:4]
        if f.bits > g.bits:  # ties, and values that would be rounded twice by way of a third format
            one = f.bias << f.fraction
            half = 1 << (f.fraction - g.fraction - 1)
            made = some + [one + half, one + 3 * half, one + half + 1, one + half - 1, one + 3 * half - 1, (one + half) | f.sign]
            scale = (g.least - g.fraction + f.bias) << f.fraction
            made += [scale, scale - 1, scale + 1, scale - (1 << f.fraction), scale - (1 << f.fraction) + 1]
            made += [encode(decode(g.largest, g).fraction + k * Fraction(2) ** (g.bias - g.fraction - 1), f) for k in (1, Fraction(1, 2), 2)]
            if t == "f64":  # a tie in the target that single precision would hide
                made += [one + (1 << (f.fraction - g.fraction - 1)) + 1]
        return [x for x in made[:32] if t != "f64" or to != "f64" or decode(x, f).kind != "nan"]
    for source, to in (("f32", "f16"), ("f64", "f16"), ("f64", "f32")):
        for mode in ("rn", "rz", "rm", "rp"):
            test(f"cvt.{mode}.{to}.{source}", f"a:{reg(source)}", f"d:{reg(to)}", f"cvt.{mode}.{to}.{source} d, a;",
                 [((x,), (narrow(x, source, to, mode),)) for x in sources(source, to)])
        test(f"cvt.rn.sat.{to}.{source}", f"a:{reg(source)}", f"d:{reg(to)}", f"cvt.rn.sat.{to}.{source} d, a;",
             [((x,), (narrow(x, source, to, "rn", False, True),)) for x in sources(source, to)])
    test("cvt.rn.ftz.f16.f32", "a:b32", "d:b16", "cvt.rn.ftz.f16.f32 d, a;", [((x,), (narrow(x, "f32", "f16", "rn", True),)) for x in sources("f32", "f16")])
    test("cvt.rn.ftz.f32.f64", "a:b64", "d:b32", "cvt.rn.ftz.f32.f64 d, a;", [((x,), (narrow(x, "f64", "f32", "rn", True),)) for x in sources("f64", "f32")])
    test("cvt.rn.bf16.f32", "a:b32", "d:b16", "cvt.rn.bf16.f32 d, a;", [((x,), (narrow(x, "f32", "bf16"),)) for x in sources("f32", "bf16")])
    test("cvt.rz.bf16.f32", "a:b32", "d:b16", "cvt.rz.bf16.f32 d, a;", [((x,), (narrow(x, "f32", "bf16", "rz"),)) for x in sources("f32", "bf16")])
    for source, to in (("f16", "f32"), ("f32", "f64"), ("f16", "f64")):
        rows = [x for x in sources(source, to) if to == "f32" or decode(x, FORMATS[source]).kind != "nan"]
        for sat in ("", ".sat"):
            test(f"cvt{sat}.{to}.{source}", f"a:{reg(source)}", f"d:{reg(to)}", f"cvt{sat}.{to}.{source} d, a;",
                 [((x,), (narrow(x, source, to, "rn", False, bool(sat)),)) for x in rows])
    test("cvt.ftz.f64.f32", "a:b32", "d:b64", "cvt.ftz.f64.f32 d, a;",
         [((x,), (narrow(x, "f32", "f64", "rn", True),)) for x in sources("f32", "f64") if decode(x, F32).kind != "nan"])
    for t in ("f16", "f32", "f64"):
        f = FORMATS[t]
        bits = [x for x in [encode(Fraction(v), f) for v in interesting[:16]] + [f.inf, f.sign, 1, f.sign | 1, f.inf | f.sign, f.largest]]
        if t == "f32":
            bits.append(f.nan)
        for mode in ("rni", "rzi", "rmi", "rpi"):
            for flags in ("", ".ftz", ".sat") if t == "f32" else ("",):
                def integral(x):
                    x = flush(x, f) if flags == ".ftz" else x
                    n = decode(x, f)
                    if n.kind:
                        d = f.nan if n.kind == "nan" else x
                    else:
                        d = encode(Fraction(whole(n.fraction, mode[:2])), f, "rn", n.negative)
                    return saturate(d, f) if flags == ".sat" else d
                test(f"cvt.{mode}{flags}.{t}.{t}", f"a:{reg(t)}", f"d:{reg(t)}", f"cvt.{mode}{flags}.{t}.{t} d, a;", [((x,), (integral(x),)) for x in bits])
    for flags in (".sat", ".ftz", ".ftz.sat"):
        test(f"cvt{flags}.f32.f32", "a:b32", "d:b32", f"cvt{flags}.f32.f32 d, a;",
             [((x,), (narrow(x, "f32", "f32", "rn", "ftz" in flags, "sat" in flags),)) for x in float_edges("f32")[0]])
    test("cvt.rn.f16x2.f32", "a:b32 b:b32", "d:b32", "cvt.rn.f16x2.f32 d, a, b;",
         [((x, y), (narrow(x, "f32", "f16") << 16 | narrow(y, "f32", "f16"),)) for x, y in zip(sources("f32", "f16"), reversed(sources("f32", "f16")))])
    test("cvt.rz.f16x2.f32", "a:b32 b:b32", "d:b32", "cvt.rz.f16x2.f32 d, a, b;",
         [((x, y), (narrow(x, "f32", "f16", "rz") << 16 | narrow(y, "f32", "f16", "rz"),)) for x, y in zip(sources("f32", "f16"), reversed(sources("f32", "f16")))])

with Family("compare", "setp, set, selp, slct, PTX ISA 9.7.6."):
    ORDER = {"eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge}
    ALIASES = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}

    def pairs(t):
        pool = edges(t)[:6]
        return [(x, y) for x in pool for y in pool][:28] + [(x, x) for x in edges(t)[11:15]]
    for t in INTS + ["b16", "b32", "b64"]:
        for name in ("eq", "ne") if t[0] == "b" else list(ORDER) + (list(ALIASES) if t[0] == "u" else []):
            f = ORDER[ALIASES.get(name, name)]
            test(f"setp.{name}.{t}", f"a:{reg(t)} b:{reg(t)}", "d:pred", f"setp.{name}.{t} d, a, b;",
                 [(r, (int(f(value(r[0], t), value(r[1], t))),)) for r in pairs(t)])

    def float_compare(name, a, b, f):
        x, y = decode(a, f), decode(b, f)
        unordered = "nan" in (x.kind, y.kind)
        if name in ("num", "nan"):
            return int(unordered == (name == "nan"))
        if unordered:
            return int(name in ("equ", "neu", "ltu", "leu", "gtu", "geu"))
        key = lambda n: (-1 if n.negative else 1) * Fraction(10) ** 400 if n.kind == INF else n.fraction
        return int(ORDER[name[:2]](key(x), key(y)))
    FLOAT_NAMES = list(ORDER) + ["equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"]

    def float_pairs(t):
        f = FORMATS[t]
        one = f.bias << f.fraction
        pool = [0, f.sign, one, one | f.sign, f.inf, f.nan & ~f.sign]
        return [(x, y) for x in pool for y in pool][:30] + [(1, 0), (1, f.sign | 1)]
    for t in ("f16", "f32", "f64"):
        f = FORMATS[t]
        for name in FLOAT_NAMES:
            test(f"setp.{name}.{t}", f"a:{reg(t)} b:{reg(t)}", "d:pred", f"setp.{name}.{t} d, a, b;",
                 [(r, (float_compare(name, *r, f),)) for r in float_pairs(t)])
    for name in ("eq", "lt", "neu"):
        test(f"setp.{name}.ftz.f32", "a:b32 b:b32", "d:pred", f"setp.{name}.ftz.f32 d, a, b;",
             [(r, (float_compare(name, flush(r[0], F32), flush(r[1], F32), F32),)) for r in float_pairs("f32") + [(1, 0)][:0]])
        test(f"setp.{name}.ftz.f16", "a:b16 b:b16", "d:pred", f"setp.{name}.ftz.f16 d, a, b;",
             [(r, (float_compare(name, flush(r[0], F16), flush(r[1], F16), F16),)) for r in float_pairs("f16")])
    BOOLEANS = {"and": lambda x, y: x & y, "or": lambda x, y: x | y, "xor": lambda x, y: x ^ y}
    for word, f in BOOLEANS.items():
        rows = [((a, b, c), (f(int(a < b), c), f(1 - int(a < b), c))) for a, b in ((1, 2), (2, 1), (2, 2)) for c in (0, 1)]
        test(f"setp.lt.{word}.u32-pair", "a:b32 b:b32 c:pred", "p:pred q:pred", f"setp.lt.{word}.u32 p|q, a, b, c;", rows)
        test(f"setp.lt.{word}.f32-not", "a:b32 b:b32 c:pred", "p:pred q:pred", f"setp.lt.{word}.f32 p|q, a, b, !c;",
             [((a, b, c), (f(float_compare("lt", a, b, F32), 1 - c), f(1 - float_compare("lt", a, b, F32), 1 - c)))
              for a, b in ((0, f32(1)), (f32(1), 0), (F32.nan, 0)) for c in (0, 1)])
    test("setp-pair", "a:b32 b:b32", "p:pred q:pred", "setp.eq.s32 p|q, a, b;", [((1, 1), (1, 0)), ((1, 2), (0, 1))])
    test("setp-sink", "a:b32", "q:pred", "setp.gt.s32 _|q, a, 5;", [((7,), (0,)), ((5,), (1,)), ((mask(32),), (1,))], flags="sim-only")  # ptxas 13.0 crashes
    test("setp-immediate", "a:b32", "p:pred", "setp.lt.f32 p, a, 0f3F800000;", [((0,), (1,)), ((f32(1),), (0,))])
    ONE = {"u32": mask(32), "s32": mask(32), "f32": f32(1)}
    for d in ("u32", "s32", "f32"):
        for t, name in (("s32", "lt"), ("u32", "lt"), ("f32", "lt"), ("f32", "geu")) + ((("f64", "ge"), ("b32", "eq")) if d == "u32" else ()):
            rows = float_pairs(t) if t[0] == "f" else pairs(t)
            compare = (lambda r: float_compare(name, *r, FORMATS[t])) if t[0] == "f" else (lambda r: int(ORDER[name](value(r[0], t), value(r[1], t))))
            test(f"set.{name}.{d}.{t}", f"a:{reg(t)} b:{reg(t)}", "d:b32", f"set.{name}.{d}.{t} d, a, b;", [(r, (ONE[d] * compare(r),)) for r in rows],
                 flags="cuda-unguarded" if d == "f32" else "")
    test("set.lt.ftz.u32.f32", "a:b32 b:b32", "d:b32", "set.lt.ftz.u32.f32 d, a, b;", [((0, 1), (0,)), ((0, f32(1)), (mask(32),)), ((F32.sign | 5, 0), (0,))])
    test("set.lt.and.u32.s32", "a:b32 b:b32 c:pred", "d:b32", "set.lt.and.u32.s32 d, a, b, c;",
         [((a, b, c), (mask(32) * (int(signed(a, 32) < b) & c),)) for a in (0, 5, mask(32)) for b in (1, 5) for c in (0, 1)])
    test("set.gt.f16.f16", "a:b16 b:b16", "d:b16", "set.gt.f16.f16 d, a, b;", [(r, (0x3C00 * float_compare("gt", *r, F16),)) for r in float_pairs("f16")], flags="cuda-unguarded")
    for t in ("b16", "u16", "s16", "b32", "u32", "s32", "f32", "b64", "u64", "s64", "f64"):
        test(f"selp.{t}", f"a:{reg(t)} b:{reg(t)} c:pred", f"d:{reg(t)}", f"selp.{t} d, a, b, c;", [((x, y, c), (x if c else y,)) for x, y in pairs(t)[1:4] for c in (0, 1)])
    test("selp.f16", "a:b16 b:b16 c:pred", "d:b16", "selp.f16 d, a, b, c;", [((1, 2, 0), (2,)), ((1, 2, 1), (1,))], flags="sim-only")
    test("selp-not", "a:b32 c:pred", "d:b32", "selp.b32 d, a, 17, !c;", [((5, 0), (5,)), ((5, 1), (17,))], flags="sim-only")
    test("slct.b32.s32", "a:b32 b:b32 c:b32", "d:b32", "slct.b32.s32 d, a, b, c;", [((5, 6, c), (5 if signed(c, 32) >= 0 else 6,)) for c in (0, 1, mask(31), 1 << 31, mask(32))])
