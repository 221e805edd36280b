"""What becomes of a NaN, and of signs of operands. Run by expected.py."""
import expected_base as e
from expected_base import BF16, F16, F32, F64, Family, mask, signed, test, tuples, value

TYPES = {"f32": F32, "f64": F64, "f16": F16, "bf16": BF16}


def nans(f):
    """With and without a sign; the lowest payload, the quiet bit, all of the payload, some."""
    quiet = 1 << (f.fraction - 1)
    return [f.inf | sign | x for sign in (0, f.sign) for x in (quiet, 1, mask(f.fraction), quiet | 5)]


def vmad(t, negated, scale, sat, plus_one):
    """ISA: signed where a factor is or where something is negated."""
    def run(a, b, c):
        is_signed = t[0] == "s" or negated != ""
        product = value(a, t[0] + "16") * value(b >> 8, t[0] + "8")
        third = signed(c, 32) if is_signed else c
        result = ((-product if negated in ("a", "b") else product) + (-third if negated == "c" else third) + plus_one) >> scale
        return (e.clamp(result, "s32" if is_signed else "u32") if sat else result) & mask(32)
    return run


with Family("signs", "NaNs and negated operands."):
    for name in ("abs", "neg"):
        for t, f in TYPES.items():
            # on the metal a sum with -0: the canonical NaN; a double keeps its own, with its sign
            result = (lambda x: x | 1 << 51) if t == "f64" else lambda x: f.nan
            word, flags = f"b{e.width(t)}", "sm_90" if t == "bf16" else ""
            test(f"{name}.{t}-nan", f"a:{word}", f"d:{word}", f"{name}.{t} d, a;", [((x,), (result(x),)) for x in nans(f)],
                 flags="cuda-unguarded" if t == "f32" else flags)  # guarded, only the sign changes
            if t[-2:] == "16":
                one = f.bias << f.fraction
                rows = [((x | one << 16,), (f.nan | (one | (f.sign if name == "neg" else 0)) << 16,)) for x in nans(f)]
                test(f"{name}.{t}x2-nan", "a:b32", "d:b32", f"{name}.{t}x2 d, a;", rows, flags=flags)
            if t in ("f32", "f16"):
                test(f"{name}.ftz.{t}-nan", f"a:{word}", f"d:{word}", f"{name}.ftz.{t} d, a;", [((x,), (f.nan,)) for x in nans(f)])
    # .ftz looks at a half's value before it is rounded, and not at an operand that becomes a half
    test("mul.ftz.f16-least", "a:b16 b:b16", "d:b16", "mul.rn.ftz.f16 d, a, b;",
         [((0x3BFF, 0x0400), (0,)), ((0xBBFF, 0x0400), (0x8000,)), ((0x3FFF, 0x0400), (0x07FF,)), ((0x3C00, 0x8400), (0x8400,))])
    for mode, rows in (("rp", ((1, 1), (0x807FFFFF, 0x8000), (0x007FFFFF, 1))), ("rm", ((1, 0), (0x807FFFFF, 0x8001), (0x80000001, 0x8001)))):
        test(f"cvt.{mode}.ftz.f16.f32", "a:b32", "d:b16", f"cvt.{mode}.ftz.f16.f32 d, a;", [((x,), (d,)) for x, d in rows])
    # where nothing of the payload is left, infinity
    test("cvt.rna.tf32.f32-nan", "a:b32", "d:b32", "cvt.rna.tf32.f32 d, a;", [((x,), (x & ~mask(13),)) for x in nans(F32)])
    for mode in ("rn", "rz"):
        test(f"cvt.{mode}.tf32.f32-nan", "a:b32", "d:b32", f"cvt.{mode}.tf32.f32 d, a;", [((x,), (F32.nan & ~mask(13),)) for x in nans(F32)], flags="sm_90")
    memory = ".global .align 256 .b8 g[128];\n.shared .align 256 .b8 s[128];"
    for space, variable in (("global", "g"), ("shared", "s")):
        code = f"""{{ .reg .u32 l;
.reg .u64 p;
mov.u32 l, %laneid;
mul.wide.u32 p, l, 4;
mov.u64 q, {variable};
add.s64 p, p, q;
st.{space}.b32 [p], a;
atom.{space}.add.f32 d, [p], b;
ld.{space}.b32 c, [p]; }}"""
        rows = [((x, 0x3F800000), (x, F32.nan)) for x in nans(F32)] + [((0x7F800000, 0xFF800000), (0x7F800000, F32.nan)), ((0x3F800000, 0x3F800000), (0x3F800000, 0x40000000))]
        test(f"atom.{space}.add.f32-nan", "a:b32 b:f32", "d:f32 c:b32", ".reg .u64 q;\n" + code, rows, module=memory)
    for t in ("u32", "s32"):
        for negated in ("a", "b", "c", ""):
            for scale in (0, 7, 15) if negated in ("a", "") else (0,):
                for sat in (False, True):
                    operands = [("-" if x == negated else "") + x for x in "abc"]
                    plus_one = negated == ""
                    form = f"vmad.{t}.{t}.{t}" + (".po" if plus_one else "") + (".sat" if sat else "") + (f".shr{scale}" if scale else "")
                    test(f"{form}-{negated}", "a:b32 b:b32 c:b32", "d:b32", f"{form} d, {operands[0]}.h0, {operands[1]}.b1, {operands[2]};",
                         [(r, (vmad(t, negated, scale, sat, plus_one)(*r),)) for r in tuples(["u32"] * 3, 24)],
                         flags="sim-only" if plus_one and t == "u32" and (sat or scale) else "")  # ptxas 13.0 shifts and clamps it as signed
