"""Floating point. Run by expected.py."""
import math
from decimal import Decimal, getcontext

from expected_base import *


with Family("float", "Floating point, PTX ISA 9.7.3 to 9.7.5."):
    for kind, count in (("add", 2), ("sub", 2), ("mul", 2), ("fma", 3)):
        for t in ("f32", "f64"):
            f = FORMATS[t]
            for mode in ("rn", "rz", "rm", "rp"):
                rows = float_rows(t, count)
                if t == "f64":  # NaNs of doubles have their own test
                    rows = [r for r in rows if decode(float_op(kind, f, mode)(*r), f).kind != "nan"]
                float_test(f"{kind}.{mode}.{t}", t, count, float_op(kind, f, mode), rows)
        if kind != "fma":
            float_test(f"{kind}.f32", "f32", count, float_op(kind, F32))
        float_test(f"{kind}.rn.ftz.f32", "f32", count, float_op(kind, F32, "rn", True))
        float_test(f"{kind}.rn.sat.f32", "f32", count, float_op(kind, F32, "rn", False, True))
        float_test(f"{kind}.rz.ftz.sat.f32", "f32", count, float_op(kind, F32, "rz", True, True))
        float_test(f"{kind}.rn.f16", "f16", count, float_op(kind, F16))
        float_test(f"{kind}.rn.ftz.f16", "f16", count, float_op(kind, F16, "rn", True))
        float_test(f"{kind}.rn.sat.f16", "f16", count, float_op(kind, F16, "rn", False, True))
        for flags, more in (("rn", {}), ("rn.ftz", {"ftz": True}), ("rn.sat", {"sat": True})):
            a, b = float_rows("f16", count, 40)[:40], float_rows("f16", count, 40)[:40]
            rows = [tuple(x | y << 16 for x, y in zip(p, q)) for p, q in zip(a, b)]
            letters = "abc"[:count]
            for i, part in enumerate(chunks(rows)):
                test(f"{kind}.{flags}.f16x2-{i}", " ".join(f"{l}:b32" for l in letters), "d:b32",
                     f"{kind}.{flags}.f16x2 d, {', '.join(letters)};",
                     [(r, (halves(float_op(kind, F16, **more))(*r),)) for r in part])
    float_test("mad.rn.f32", "f32", 3, float_op("fma", F32))
    float_test("mad.rz.f64", "f64", 3, float_op("fma", F64, "rz"),
               [r for r in float_rows("f64", 3) if decode(float_op("fma", F64, "rz")(*r), F64).kind != "nan"])
    for t, modes in (("f32", ("rn", "rz", "rm", "rp")), ("f64", ("rn", "rz", "rm", "rp"))):
        for mode in modes:
            for kind, count in (("div", 2), ("rcp", 1), ("sqrt", 1)):
                rows = float_rows(t, count)
                if t == "f64":
                    rows = [r for r in rows if decode(float_op(kind, F64, mode)(*r), F64).kind != "nan"]
                float_test(f"{kind}.{mode}.{t}", t, count, float_op(kind, FORMATS[t], mode), rows)
    for kind, count in (("div", 2), ("rcp", 1), ("sqrt", 1)):
        float_test(f"{kind}.rn.ftz.f32", "f32", count, float_op(kind, F32, "rn", True))
    # a double's NaN keeps its payload, made quiet; an invalid operation makes the default one
    payload, other = 0x7FF8000000001234, 0xFFF800000000ABCD
    one64, inf64 = 0x3FF0000000000000, 0x7FF0000000000000
    for kind in ("add", "sub", "mul", "div"):
        test(f"{kind}.f64-nan", "a:b64 b:b64", "d:b64", f"{kind}{'.rn' if kind == 'div' else ''}.f64 d, a, b;",
             [((payload, one64), (payload,)), ((one64, payload), (payload,)), ((0x7FF0000000001234, one64), (payload,)),
              ((one64, 0x7FF0000000001234), (payload,))])
    test("invalid.f64", "a:b64 b:b64 z:b64", "d:b64 e:b64 f:b64 g:b64",
         "add.f64 d, a, b;\nmul.f64 e, a, z;\ndiv.rn.f64 f, z, z;\nsqrt.rn.f64 g, b;",
         [((inf64, inf64 | F64.sign, 0), (F64.nan,) * 4)])
    for t in ("f32", "f64", "f16"):
        f, b = FORMATS[t], f"b{width(t)}"
        some, near = float_edges(t)
        no_nan = [(x,) for x in some + near if decode(x, f).kind != "nan"]
        float_test(f"abs.{t}", t, 1, lambda x: x & ~f.sign, no_nan)
        float_test(f"neg.{t}", t, 1, lambda x: x ^ f.sign, no_nan)
        for name, sign in (("min", -1), ("max", 1)):
            rows = [(x, y) for x in some[:11] for y in some[:11]]
            if t == "f64":
                rows = [r for r in rows if decode(r[0], f).kind != "nan" or decode(r[1], f).kind != "nan"]
            float_test(f"{name}.{t}", t, 2, minimum(f, sign), random.sample(rows, 64) + [(0, f.sign), (f.sign, 0), (f.nan & ~f.sign, some[2]), (some[2], f.nan & ~f.sign)])
            if t == "f32":
                float_test(f"{name}.ftz.f32", t, 2, minimum(f, sign, True), random.sample(rows, 64))
    float_test("abs.ftz.f32", "f32", 1, lambda x: flush(x & mask(31), F32), [(x,) for x in float_edges("f32")[0] if x != F32.nan])
    float_test("neg.ftz.f32", "f32", 1, lambda x: flush(x ^ F32.sign, F32), [(x,) for x in float_edges("f32")[0] if x != F32.nan])
    test("neg.f16x2", "a:b32", "d:b32", "neg.f16x2 d, a;", [((x,), (x ^ 0x80008000,)) for x in (0, 0x3C00BC00, 0x7C000001, 0xFBFF8000)])
    for t in ("f32", "f64"):
        f = FORMATS[t]
        float_test(f"copysign.{t}", t, 2, lambda a, b: a & f.sign | b & ~f.sign,
                   [(a, b) for a in (0, f.sign, f.inf | f.sign, 1, f.bias << f.fraction) for b in (1, f.sign | 1, f.inf, f.sign, (f.bias << f.fraction) | f.sign)])
        some, near = float_edges(t)
        rows = [((x,), (int(not decode(x, f).kind), int(decode(x, f).kind == INF), int(decode(x, f).kind != "nan"), int(decode(x, f).kind == "nan"),
                        int(not decode(x, f).kind and not 0 < (x & ~f.sign) < 1 << f.fraction), int(0 < (x & ~f.sign) < 1 << f.fraction)))
                for x in some + [f.inf + 1, f.sign | f.inf | 5]]
        code = "\n".join(f"testp.{n}.{t} {d}, a;" for n, d in zip(("finite", "infinite", "number", "notanumber", "normal", "subnormal"), "cdefgh"))
        test(f"testp.{t}", f"a:b{width(t)}", " ".join(f"{d}:pred" for d in "cdefgh"), code, rows)
    # the approximations: exact at the special values that the ISA lists, near elsewhere
    getcontext().prec = 60

    def near(x, ulp):
        return f"~{hex(encode(x, F32))}:{ulp}"

    ordinary = [f32(x) for x in (1, 2, 3, 0.1, 7.5, 123.456, 1e-5, 1e10, 0.333)]
    test("rcp.approx.f32", "a:b32", "d:b32", "rcp.approx.f32 d, a;",
         [((x,), (near(1 / decode(x, F32).fraction, 1),)) for x in ordinary] +
         [((0,), (PINF,)), ((NZERO,), (NINF,)), ((PINF,), (0,)), ((NINF,), (NZERO,)), ((NAN,), (NAN,))])
    test("rcp.approx.ftz.f32", "a:b32", "d:b32", "rcp.approx.ftz.f32 d, a;",
         [((x,), (near(1 / decode(x, F32).fraction, 1),)) for x in ordinary] + [((1,), (PINF,)), ((NZERO | 5,), (NINF,)), ((f32(2.0**127.5),), (0,))])
    for form in ("approx", "full"):
        test(f"div.{form}.f32", "a:b32 b:b32", "d:b32", f"div.{form}.f32 d, a, b;",
             [((x, y), (near(decode(x, F32).fraction / decode(y, F32).fraction, 2),)) for x in ordinary[:5] for y in ordinary[:5]])
    def root(x):
        n = decode(x, F32).fraction
        return Fraction(isqrt(n.numerator * n.denominator << 200), n.denominator << 100)
    test("sqrt.approx.f32", "a:b32", "d:b32", "sqrt.approx.f32 d, a;",
         [((x,), (near(root(x), 2),)) for x in ordinary] + [((0,), (0,)), ((NZERO,), (NZERO,)), ((PINF,), (PINF,)), ((f32(-1),), (NAN,)), ((NAN,), (NAN,))])
    test("rsqrt.approx.f32", "a:b32", "d:b32", "rsqrt.approx.f32 d, a;",
         [((x,), (near(1 / root(x), 2),)) for x in ordinary] + [((0,), (PINF,)), ((NZERO,), (NINF,)), ((PINF,), (0,)), ((f32(-1),), (NAN,)), ((NAN,), (NAN,))])
    test("rsqrt.approx.ftz.f32", "a:b32", "d:b32", "rsqrt.approx.ftz.f32 d, a;",
         [((x,), (near(1 / root(x), 2),)) for x in ordinary] + [((1,), (PINF,)), ((NZERO | 1,), (NINF,))])
    test("rsqrt.approx.f64", "a:b64", "d:b64", "rsqrt.approx.f64 d, a;",
         [((encode(Fraction(x), F64),), (f"~{hex(encode(Fraction(y), F64))}:20000000",)) for x, y in ((1, 1), (4, .5), (.25, 2), (2, 2 ** -.5), (100, .1))])
    angles = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, -0.25, -2.5, 0.785]
    for name, function in (("sin", math.sin), ("cos", math.cos)):
        for flags in ("approx", "approx.ftz"):
            test(f"{name}.{flags}.f32", "a:b32", "d:b32", f"{name}.{flags}.f32 d, a;",
                 [((f32(x),), (near(Fraction(function(decode(f32(x), F32).fraction)), 128),)) for x in angles if abs(function(x)) > .05] +
                 [((PINF,), (NAN,)), ((NINF,), (NAN,)), ((NAN,), (NAN,))] + ([((0,), (0,)), ((NZERO,), (NZERO,))] if name == "sin" else [((0,), (f32(1),)), ((NZERO,), (f32(1),))]))
    for flags in ("approx", "approx.ftz"):
        test(f"lg2.{flags}.f32", "a:b32", "d:b32", f"lg2.{flags}.f32 d, a;",
             [((f32(x),), (near(Fraction(math.log2(x)), 8),)) for x in (2, 4, 3, 10, .125, .3, 1e20)] +
             [((f32(1),), (0,)), ((0,), (NINF,)), ((NZERO,), (NINF,)), ((PINF,), (PINF,)), ((f32(-1),), (NAN,)), ((NAN,), (NAN,)), ((NINF,), (NAN,))] +
             ([((1,), (NINF,))] if "ftz" in flags else [((1,), (near(Fraction(-149), 8),))]))
        test(f"ex2.{flags}.f32", "a:b32", "d:b32", f"ex2.{flags}.f32 d, a;",
             [((f32(x),), (near(Fraction(2 ** decode(f32(x), F32).fraction), 4),)) for x in (1, -1, .5, 3.7, -20, 100.25)] +
             [((0,), (f32(1),)), ((NZERO,), (f32(1),)), ((PINF,), (PINF,)), ((NINF,), (0,)), ((NAN,), (NAN,)), ((f32(200),), (PINF,)), ((f32(-200),), (0,))] +
             ([((f32(-130),), (0,))] if "ftz" in flags else [((f32(-130),), (near(Fraction(2) ** -130, 2),))]))
    test("tanh.approx.f32", "a:b32", "d:b32", "tanh.approx.f32 d, a;",
         [((f32(x),), (near(Fraction(math.tanh(x)), 8192),)) for x in (.5, 1, 2, -1, .1)] + [((PINF,), (f32(1),)), ((NINF,), (f32(-1),)), ((NAN,), (NAN,))])
