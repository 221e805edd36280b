#!/usr/bin/env python3
"""Writes the instruction tests' data files beside it.

The expected values come from whole numbers and fractions, never from the simulated GPU and never
from the host's floating point; on a machine with a GPU, `run_ptx --cuda` proves them on the metal.
Run it again after adding a test: python3 tests/ptx/expected.py
"""
import os
import random
from fractions import Fraction
from math import isqrt

HERE = os.path.dirname(os.path.abspath(__file__))
out = None


class Family:
    def __init__(self, name, about):
        self.name, self.lines, self.names = name, [f"# {about} Written by expected.py.", ""], set()

    def __enter__(self):
        global out
        out = self
        random.seed(self.name)
        return self

    def __exit__(self, *_):
        with open(os.path.join(HERE, self.name + ".txt"), "w") as file:
            file.write("\n".join(self.lines))


def show(value):
    return value if isinstance(value, str) else hex(value)


def test(name, ins, outs, code, rows, module="", printed="", flags=""):
    assert name not in out.names, name
    out.names.add(name)
    assert len(rows) <= 32, name
    lines = out.lines
    lines.append(f"test {name} {flags}".rstrip())
    if ins:
        lines.append("in " + ins)
    if outs:
        lines.append("out " + outs)
    for text, word in ((module, "module"), (code, "code"), (printed, "printed")):
        for line in text.strip("\n").split("\n") if text else []:
            lines.append(f"{word} {line}")
    for inputs, outputs in rows:
        lines.append(" ".join(["row"] + [show(x) for x in inputs] + ["->"] + [show(x) for x in outputs]))
    lines.append("")


def mask(bits):
    return (1 << bits) - 1


def signed(x, bits):
    x &= mask(bits)
    return x - (1 << bits) if x >> (bits - 1) else x


def width(t):
    return 1 if t == "pred" else int("".join(c for c in t if c.isdigit())[:2]) if "x2" not in t else 32


def reg(t):
    return "pred" if t == "pred" else f"b{max(16, width(t))}"


def value(x, t):
    return signed(x, width(t)) if t[0] == "s" else x & mask(width(t))


def edges(t):
    bits = width(t)
    top = 1 << (bits - 1)
    some = [0, 1, mask(bits), top, top - 1, top + 1, 2, mask(bits) - 1, 0x5A & mask(bits), 3, 7]
    return some + [random.getrandbits(bits) for _ in range(9)]


def tuples(types, count=32):
    """Rows of edge values: all pairs of the first few, then random choices."""
    pools = [edges(t) for t in types]
    rows = []
    if len(types) == 1:
        return [(x,) for x in pools[0]]
    for x in pools[0][:5]:
        for y in pools[1][:5]:
            rows.append((x, y) + tuple(random.choice(p) for p in pools[2:]))
    rows = rows[: count - 7]
    while len(rows) < count:
        rows.append(tuple(random.choice(p) for p in pools))
    return rows


def op(name, types, result, f, rows=None, **more):
    """d = f(a, b, ...) of values (signed where the type is)."""
    letters = "abce"[: len(types)]
    ins = " ".join(f"{l}:{reg(t)}" for l, t in zip(letters, types))
    made = []
    for row in rows or tuples(types):
        d = f(*[value(x, t) for x, t in zip(row, types)])
        if d is not None:
            made.append((row, (d & mask(width(result)),)))
    test(name, ins, f"d:{reg(result)}", f"{name} d, {', '.join(letters)};", made, **more)


INTS = ["s16", "u16", "s32", "u32", "s64", "u64"]


def clamp(x, t):
    bits = width(t)
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if t[0] == "s" else (0, mask(bits))
    return max(low, min(high, x))


def quotient(a, b):
    q = abs(a) // abs(b)
    return -q if (a < 0) != (b < 0) else q


def leading(x, bits, is_signed):
    x &= mask(bits)
    if is_signed and x >> (bits - 1):
        x = ~x & mask(bits)
    return x.bit_length() - 1 if x else None


def bfe(a, pos, length, t):
    bits, a = width(t), a & mask(width(t))
    pos, length = pos & 255, length & 255
    if length == 0:
        return 0
    sign = (a >> min(pos + length - 1, bits - 1)) & 1 if t[0] == "s" else 0
    d = 0
    for i in range(bits):
        bit = (a >> (pos + i)) & 1 if i < length and pos + i < bits else sign
        d |= bit << i
    return d


def bfi(a, b, pos, length, bits):
    pos, length = pos & 255, length & 255
    d = b
    for i in range(length):
        if pos + i < bits:
            d = d & ~(1 << (pos + i)) | ((a >> i) & 1) << (pos + i)
    return d


with Family("integer", "Integer arithmetic, PTX ISA 9.7.1."):
    for t in INTS:
        op(f"add.{t}", [t, t], t, lambda a, b: a + b)
        op(f"sub.{t}", [t, t], t, lambda a, b: a - b)
        op(f"mul.lo.{t}", [t, t], t, lambda a, b: a * b)
        op(f"mul.hi.{t}", [t, t], t, lambda a, b: (a * b) >> width(t))
        op(f"mad.lo.{t}", [t, t, t], t, lambda a, b, c: a * b + c)
        op(f"min.{t}", [t, t], t, min)
        op(f"max.{t}", [t, t], t, max)
        # by zero, and the lowest number by -1, the ISA says nothing
        op(f"div.{t}", [t, t], t, lambda a, b: None if b == 0 or (b == -1 and a == -(1 << (width(t) - 1))) else quotient(a, b))
        op(f"rem.{t}", [t, t], t, lambda a, b: None if b == 0 or (b == -1 and a == -(1 << (width(t) - 1))) else a - b * quotient(a, b))
    for t in ["s32", "u32", "s64", "u64"]:
        op(f"mad.hi.{t}", [t, t, t], t, lambda a, b, c: ((a * b) >> width(t)) + c)
    for t, w in (("s16", "s32"), ("u16", "u32"), ("s32", "s64"), ("u32", "u64")):
        op(f"mul.wide.{t}", [t, t], w, lambda a, b: a * b)
        op(f"mad.wide.{t}", [t, t, w], w, lambda a, b, c: a * b + c)
    for t in ["s32", "u32"]:
        small = lambda x: signed(x, 24) if t == "s32" else x & mask(24)
        op(f"mul24.lo.{t}", [t, t], t, lambda a, b: small(a) * small(b))
        op(f"sad.{t}", [t, t, "u32"], "u32", lambda a, b, c: c + abs(a - b))
    op("add.sat.s32", ["s32", "s32"], "s32", lambda a, b: clamp(a + b, "s32"))
    op("sub.sat.s32", ["s32", "s32"], "s32", lambda a, b: clamp(a - b, "s32"))
    for t in ["s16", "s32", "s64"]:
        op(f"abs.{t}", [t], t, abs)
        op(f"neg.{t}", [t], t, lambda a: -a)
    for bits in (32, 64):
        b = f"b{bits}"
        op(f"popc.{b}", [b], "b32", lambda a: bin(a).count("1"))
        op(f"clz.{b}", [b], "b32", lambda a: bits - a.bit_length())
        op(f"brev.{b}", [b], b, lambda a: int(format(a, f"0{bits}b")[::-1], 2))
        for s in "us":
            t = f"{s}{bits}"
            op(f"bfind.{t}", [t], "u32", lambda a: mask(32) if leading(a, bits, s == "s") is None else leading(a, bits, s == "s"))
            if t != "s64":
                op(f"bfind.shiftamt.{t}", [t], "u32", lambda a: mask(32) if leading(a, bits, s == "s") is None else bits - 1 - leading(a, bits, s == "s"))
            fields = [(random.getrandbits(bits) | (1 << (bits - 1)), p, n) for p, n in
                      ((0, 8), (4, 4), (0, 0), (0, bits), (bits - 1, 1), (bits - 1, 2), (bits - 8, 16), (bits, 4),
                       (200, 8), (3, 255), (0, bits + 1), (7, 0), (255, 255), (1, bits - 1), (256, 8), (8, 264))]
            # the ISA restricts position and length to 0..255; with 64 bits the hardware reads more
            fields = [x for x in fields if bits == 32 or max(x[1:]) < 256]
            fields += [(a & mask(bits - 1), p, n) for a, p, n in fields]
            op(f"bfe.{t}", [t, "u32", "u32"], t, lambda a, p, n: bfe(a, p, n, t), rows=fields)
        fields = [(random.getrandbits(bits), random.getrandbits(bits), p, n) for p, n in
                  ((0, 8), (4, 4), (0, 0), (0, bits), (bits - 1, 1), (bits - 1, 2), (bits - 8, 16), (bits, 4), (200, 8),
                   (3, 255), (0, bits + 1), (7, 0), (255, 255), (1, bits - 1), (256, 8), (8, 264)) if bits == 32 or max(p, n) < 256]
        op(f"bfi.{b}", [b, b, "u32", "u32"], b, lambda a, c, p, n: bfi(a, c, p, n, bits), rows=fields)
    for s in ("u32", "s32"):
        for u in ("u32", "s32"):
            def dp4a(a, b, c):
                lane = lambda x, t, i: value(x >> (8 * i), t[0] + "8")
                return c + sum(lane(a, s, i) * lane(b, u, i) for i in range(4))
            op(f"dp4a.{s}.{u}", ["b32", "b32", "b32"], "b32", dp4a)
    # immediates in every place
    test("immediates", "a:b32", "d:b32 e:b64 f:b16", "add.s32 d, a, -7;\nmul.wide.s32 e, a, 0x10;\nadd.s16 f, 5, -6;",
         [((x,), ((x - 7) & mask(32), signed(x, 32) * 16 & mask(64), 0xFFFF)) for x in edges("s32")])

with Family("carry", "Extended precision: the carry flag, PTX ISA 9.7.2."):
    def limbs(count, bits):
        picks = [0, 1, mask(bits), 1 << (bits - 1), mask(bits) - 1]
        return [[random.choice(picks + [random.getrandbits(bits)]) for _ in range(2 * count)] for _ in range(32)]

    def join(parts, bits):
        return sum(p << (bits * i) for i, p in enumerate(parts))

    def split(x, count, bits):
        return tuple((x >> (bits * i)) & mask(bits) for i in range(count))

    for t in ("u32", "s32", "u64", "s64"):
        bits = width(t)
        b = f"b{bits}"
        for name, sign in (("add", 1), ("sub", -1)):
            ins = " ".join(f"a{i}:{b}" for i in range(3)) + " " + " ".join(f"b{i}:{b}" for i in range(3))
            outs = " ".join(f"d{i}:{b}" for i in range(3))
            code = (f"{name}.cc.{t} d0, a0, b0;\n{name}c.cc.{t} d1, a1, b1;\n{name}c.{t} d2, a2, b2;")
            rows = [(tuple(r), split(join(r[:3], bits) + sign * join(r[3:], bits), 3, bits)) for r in limbs(3, bits)]
            test(f"{name}.cc-chain.{t}", ins, outs, code, rows)
    # a 64-bit by 64-bit product of 32-bit limbs, all 128 bits
    code = """mul.lo.u32 d0, a0, b0;
mul.hi.u32 d1, a0, b0;
mad.lo.cc.u32 d1, a0, b1, d1;
madc.hi.u32 d2, a0, b1, 0;
mad.lo.cc.u32 d1, a1, b0, d1;
madc.hi.cc.u32 d2, a1, b0, d2;
addc.u32 d3, 0, 0;
mad.lo.cc.u32 d2, a1, b1, d2;
madc.hi.u32 d3, a1, b1, d3;"""
    rows = [(tuple(r), split(join(r[:2], 32) * join(r[2:], 32), 4, 32)) for r in limbs(2, 32)]
    test("mad.cc-product", "a0:b32 a1:b32 b0:b32 b1:b32", "d0:b32 d1:b32 d2:b32 d3:b32", code, rows)

    def with_carry(name, t, half):
        rows = []
        for r in tuples(["u32", "u32", "u32", "u32"]):
            a, b, c, k = r
            carry = (a + k) >> 32
            product = a * b if t == "u32" else signed(a, 32) * signed(b, 32)
            part = (product if half == "lo" else product >> 32) & mask(32)
            first = part + c
            rows.append((r, (first & mask(32), first >> 32, (part + c + carry) & mask(32), (part + c + carry) >> 32,
                             (part + c + carry) & mask(32))))
        code = f"""mad.{half}.cc.{t} d, a, b, c;
addc.u32 p, 0, 0;
add.cc.u32 z, a, e;
madc.{half}.cc.{t} f, a, b, c;
addc.u32 q, 0, 0;
add.cc.u32 z, a, e;
madc.{half}.{t} g, a, b, c;"""
        test(name, "a:b32 b:b32 c:b32 e:b32", "d:b32 p:b32 f:b32 q:b32 g:b32", ".reg .b32 z;\n" + code, rows)
    with_carry("mad.lo.cc.u32", "u32", "lo")
    with_carry("mad.lo.cc.s32", "s32", "lo")
    with_carry("mad.hi.cc.u32", "u32", "hi")

with Family("logic", "Logic, shifts and bytes, PTX ISA 9.7.8."):
    for bits in (16, 32, 64):
        b = f"b{bits}"
        op(f"and.{b}", [b, b], b, lambda a, c: a & c)
        op(f"or.{b}", [b, b], b, lambda a, c: a | c)
        op(f"xor.{b}", [b, b], b, lambda a, c: a ^ c)
        op(f"not.{b}", [b], b, lambda a: ~a)
        op(f"cnot.{b}", [b], b, lambda a: int(a == 0))
        counts = [0, 1, bits // 2, bits - 1, bits, bits + 1, 64, 65, 255, 256, 0x80000000, 0xFFFFFFFF]
        pairs = [(x, n) for n in counts for x in (random.getrandbits(bits) | 1 | (1 << (bits - 1)), random.getrandbits(bits - 1))]
        op(f"shl.{b}", [b, "u32"], b, lambda a, n: a << min(n, 64), rows=pairs)
        for t in (b, f"u{bits}", f"s{bits}"):
            op(f"shr.{t}", [t, "u32"], t, lambda a, n: a >> min(n, bits), rows=pairs)
    bools = [(a, c) for a in (0, 1) for c in (0, 1)]
    op("and.pred", ["pred", "pred"], "pred", lambda a, c: a & c, rows=bools)
    op("or.pred", ["pred", "pred"], "pred", lambda a, c: a | c, rows=bools)
    op("xor.pred", ["pred", "pred"], "pred", lambda a, c: a ^ c, rows=bools)
    op("not.pred", ["pred"], "pred", lambda a: a ^ 1, rows=[(0,), (1,)])
    for lut in (0x00, 0x01, 0x80, 0x96, 0xE8, 0xCA, 0xFE, 0x1B, 0xFF, 0xF0, 0xCC, 0xAA):
        def lop3(a, b, c):
            return sum(((lut >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1))) & 1) << i for i in range(32))
        rows = [(r, (lop3(*r),)) for r in tuples(["b32"] * 3)]
        test(f"lop3.b32-{lut:02x}", "a:b32 b:b32 c:b32", "d:b32", f"lop3.b32 d, a, b, c, 0x{lut:x};", rows)
    shifts = [0, 1, 8, 31, 32, 33, 63, 64, 0x80000001]
    triples = [(random.getrandbits(32), random.getrandbits(32), n) for n in shifts for _ in range(3)]
    both = lambda a, b: b << 32 | a
    op("shf.l.wrap.b32", ["b32"] * 3, "b32", lambda a, b, n: (both(a, b) << (n & 31)) >> 32, rows=triples)
    op("shf.l.clamp.b32", ["b32"] * 3, "b32", lambda a, b, n: (both(a, b) << min(n, 32)) >> 32, rows=triples)
    op("shf.r.wrap.b32", ["b32"] * 3, "b32", lambda a, b, n: both(a, b) >> (n & 31), rows=triples)
    op("shf.r.clamp.b32", ["b32"] * 3, "b32", lambda a, b, n: both(a, b) >> min(n, 32), rows=triples)

    def pick(x, i, sign=False):
        byte = (x >> (8 * i)) & 255
        return (255 if byte >> 7 else 0) if sign else byte

    def prmt(a, b, c):
        return sum(pick(both(a, b), (c >> (4 * i)) & 7, (c >> (4 * i)) & 8) << (8 * i) for i in range(4))
    selectors = [0x3210, 0x7654, 0x0123, 0x5140, 0xBA98, 0xFEDC, 0x8888, 0x1111, 0xF0F0, 0xFFFF3210, 0x4321]
    op("prmt.b32", ["b32"] * 3, "b32", prmt, rows=[(random.getrandbits(32), random.getrandbits(32), s) for s in selectors for _ in (0, 1)])
    modes = {
        "f4e": [[i + k for k in range(4)] for i in range(4)],
        "b4e": [[i, (i - 1) % 8, (i - 2) % 8, (i - 3) % 8] for i in range(4)],
        "rc8": [[i] * 4 for i in range(4)],
        "ecl": [[max(i, k) for k in range(4)] for i in range(4)],
        "ecr": [[min(i, k) for k in range(4)] for i in range(4)],
        "rc16": [[0, 1, 0, 1], [2, 3, 2, 3], [0, 1, 0, 1], [2, 3, 2, 3]],
    }
    for mode, table in modes.items():
        op(f"prmt.b32.{mode}", ["b32"] * 3, "b32",
           lambda a, b, c: sum(pick(both(a, b), table[c & 3][i]) << (8 * i) for i in range(4)),
           rows=[(random.getrandbits(32), random.getrandbits(32), s) for s in (0, 1, 2, 3, 4, 7, 0xFFFFFFFE)])


# --- floating point -------------------------------------------------------------------------------
class Format:
    def __init__(self, exponent, fraction, nan):
        self.bits, self.fraction, self.bias = 1 + exponent + fraction, fraction, (1 << (exponent - 1)) - 1
        self.inf = mask(exponent) << fraction
        self.least, self.nan = 1 - self.bias, nan
        self.sign = 1 << (self.bits - 1)
        self.largest = self.inf - 1


F16, F32, F64 = Format(5, 10, 0x7FFF), Format(8, 23, 0x7FFFFFFF), Format(11, 52, 0xFFF8000000000000)
BF16 = Format(8, 7, 0x7FFF)
FORMATS = {"f16": F16, "f32": F32, "f64": F64, "bf16": BF16}
INF = "inf"


class Number:
    """nan, an infinity or a fraction; the sign is kept for zeros."""
    def __init__(self, fraction=None, negative=False, kind=""):
        self.fraction, self.negative, self.kind = fraction, negative, kind


def decode(bits, f):
    negative, rest = bool(bits & f.sign), bits & (f.sign - 1)
    if rest > f.inf:
        return Number(kind="nan", negative=negative)
    if rest == f.inf:
        return Number(kind=INF, negative=negative)
    exponent, fraction = rest >> f.fraction, rest & mask(f.fraction)
    x = Fraction(fraction if exponent == 0 else fraction | 1 << f.fraction) * Fraction(2) ** (max(exponent, 1) - f.bias - f.fraction)
    return Number(-x if negative else x, negative)


def whole(x, mode):
    """A fraction to a whole number."""
    floor = x.numerator // x.denominator
    rest = x - floor
    if rest == 0 or mode == "rm":
        return floor
    if mode == "rp":
        return floor + 1
    if mode == "rz":
        return floor if x > 0 else floor + 1
    return floor + (1 if rest > Fraction(1, 2) or (rest == Fraction(1, 2) and floor & 1) else 0)


def encode(x, f, mode="rn", negative_zero=False):
    if x == 0:
        return f.sign if negative_zero else 0
    negative, x = x < 0, abs(x)
    if negative and mode in ("rm", "rp"):
        mode = "rp" if mode == "rm" else "rm"
    exponent = x.numerator.bit_length() - x.denominator.bit_length()
    if Fraction(2) ** exponent > x:
        exponent -= 1
    exponent = max(exponent, f.least)
    unit = Fraction(2) ** (exponent - f.fraction)
    units = whole(x / unit, mode)
    bits = units + ((exponent - f.least) << f.fraction)
    if bits >= f.inf:
        bits = f.inf if mode in ("rn", "rp") else f.largest
    return bits | (f.sign if negative else 0)


def flush(bits, f):
    return bits & f.sign if bits & (f.sign - 1) and (bits & (f.sign - 1)) < 1 << f.fraction else bits


def saturate(bits, f):
    one = f.bias << f.fraction
    if (bits & (f.sign - 1)) > f.inf or bits & f.sign:
        return 0
    return min(bits, one)


def exact(kind, f, mode):
    """The exact result of an operation on Numbers, rounded once."""
    def zero(same_sign_negative):
        return f.sign if same_sign_negative else 0

    def add(a, b):
        if "nan" in (a.kind, b.kind) or (a.kind == b.kind == INF and a.negative != b.negative):
            return f.nan
        if INF in (a.kind, b.kind):
            return f.inf | (f.sign if (a if a.kind == INF else b).negative else 0)
        total = a.fraction + b.fraction
        if total == 0:
            both_negative = a.negative and b.negative and a.fraction == 0 == b.fraction
            return zero(both_negative or (mode == "rm" and not (a.fraction == 0 == b.fraction and not a.negative and not b.negative)))
        return encode(total, f, mode)

    def product(a, b):
        negative = a.negative != b.negative
        if "nan" in (a.kind, b.kind):
            return Number(kind="nan")
        if INF in (a.kind, b.kind):
            return Number(kind="nan") if 0 in (a.fraction, b.fraction) else Number(kind=INF, negative=negative)
        return Number(a.fraction * b.fraction, negative)

    def pack(x):
        if x.kind:
            return f.nan if x.kind == "nan" else f.inf | (f.sign if x.negative else 0)
        return encode(x.fraction, f, mode, x.negative)

    def minus(a):
        return Number(None if a.fraction is None else -a.fraction, not a.negative, a.kind)

    def divide(a, b):
        negative = a.negative != b.negative
        if "nan" in (a.kind, b.kind) or (a.kind == b.kind == INF) or (a.fraction == 0 == b.fraction):
            return f.nan
        if a.kind == INF or b.fraction == 0:
            return f.inf | (f.sign if negative else 0)
        if b.kind == INF or a.fraction == 0:
            return zero(negative)
        return encode(a.fraction / b.fraction, f, mode)

    def root(a):
        if a.kind == "nan" or (a.negative and a.fraction != 0):
            return f.nan
        if a.kind == INF or a.fraction == 0:
            return pack(a)
        scale = 400 if f is not F64 else 1400
        value = a.fraction * (1 << (2 * scale))
        floor = isqrt(value.numerator // value.denominator)
        sticky = floor * floor != value
        return encode(Fraction(2 * floor + sticky, 1 << (scale + 1)), f, mode)

    one = Number(Fraction(1))
    return {
        "add": add, "sub": lambda a, b: add(a, minus(b)), "mul": lambda a, b: pack(product(a, b)),
        "fma": lambda a, b, c: add(product(a, b), c), "div": divide, "rcp": lambda a: divide(one, a), "sqrt": root,
    }[kind]


def float_op(kind, f, mode="rn", ftz=False, sat=False):
    def run(*bits):
        if ftz:
            bits = [flush(b, f) for b in bits]
        d = exact(kind, f, mode)(*[decode(b, f) for b in bits])
        if ftz:  # what is tiny before rounding is flushed
            toward_zero = exact(kind, f, "rz")(*[decode(b, f) for b in bits])
            d = d & f.sign if flush(toward_zero, f) != toward_zero else d
        if sat:
            d = saturate(d, f)
        return flush(d, f) if ftz else d
    return run


def float_edges(t):
    f = FORMATS[t]
    one = f.bias << f.fraction
    tiny, normal = 1, 1 << f.fraction
    some = [0, f.sign, one, one | f.sign, tiny, normal - 1, normal, f.largest, f.inf, f.inf | f.sign, f.nan & ~f.sign,
            one + 1, one - 1, f.sign | tiny, f.sign | f.largest, f.sign | (normal - 1)]
    near = [(one + (random.randrange(-12, 12) << f.fraction) + random.getrandbits(f.fraction)) | (f.sign if random.random() < .4 else 0) for _ in range(12)]
    return some, near


def float_rows(t, count, rows=64):
    """Pairs and triples of edge values and of ordinary numbers; NaNs with payload last."""
    f = FORMATS[t]
    some, near = float_edges(t)
    made = []
    for _ in range(rows):
        pool = some if random.random() < .45 else near if random.random() < .8 else some + near
        made.append(tuple(random.choice(pool) for _ in range(count)))
    if count == 1:
        made = [(x,) for x in some + near]
    if count >= 2:  # cancellation and ties
        for _ in range(8):
            a = random.choice(near)
            made.append((a, (a ^ f.sign) + random.choice((-1, 0, 1))) + tuple(random.choice(near) for _ in range(count - 2)))
    if count == 3:  # c nearly cancels a * b
        for _ in range(8):
            a, b = random.choice(near), random.choice(near)
            product = exact("mul", f, "rn")(decode(a, f), decode(b, f))
            made.append((a, b, product ^ f.sign))
    return made


def chunks(rows):
    return [rows[i:i + 32] for i in range(0, len(rows), 32)]


def float_test(name, t, count, run, rows=None, **more):
    for i, part in enumerate(chunks(rows or float_rows(t, count))):
        letters = "abc"[:count]
        ins = " ".join(f"{l}:b{width(t)}" for l in letters)
        test(name + (f"-{i + 1}" if i else ""), ins, f"d:b{width(t)}", f"{name} d, {', '.join(letters)};",
             [(r, (run(*r),)) for r in part], **more)


def halves(run):
    return lambda *words: run(*[w & 0xFFFF for w in words]) | run(*[w >> 16 for w in words]) << 16


def minimum(f, sign, ftz=False):
    def run(a, b):
        if ftz:
            a, b = flush(a, f), flush(b, f)
        x, y = decode(a, f), decode(b, f)
        if x.kind == "nan" or y.kind == "nan":
            return f.nan if x.kind == y.kind else (b if x.kind == "nan" else a)
        key = lambda n: (-1, 0)[not n.negative] * 10**400 if n.kind == INF and n.negative else 10**400 if n.kind == INF else n.fraction
        if key(x) == key(y):
            return (a if x.negative else b) if sign < 0 else (b if x.negative else a)
        return a if (key(x) < key(y)) == (sign < 0) else b
    return run


NAN64 = 0x7FF8000000000000  # what a double's NaN looks like is said by the operands' payloads


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
    from decimal import Decimal, getcontext
    import math
    getcontext().prec = 60

    def near(x, ulp):
        return f"~{hex(encode(x, F32))}:{ulp}"

    def f32(x):
        return encode(Fraction(x), F32)
    NAN, PINF, NINF, NZERO = F32.nan, F32.inf, F32.inf | F32.sign, F32.sign
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


# --- conversion -----------------------------------------------------------------------------------
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

# --- comparison -----------------------------------------------------------------------------------
with Family("compare", "setp, set, selp, slct, PTX ISA 9.7.6."):
    import operator
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

# --- moving ---------------------------------------------------------------------------------------
with Family("move", "mov, cvta, isspacep, special registers, PTX ISA 9.7.9 and 10."):
    for t in INTS + ["b16", "b32", "b64", "f32", "f64"]:
        op(f"mov.{t}", [t], t, lambda a: a)
    op("mov.pred", ["pred"], "pred", lambda a: a, rows=[(0,), (1,)])
    for t in ("f16", "bf16"):
        test(f"mov.{t}", "a:b16", "d:b16", f"mov.{t} d, a;", [((0x1234,), (0x1234,))], flags="sim-only")
        test(f"mov.{t}x2", "a:b32", "d:b32", f"mov.{t}x2 d, a;", [((0x12345678,), (0x12345678,))], flags="sim-only")
    w = [random.getrandbits(64) for _ in range(8)]
    part = lambda x, bits, i: (x >> (bits * i)) & mask(bits)
    test("mov.b32-unpack-2", "a:b32", "c:b16 d:b16", "mov.b32 {c, d}, a;", [((x & mask(32),), (part(x, 16, 0), part(x, 16, 1))) for x in w])
    test("mov.b64-unpack-2", "a:b64", "c:b32 d:b32", "mov.b64 {c, d}, a;", [((x,), (part(x, 32, 0), part(x, 32, 1))) for x in w])
    test("mov.b64-unpack-4", "a:b64", "c:b16 d:b16 e:b16 f:b16", "mov.b64 {c, d, e, f}, a;", [((x,), tuple(part(x, 16, i) for i in range(4))) for x in w])
    test("mov.b64-unpack-sink", "a:b64", "d:b32", "mov.b64 {_, d}, a;", [((x,), (x >> 32,)) for x in w])
    test("mov.b32-pack-2", "a:b16 b:b16", "d:b32", "mov.b32 d, {a, b};", [((part(x, 16, 0), part(x, 16, 1)), (x & mask(32),)) for x in w])
    test("mov.b64-pack-2", "a:b32 b:b32", "d:b64", "mov.b64 d, {a, b};", [((part(x, 32, 0), part(x, 32, 1)), (x,)) for x in w])
    test("mov.b64-pack-4", "a:b16 b:b16 c:b16 e:b16", "d:b64", "mov.b64 d, {a, b, c, e};", [(tuple(part(x, 16, i) for i in range(4)), (x,)) for x in w])
    test("mov.b32-bytes", "a:b32", "d:b32", ".reg .b8 p, q, r, s;\nmov.b32 {p, q, r, s}, a;\nmov.b32 d, {s, r, q, p};",
         [((x & mask(32),), (int.from_bytes((x & mask(32)).to_bytes(4, "little"), "big"),)) for x in w])
    test("clock", "", "d:pred e:pred f:b32 g:pred",
         ".reg .u64 x, y;\n.reg .u32 u, v;\nmov.u64 x, %clock64;\nmov.u32 u, %clock;\nmov.u32 v, %clock_hi;\nmov.u64 y, %clock64;\nsetp.ge.u64 d, y, x;\nmov.u64 x, %globaltimer;\nmov.u32 v, %globaltimer_lo;\nmov.u64 y, %globaltimer;\nsetp.ge.u64 e, y, x;\nmov.u32 f, 7;\nsetp.ne.u64 g, y, 0xffffffffffffffff;",
         [((), (1, 1, 7, 1))])
    test("special", "", "a:b32 c:b32 d:b32 e:b32 f:b32 g:b32 h:b32 i:b32",
         "mov.u32 a, %laneid;\nmov.u32 c, %ntid.x;\nmov.u32 d, %nctaid.y;\nmov.u32 e, %lanemask_lt;\nmov.u32 f, %lanemask_le;\nmov.u32 g, %lanemask_gt;\nmov.u32 h, %lanemask_ge;\nmov.u32 i, %lanemask_eq;",
         [((), (i, 32, 1, mask(i), mask(i + 1), mask(32) & ~mask(i + 1), mask(32) & ~mask(i), 1 << i)) for i in range(32)])
    test("special-as-operand", "a:b32", "d:b32", "mad.lo.s32 d, %ctaid.x, %ntid.x, %tid.x;", [((0,), (i,)) for i in range(32)], flags="sim-only")
    test("warp-size", "a:b32", "d:b32 e:b32", "mov.u32 d, WARP_SZ;\nsub.s32 e, a, WARP_SZ;", [((40,), (32, 8)), ((0,), (32, mask(32) - 31))])
    test("special-narrow", "", "d:b16", "mov.u16 d, %tid.x;", [((), (i,)) for i in range(32)], flags="sim-only")
    module = ".global .align 4 .b32 g[4] = {10, 11, 12, 13};\n.const .align 4 .b32 k[4] = {20, 21, 22, 23};"
    body = ".reg .pred z;\n.reg .u32 t;\nmov.u32 t, %tid.x;\nsetp.eq.u32 z, t, 0;\n.shared .align 4 .b32 s[4];\n.local .align 4 .b32 l[4];\n.reg .u64 x, y;\n.reg .u32 n;\n"
    for i, (space, name) in enumerate((("global", "g"), ("const", "k"), ("shared", "s"), ("local", "l"))):
        test(f"cvta.{space}", "a:b32", "d:pred e:pred f:pred g2:pred h:pred v:b32",
             body + (f"{'@z ' if i == 2 else ''}st.{space}.b32 [{name}+4], {10 * (i + 1) + 1};\nbar.sync 0;\n" if i > 1 else "") +
             f"cvta.{space}.u64 x, {name};\n" .replace(f"cvta.{space}.u64 x, {name}", f"mov.u64 x, {name};\ncvta.{space}.u64 x, x") +
             "isspacep.global d, x;\nisspacep.const e, x;\nisspacep.shared f, x;\nisspacep.local g2, x;\n" +
             f"cvta.to.{space}.u64 y, x;\nmov.u64 x, {name};\nsetp.eq.u64 h, x, y;\ncvta.{space}.u64 x, x;\nld.b32 v, [x+4];",
             [((0,), (int(i == 0), int(i == 1), int(i == 2), int(i == 3), 1, 10 * (i + 1) + 1))], module=module,
             flags="all-lanes" if i > 1 else "")
    test("cvta.u32", "a:b32", "d:b32", "cvta.shared.u32 d, a;\ncvta.to.shared.u32 d, d;", [((1024,), (1024,))], flags="sim-only")
    test("isspacep.param", "a:b32", "d:pred e:pred", ".reg .u64 x;\nmov.u64 x, t_in;\ncvta.param.u64 x, x;\nisspacep.param d, x;\nisspacep.global e, x;", [((0,), (1, 0))], flags="sim-only")
    test("mov-address-offset", "a:b32", "d:b32", ".reg .u64 x;\nmov.u64 x, g+8;\nld.global.b32 d, [x+-4];", [((0,), (11,))], module=module)

# --- memory ---------------------------------------------------------------------------------------
with Family("memory", "ld, st, parameters, prefetch, PTX ISA 9.7.9."):
    DATA = [0x80, 0x7F, 0xFE, 0x01, 0x23, 0xC5, 0x67, 0x89, 0xAB, 0xCD, 0xEF, 0x10, 0x32, 0xD4, 0x76, 0x98] * 4
    DATA = [(x + 17 * (i // 16)) & 255 for i, x in enumerate(DATA)]
    table = ".align 16 .b8 %s[64] = {" + ", ".join(str(x) for x in DATA) + "};"

    def loaded(offset, t, register_bits):
        bits = width(t)
        x = int.from_bytes(bytes(DATA[offset:offset + bits // 8]), "little")
        return value(x, t) & mask(register_bits)
    TYPES = ["b8", "u8", "s8", "b16", "u16", "s16", "b32", "u32", "s32", "f32", "b64", "u64", "s64", "f64"]
    for space in ("global", "const"):
        for t in TYPES:
            size, r = width(t) // 8, max(16, width(t))
            # each lane its own address: lane * size, within 64 bytes
            rows = [((lane,), (loaded(lane * size % 64, t, r),)) for lane in range(32)]
            test(f"ld.{space}.{t}", "a:b32", f"d:b{r}",
                 f".reg .u64 x, y;\nmov.u64 x, tab;\nmul.wide.u32 y, a, {size};\nand.b64 y, y, 63;\nadd.u64 x, x, y;\nld.{space}.{t} d, [x];",
                 rows, module=f".{space} " + table % "tab")
    for t in TYPES:  # registers wider than the type
        for r in (32, 64):
            if r > width(t) and t[0] != "f":
                test(f"ld.global.{t}-into-{r}", "a:b32", f"d:b{r}", f"ld.global.{t} d, [tab+8];", [((0,), (loaded(8, t, r),))], module=".global " + table % "tab")
    for t in ("u8", "s8", "b8", "u16", "s16", "f32", "u32", "b64", "f64", "s64", "s32", "u64"):
        for n in (2, 4):
            size, r = width(t) // 8, max(16, width(t))
            if size * n > 16:
                continue
            letters = "defg"[:n]
            rows = [((lane,), tuple(loaded(lane * size * n % 64 + i * size, t, r) for i in range(n))) for lane in range(32)]
            test(f"ld.global.v{n}.{t}", "a:b32", " ".join(f"{l}:b{r}" for l in letters),
                 f".reg .u64 x, y;\nmov.u64 x, tab;\nmul.wide.u32 y, a, {size * n};\nand.b64 y, y, 63;\nadd.u64 x, x, y;\nld.global.v{n}.{t} {{{', '.join(letters)}}}, [x];",
                 rows, module=".global " + table % "tab")
    test("ld.v4-sink", "a:b32", "d:b32 e:b32", "ld.global.v4.u32 {d, _, _, e}, [tab];", [((0,), (loaded(0, "u32", 32), loaded(12, "u32", 32)))], module=".global " + table % "tab")
    for form in ("ld.volatile.global", "ld.relaxed.gpu.global", "ld.acquire.gpu.global", "ld.global.nc", "ld.global.ca", "ld.global.cg", "ld.global.cs", "ld.global.cv", "ld.global.lu",
                 "ld.weak.global", "ldu.global", "ld.global.L1::evict_last", "ld.global.L2::128B", "ld.acquire.cta.global", "ld.relaxed.sys.global"):
        test(f"{form}.u32", "a:b32", "d:b32", f"{form}.u32 d, [tab+4];", [((0,), (loaded(4, "u32", 32),))], module=".global " + table % "tab")
    for t in ("f32", "b32", "b64", "u64", "f64"):
        test(f"ldu.global.{t}", "a:b32", f"d:b{width(t)}", f"ldu.global.{t} d, [tab+8];", [((0,), (loaded(8, t, width(t)),))], module=".global " + table % "tab", flags="" if t != "u32" else "")
    test("ld.f16", "a:b32", "d:b16", "ld.global.f16 d, [tab+2];", [((0,), (loaded(2, "u16", 16),))], module=".global " + table % "tab", flags="sim-only")
    # stores: what was stored is read back as bytes; neighbours are untouched
    for space, declared in (("shared", ".shared .align 16 .b8 m[1024];"), ("local", ".local .align 16 .b8 m[32];"), ("generic-shared", ".shared .align 16 .b8 m[1024];"), ("generic-local", ".local .align 16 .b8 m[32];")):
        generic, kind = space.startswith("generic"), space.split("-")[-1]
        lane_bytes = 32 if kind == "shared" else 0
        dot = "" if generic else "." + kind
        for t in ("b8", "u8", "s8", "b16", "u16", "s16", "b32", "u32", "s32", "f32", "b64", "u64", "s64", "f64"):
            r, size = max(16, width(t)), width(t) // 8
            code = declared + "\n.reg .u64 x, y;\n.reg .u32 n;\nmov.u32 n, %tid.x;\n" + f"mul.wide.u32 y, n, {lane_bytes};\nmov.u64 x, m;\n" + \
                (f"cvta.{kind}.u64 x, x;\n" if generic else "") + "add.u64 x, x, y;\n" + \
                f"st{dot}.b64 [x], 0;\nst{dot}.b64 [x+8], 0;\nst{dot}.{t} [x+{size}], a;\nld{dot}.b64 d, [x];\nld{dot}.b64 e, [x+8];\nld{dot}.{t} f, [x+{size}];"
            rows = []
            for x in [random.getrandbits(r) for _ in range(8)]:
                stored = x & mask(width(t))
                memory = stored << (8 * size)
                rows.append(((x,), (memory & mask(64), memory >> 64, value(stored, t) & mask(r))))
            test(f"st.{space}.{t}", f"a:b{r}", f"d:b64 e:b64 f:b{r}", code, rows)
    for t, n in (("b8", 4), ("u8", 2), ("b16", 4), ("u16", 2), ("f32", 4), ("b32", 2), ("f64", 2), ("u64", 2)):
        r, size = max(16, width(t)), width(t) // 8
        letters = "abce"[:n]
        code = ".shared .align 16 .b8 m[1024];\n.reg .u32 n;\nmov.u32 n, %tid.x;\nshl.b32 n, n, 5;\n.reg .u32 x;\nmov.u32 x, m;\nadd.u32 n, n, x;\nst.shared.v2.b64 [n], {0, 0};\n" + \
            f"st.shared.v{n}.{t} [n], {{{', '.join(letters)}}};\nld.shared.v2.b64 {{p, q}}, [n];"
        rows = []
        for _ in range(8):
            xs = tuple(random.getrandbits(r) for _ in range(n))
            memory = sum((x & mask(width(t))) << (8 * size * i) for i, x in enumerate(xs))
            rows.append((xs, (memory & mask(64), memory >> 64)))
        test(f"st.shared.v{n}.{t}-32-bit-address", " ".join(f"{l}:b{r}" for l in letters), "p:b64 q:b64", code, rows)
    test("st.f16", "a:b16", "d:b16", ".local .b16 m;\nst.local.f16 [m], a;\nld.local.u16 d, [m];", [((0x1234,), (0x1234,))], flags="sim-only all-lanes")
    for form in ("st.volatile.shared", "st.weak.shared", "st.relaxed.cta.shared", "st.release.cta.shared"):
        test(f"{form}.u32", "a:b32", "d:b32", f".shared .b32 m[32];\n.reg .u32 n, x;\nmov.u32 x, m;\nmov.u32 n, %tid.x;\nshl.b32 n, n, 2;\nadd.u32 n, n, x;\n{form}.u32 [n], a;\nld.shared.u32 d, [n];", [((x,), (x,)) for x in (5, 6, 7)])
    for form in ("st.global.cg", "st.global.cs", "st.global.wb", "st.global.wt", "st.volatile.global", "st.release.gpu.global", "st.relaxed.sys.global"):
        test(f"{form}.u32", "a:b32", "d:b32", f".reg .u64 n, x;\n.reg .u32 t;\nmov.u64 x, gm;\nmov.u32 t, %tid.x;\nmul.wide.u32 n, t, 4;\nadd.u64 n, n, x;\n{form}.u32 [n], a;\nld.global.u32 d, [n];", [((x,), (x,)) for x in (5, 6, 7)], module=".global .b32 gm[32];")
    # lanes of one store to one place in shared memory, seen by the others behind a barrier
    test("st.shared-exchange", "a:b32", "d:b32", ".shared .b32 m[32];\n.reg .u32 n, x;\nmov.u32 n, %tid.x;\nshl.b32 x, n, 2;\nmov.u32 n, m;\nadd.u32 x, x, n;\nst.shared.u32 [x], a;\nbar.sync 0;\nmov.u32 n, m;\nld.shared.u32 d, [n+40];",
         [((100 + i,), (110,)) for i in range(32)], flags="all-lanes")
    # initialisers: addresses, floats, sub-arrays, strings
    test("initialisers", "", "a:b32 b:b32 c:b64 d:b32 e:b16 f:b32 g:b32",
         ".reg .u64 x;\nld.global.u64 x, [pointers+8];\nld.b32 a, [x];\nld.global.u64 x, [pointers];\nld.global.b32 b, [x];\nld.global.b64 c, [doubles+8];\nld.global.b32 d, [floats+4];\nld.const.s8 e, [text+2];\nld.global.b32 f, [zeros+4];\nld.global.b32 g, [nested+12];",
         [((), (71, 72, F64.sign | 0x3FF8000000000000, f32(2.5), ord("c"), 0, 4))],
         module=".global .align 4 .u32 words[3] = {70, 71, 72};\n.global .align 8 .u64 pointers[2] = {words+8, generic(words)+4};\n.global .align 8 .f64 doubles[2] = {1.0, -1.5};\n.global .align 4 .f32 floats[2] = {0f3F800000, 2.5};\n.const .align 1 .b8 text[4] = {97, 98, 99, 0};\n.global .align 4 .b32 zeros[4];\n.global .align 4 .b32 nested[2][2] = {{1, 2}, {3, 4}};")
    test("initialiser-of-one", "", "a:b32 b:b32", "ld.global.b32 a, [one];\nld.const.b32 b, [two];", [((), (5, 0xFFFFFFFA))], module=".global .b32 one = 5;\n.const .s32 two = -6;")
    test("prefetch", "a:b32", "d:b32", "prefetch.global.L1 [tab];\nprefetch.global.L2 [tab];\nprefetchu.L1 [tab];\nmov.u32 d, a;", [((1,), (1,))], module=".global " + table % "tab", flags="sim-only")
    test("ld.param-entry", "a:b32", "d:pred", ".reg .u64 x, y;\n.reg .u32 l, h;\nld.param.u64 x, [t_in];\nld.param.v2.u32 {l, h}, [t_in];\nmov.b64 y, {l, h};\nsetp.eq.u64 d, x, y;", [((0,), (1,))], flags="sim-only")

# --- atomics --------------------------------------------------------------------------------------
with Family("atomic", "atom and red, PTX ISA 9.7.13."):
    def atom(name, t, f, operands=1, values=None, load=None):
        """Each lane at its own address: the old value comes back, the new one stays."""
        r = max(16, width(t)) if t != "f16x2" else 32
        size = r // 8
        for space in ("shared", "global"):
            where = f".reg .u64 n, x;\n.reg .u32 t;\nmov.u64 x, am;\nmov.u32 t, %tid.x;\nmul.wide.u32 n, t, {size};\nadd.u64 n, n, x;\nst.{space}.b{r} [n], a;\n"
            arguments = "bc"[:operands]
            rows = []
            for row in values:
                new = f(*[value(x, t) if t[0] in "su" else x for x in row])
                rows.append((row, (row[0], new & mask(r))))
            module = ".global .align 8 .b64 am[32];" if space == "global" else ""
            declare = ".shared .align 8 .b64 am[32];\n" if space == "shared" else ""
            test(f"atom.{space}.{name}.{t}", " ".join(f"{l}:b{r}" for l in "a" + arguments), f"d:b{r} e:b{r}",
                 declare + where + f"atom.{space}.{name}.{'noftz.' if 'f16' in t else ''}{t} d, [n], {', '.join(arguments)};\nld.{space}.b{r} e, [n];", rows, module=module)
            if name.split(".")[0] not in ("exch", "cas", "inc", "dec") and "f16" not in t and (t != "u64" or name == "add") and t != "s64" and t != "b64":
                test(f"red.{space}.{name}.{t}", f"a:b{r} b:b{r}", f"e:b{r}",
                     declare + where + f"red.{space}.{name}.{t} [n], b;\nld.{space}.b{r} e, [n];", [(i, o[1:]) for i, o in rows], module=module)
    for t in ("u32", "s32", "u64"):
        atom("add", t, lambda a, b: a + b, values=tuples([t, t], 16))
    atom("add", "s64", lambda a, b: a + b, values=tuples(["s64", "s64"], 16)) if False else None
    atom("add", "f32", float_op("add", F32), values=[r for r in float_rows("f32", 2) if all(flush(x, F32) == x for x in (*r, float_op("add", F32)(*r)))][:32])
    atom("add", "f64", float_op("add", F64), values=[r for r in float_rows("f64", 2) if decode(float_op("add", F64)(*r), F64).kind != "nan"][:32])
    atom("add", "f16", float_op("add", F16), values=float_rows("f16", 2)[:32])
    atom("add", "f16x2", halves(float_op("add", F16)), values=[tuple(x | y << 16 for x, y in zip(p, q)) for p, q in zip(float_rows("f16", 2)[:32], float_rows("f16", 2)[:32])])
    for t in ("s32", "u32", "s64", "u64"):
        atom("min", t, min, values=tuples([t, t], 16))
        atom("max", t, max, values=tuples([t, t], 16))
    for b in ("b32", "b64"):
        atom("and", b, lambda a, c: a & c, values=tuples([b, b], 16))
        atom("or", b, lambda a, c: a | c, values=tuples([b, b], 16))
        atom("xor", b, lambda a, c: a ^ c, values=tuples([b, b], 16))
        atom("exch", b, lambda a, c: c, values=tuples([b, b], 16))
    for b in ("b16", "b32", "b64"):
        pool = [random.getrandbits(width(b)) for _ in range(6)]
        atom("cas", b, lambda a, c, e: e if a == c else a, operands=2, values=[(a, a if i & 1 else c, e) for i, (a, c, e) in enumerate((random.choice(pool), random.choice(pool), random.choice(pool)) for _ in range(16))])
    atom("inc", "u32", lambda a, b: 0 if a >= b else a + 1, values=[(0, 0), (0, 1), (1, 1), (2, 1), (5, 10), (10, 10), (mask(32), mask(32)), (mask(32) - 1, mask(32)), (mask(32), 0)])
    atom("dec", "u32", lambda a, b: b if a == 0 or a > b else a - 1, values=[(0, 0), (0, 7), (1, 7), (7, 7), (8, 7), (5, 10), (mask(32), 3), (mask(32), mask(32))])
    test("atom.add.s64", "a:b64 b:b64", "d:b64", ".shared .align 8 .b64 am[32];\n.reg .u64 n, x;\n.reg .u32 t;\nmov.u64 x, am;\nmov.u32 t, %tid.x;\nmul.wide.u32 n, t, 8;\nadd.u64 n, n, x;\nst.shared.b64 [n], a;\natom.shared.add.s64 d, [n], b;\nred.shared.add.s64 [n], b;\nld.shared.b64 d, [n];",
         [((a, b), ((a + 2 * b) & mask(64),)) for a, b in tuples(["s64", "s64"], 8)], flags="sim-only")
    # all lanes at one address: the sum is there behind a barrier, and each lane saw another old value
    test("atom.add-one-address", "a:b32", "d:b32 e:b32", ".shared .b32 am;\n.shared .b32 seen;\n.reg .u32 old, bit, n;\n.reg .pred z;\nsetp.eq.u32 z, a, 0;\n@z st.shared.u32 [am], 5;\n@z st.shared.u32 [seen], 0;\nbar.sync 0;\natom.shared.add.u32 old, [am], 1;\nsub.u32 old, old, 5;\nmov.u32 bit, 1;\nshl.b32 bit, bit, old;\nred.shared.or.b32 [seen], bit;\nbar.sync 0;\nld.shared.u32 d, [am];\nld.shared.u32 e, [seen];",
         [((i,), (37, mask(32))) for i in range(32)], flags="all-lanes")
    for form in ("atom.relaxed.gpu.global.add", "atom.acq_rel.sys.global.add", "atom.release.cta.global.add", "atom.acquire.gpu.global.add", "atom.global.gpu.add"):
        form = form.replace("atom.global.gpu", "atom.gpu.global")
        test(f"{form}.u32", "a:b32", "d:b32", f".reg .u64 n, x;\n.reg .u32 t;\nmov.u64 x, am;\nmov.u32 t, %tid.x;\nmul.wide.u32 n, t, 4;\nadd.u64 n, n, x;\nst.global.b32 [n], a;\n{form}.u32 d, [n], 1;", [((5,), (5,)), ((6,), (6,))], module=".global .b32 am[32];")
    test("atom-generic", "a:b32", "d:b32 e:b32", ".shared .b32 am[32];\n.reg .u64 n, x;\n.reg .u32 t;\nmov.u64 x, am;\ncvta.shared.u64 x, x;\nmov.u32 t, %tid.x;\nmul.wide.u32 n, t, 4;\nadd.u64 n, n, x;\nst.b32 [n], a;\natom.add.u32 d, [n], 3;\nld.b32 e, [n];", [((5,), (5, 8)), ((6,), (6, 9))])
    # f32 sums in global memory lose subnormal numbers, those in shared memory do not
    pairs = [(0x400000, 0x200000), (0x800001, 0x80800000), (1, 1), (0, 0x7fffff), (0x80000001, 0), (0x800000, 0x80000001), (0x80000001, 0x80000001), (0x80400000, 0x80000000), (0x3f800000, 1), (0x80c00000, 0x800000)]
    for space in ("global", "shared"):
        lost = (lambda x: flush(x, F32)) if space == "global" else lambda x: x
        sums = [(a, b, lost(float_op("add", F32)(lost(a), lost(b)))) for a, b in pairs]
        for form, generic in ((f"{space}.add", ""), ("add", f"cvta.{space}.u64 x, x;\n")):
            where = f".reg .u64 n, x;\n.reg .u32 t;\nmov.u64 x, am;\n{generic}mov.u32 t, %tid.x;\nmul.wide.u32 n, t, 4;\nadd.u64 n, n, x;\n" + ("st.b32 [n], a;\n" if generic else f"st.{space}.b32 [n], a;\n")
            load = "ld.b32 e, [n];" if generic else f"ld.{space}.b32 e, [n];"
            module, declare = (".global .align 8 .b64 am[32];", "") if space == "global" else ("", ".shared .align 8 .b64 am[32];\n")
            name = f"{space}{'-generic' if generic else ''}-subnormal"
            test(f"atom-{name}.f32", "a:b32 b:b32", "d:b32 e:b32", declare + where + f"atom.{form}.f32 d, [n], b;\n" + load, [((a, b), (a, c)) for a, b, c in sums], module=module)
            test(f"red-{name}.f32", "a:b32 b:b32", "e:b32", declare + where + f"red.{form}.f32 [n], b;\n" + load, [((a, b), (c,)) for a, b, c in sums], module=module)
    test("atom-sink", "a:b32", "e:b32", ".shared .b32 am[32];\n.reg .u32 n, x;\nmov.u32 x, am;\nmov.u32 n, %tid.x;\nshl.b32 n, n, 2;\nadd.u32 n, n, x;\nst.shared.b32 [n], a;\natom.shared.add.u32 _, [n], 3;\nld.shared.b32 e, [n];", [((5,), (8,)), ((6,), (9,))])

# --- warps ----------------------------------------------------------------------------------------
with Family("warp", "Warp-level operations, PTX ISA 9.7.9.6 and 9.7.13."):
    full = mask(32)
    bools = [random.getrandbits(1) for _ in range(32)]
    words = [random.choice((3, 5, 9, 0xFFFFFFF0)) for _ in range(32)]
    # halves of the warp with masks of their own, in one instruction, by way of a branch
    split_masks = [0x0000FFFF] * 16 + [0xFFFF0000] * 16

    def groups(f, xs, masks=None):
        masks = masks or [full] * 32
        return [f([xs[i] for i in range(32) if masks[lane] >> i & 1]) for lane in range(32)]

    def ballot(xs, m):
        return sum(1 << i for i in range(32) if xs[i] and m >> i & 1)
    for title, ps in (("mixed", bools), ("true", [1] * 32), ("false", [0] * 32), ("one", [int(i == 9) for i in range(32)])):
        for where, masks in (("", [full] * 32), ("-halves", split_masks)):
            code = ".reg .u32 m;\nmov.u32 m, w;\nvote.sync.all.pred c, a, m;\nvote.sync.any.pred d, a, m;\nvote.sync.uni.pred e, a, m;\nvote.sync.ballot.b32 f, a, m;\nvote.sync.any.pred g, !a, m;"
            rows = [((ps[i], masks[i]), (int(all(x)), int(any(x)), int(all(x) or not any(x)), ballot(ps, masks[i]), int(not all(x))))
                    for i, x in enumerate(groups(list, ps, masks))]
            if where:  # a warp's lanes may only carry one mask at a time outside a branch
                code = ".reg .pred hi;\n.reg .u32 l;\nmov.u32 l, %tid.x;\nsetp.ge.u32 hi, l, 16;\n@hi bra $high;\n" + code + "\nbra $end;\n$high:\n" + code.replace(".reg .u32 m;\n", "") + "\n$end:"
            test(f"vote.sync-{title}{where}", "a:pred w:b32", "c:pred d:pred e:pred f:b32 g:pred", code, rows, flags="all-lanes")
    test("vote-old", "a:pred", "c:pred d:pred e:pred f:b32", "vote.all.pred c, a;\nvote.any.pred d, a;\nvote.uni.pred e, a;\nvote.ballot.b32 f, a;",
         [((b,), (int(all(bools)), int(any(bools)), 0, ballot(bools, full))) for b in bools], flags="all-lanes sim-only")
    test("activemask", "", "d:b32 e:b32", ".reg .pred p;\n.reg .u32 l;\nmov.u32 e, 0;\nactivemask.b32 d;\nmov.u32 l, %tid.x;\nsetp.lt.u32 p, l, 5;\n@!p bra $out;\nactivemask.b32 e;\n$out:",
         [((), (full, 31 if i < 5 else 0)) for i in range(32)], flags="all-lanes")

    def shuffle(kind, lane, b, c):
        segment, clamp, b = c >> 8 & 31, c & 31, b & 31
        highest = lane & segment | clamp & ~segment & 31
        lowest = lane & segment
        if kind == "up":
            source = lane - b
            valid = source >= highest
        elif kind == "down":
            source = lane + b
            valid = source <= highest
        elif kind == "bfly":
            source = lane ^ b
            valid = source <= highest
        else:
            source = lowest | b & ~segment & 31
            valid = source <= highest
        return (source if valid else lane), int(valid)
    data = [random.getrandbits(32) for _ in range(32)]
    for kind in ("up", "down", "bfly", "idx"):
        for b in (0, 1, 3, 8, 16, 31, 32, 33):
            for w in (32, 8):
                c = (0 if kind == "up" else 31) | (32 - w) << 8
                rows = []
                for lane in range(32):
                    source, valid = shuffle(kind, lane, b, c)
                    rows.append(((data[lane], b, c), (data[source], valid)))
                test(f"shfl.sync.{kind}.b32-{b}-{w}", "a:b32 b:b32 c:b32", "d:b32 p:pred", f"shfl.sync.{kind}.b32 d|p, a, b, c, 0xffffffff;", rows, flags="all-lanes")
        rows = []
        for lane in range(32):  # every lane another distance, and an odd clamp
            b, c = lane * 7 % 32, 20 | 0x1000 if kind != "up" else 3 | 0x1000
            source, valid = shuffle(kind, lane, b, c)
            rows.append(((data[lane], b, c), (data[source], valid)))
        test(f"shfl.sync.{kind}.b32-own", "a:b32 b:b32 c:b32", "d:b32 p:pred", f"shfl.sync.{kind}.b32 d|p, a, b, c, 0xffffffff;", rows, flags="all-lanes")
    test("shfl-in-branch", "a:b32", "d:b32", ".reg .pred p;\n.reg .u32 l;\nmov.u32 d, a;\nmov.u32 l, %tid.x;\nsetp.ge.u32 p, l, 16;\n@p bra $out;\nshfl.sync.down.b32 d, a, 1, 0x100f, 0xffff;\n$out:",
         [((x,), (data[i + 1] if i < 15 else x,)) for i, x in enumerate(data)], flags="all-lanes")

    def match_any(lane, xs, masks):
        return sum(1 << i for i in range(32) if masks[lane] >> i & 1 and xs[i] == xs[lane])
    for bits in (32, 64):
        xs = [x * (0x100000001 if bits == 64 else 1) & mask(bits) for x in words]
        test(f"match.any.sync.b{bits}", f"a:b{bits}", "d:b32", f"match.any.sync.b{bits} d, a, 0xffffffff;", [((x,), (match_any(i, xs, [full] * 32),)) for i, x in enumerate(xs)], flags="all-lanes")
        for title, ys in (("differ", xs), ("same", [xs[0]] * 32)):
            test(f"match.all.sync.b{bits}-{title}", f"a:b{bits}", "d:b32 p:pred", f"match.all.sync.b{bits} d|p, a, 0xffffffff;",
                 [((x,), (full if title == "same" else 0, int(title == "same"))) for x in ys], flags="all-lanes")
    reductions = {"add.s32": sum, "add.u32": sum, "min.s32": lambda x: min(signed(y, 32) for y in x), "min.u32": min, "max.s32": lambda x: max(signed(y, 32) for y in x), "max.u32": max,
                  "and.b32": lambda x: __import__("functools").reduce(operator.and_, x), "or.b32": lambda x: __import__("functools").reduce(operator.or_, x),
                  "xor.b32": lambda x: __import__("functools").reduce(operator.xor, x)}
    for name, f in reductions.items():
        test(f"redux.sync.{name}", "a:b32", "d:b32", f"redux.sync.{name} d, a, 0xffffffff;", [((x,), (f(data) & full,)) for x in data], flags="all-lanes")
        code = ".reg .pred p;\n.reg .u32 l;\nmov.u32 l, %tid.x;\nmov.u32 d, 0;\nsetp.ge.u32 p, l, 11;\n@p bra $out;\n" + f"redux.sync.{name} d, a, 0x7ff;\n$out:"
        test(f"redux.sync.{name}-11", "a:b32", "d:b32", code, [((x,), (f(data[:11]) & full if i < 11 else 0,)) for i, x in enumerate(data)], flags="all-lanes")
    # sm_100: f32, with magnitudes, with NaN winning; -0 is below +0, a NaN result is canonical
    def float_reduce(values, largest, magnitudes, nan_wins):
        if magnitudes:
            values = [v & 0x7fffffff for v in values]
        numbers = [v for v in values if v & 0x7fffffff <= 0x7f800000]
        if not numbers or (nan_wins and len(numbers) < len(values)):
            return 0x7fffffff
        return (max if largest else min)(numbers, key=lambda v: -(v & 0x7fffffff) - 1 if v >> 31 else v)
    floats = [random.getrandbits(1) << 31 | random.randrange(0x30000000, 0x42c80000) for _ in range(32)]
    for tag, values in (("", floats), ("-nan", floats[:5] + [0x7fc00001] + floats[6:]), ("-all-nan", [0x7f800001] * 32), ("-zero", [0x80000000, 0] * 16)):
        for largest in (False, True):
            for magnitudes in (False, True):
                for nan_wins in (False, True):
                    name = f"redux.sync.{'max' if largest else 'min'}{'.abs' if magnitudes else ''}{'.NaN' if nan_wins else ''}.f32"
                    expected = float_reduce(values, largest, magnitudes, nan_wins)
                    test(name + tag, "a:f32", "d:f32", f"{name} d, a, 0xffffffff;", [((x,), (expected,)) for x in values], flags="all-lanes sim-only")
    test("bar.warp.sync", "a:b32", "d:b32", ".shared .b32 s[32];\n.reg .u32 n, x;\nmov.u32 n, %tid.x;\nshl.b32 n, n, 2;\nmov.u32 x, s;\nadd.u32 n, n, x;\nst.shared.b32 [n], a;\nbar.warp.sync 0xffffffff;\nld.shared.b32 d, [s+124];",
         [((x,), (data[31],)) for x in data], flags="all-lanes")

# --- control --------------------------------------------------------------------------------------
with Family("control", "Branches, calls, barriers, fences, PTX ISA 9.7.12 and 9.7.13."):
    test("bra-loop", "a:b32", "d:b32", ".reg .pred p;\n.reg .u32 i;\nmov.u32 d, 0;\nmov.u32 i, 0;\n$loop:\nsetp.ge.u32 p, i, a;\n@p bra $end;\nadd.u32 d, d, i;\nadd.u32 i, i, 1;\nbra.uni $loop;\n$end:",
         [((n,), (n * (n - 1) // 2,)) for n in range(32)])
    test("bra-nested", "a:b32", "d:b32", ".reg .pred p, q;\n.reg .u32 t;\nand.b32 t, a, 1;\nsetp.eq.u32 p, t, 0;\nand.b32 t, a, 2;\nsetp.eq.u32 q, t, 0;\n@p bra $even;\n@q bra $one;\nmov.u32 d, 3;\nbra $end;\n$one:\nmov.u32 d, 1;\nbra $end;\n$even:\n@!q bra $two;\nmov.u32 d, 0;\nbra $end;\n$two:\nmov.u32 d, 2;\n$end:\nadd.u32 d, d, 100;",
         [((n,), (100 + n % 4,)) for n in range(32)])
    test("collatz", "a:b32", "d:b32", ".reg .pred p;\n.reg .u32 x, t;\nmov.u32 x, a;\nmov.u32 d, 0;\n$loop:\nsetp.le.u32 p, x, 1;\n@p bra $end;\nadd.u32 d, d, 1;\nand.b32 t, x, 1;\nsetp.eq.u32 p, t, 0;\n@p bra $even;\nmad.lo.u32 x, x, 3, 1;\nbra $loop;\n$even:\nshr.u32 x, x, 1;\nbra $loop;\n$end:",
         [((n,), ((lambda f, n: f(f, n))(lambda f, n: 0 if n <= 1 else 1 + f(f, 3 * n + 1 if n & 1 else n // 2), n),)) for n in range(1, 33)])
    test("brx.idx", "a:b32", "d:b32", "$targets: .branchtargets $zero, $one, $two, $zero;\nmov.u32 d, 9;\nbrx.idx a, $targets;\n$one:\nmov.u32 d, 11;\nbra $end;\n$two:\nmov.u32 d, 12;\nbra $end;\n$zero:\nmov.u32 d, 10;\n$end:",
         [((n % 4,), ((10, 11, 12, 10)[n % 4],)) for n in range(32)])
    functions = """.func (.param .b32 r) twice(.param .b32 x)
{
.reg .b32 v;
ld.param.b32 v, [x];
add.u32 v, v, v;
st.param.b32 [r], v;
ret;
}
.func (.param .b32 r) thrice(.param .b32 x)
{
.reg .b32 v;
ld.param.b32 v, [x];
mul.lo.u32 v, v, 3;
st.param.b32 [r], v;
ret;
}
.func (.param .b32 r) factorial(.param .b32 x)
{
.reg .b32 v, w;
.reg .pred p;
ld.param.b32 v, [x];
setp.gt.u32 p, v, 1;
@p bra $more;
st.param.b32 [r], 1;
ret;
$more:
sub.u32 w, v, 1;
{
.param .b32 q;
.param .b32 s;
st.param.b32 [q], w;
call.uni (s), factorial, (q);
ld.param.b32 w, [s];
}
mul.lo.u32 v, v, w;
st.param.b32 [r], v;
ret;
}
.func (.param .align 16 .b8 r[16]) swap(.param .align 8 .b8 x[16], .param .b32 n)
{
.reg .b64 v, w;
.reg .b32 k;
ld.param.b32 k, [n];
ld.param.b64 v, [x];
ld.param.b64 w, [x+8];
st.param.v2.b64 [r], {w, v};
ret;
}
.func early(.param .b32 x)
{
.reg .b32 v;
.reg .pred p;
ld.param.b32 v, [x];
setp.lt.u32 p, v, 4;
@p ret;
ret;
}"""
    def call(name):
        return "{\n.param .b32 q;\n.param .b32 s;\nst.param.b32 [q], a;\n" + f"call.uni (s), {name}, (q);\nld.param.b32 d, [s];\n" + "}"
    test("call", "a:b32", "d:b32", call("twice"), [((n,), (2 * n,)) for n in range(32)], module=functions)
    test("call-recursive", "a:b32", "d:b32", call("factorial"), [((n % 12,), (__import__("math").factorial(n % 12),)) for n in range(32)], module=functions)
    test("call-indirect", "a:b32 b:b32", "d:b32",
         ".reg .u64 f, g;\n.reg .pred p;\nmov.u64 f, twice;\nmov.u64 g, thrice;\nsetp.ne.u32 p, b, 0;\nselp.b64 f, f, g, p;\n{\n.param .b32 q;\n.param .b32 s;\nst.param.b32 [q], a;\nprototype: .callprototype (.param .b32 _) _ (.param .b32 _);\ncall (s), f, (q), prototype;\nld.param.b32 d, [s];\n}",
         [((n, n & 1), (2 * n if n & 1 else 3 * n,)) for n in range(32)], module=functions)
    test("call-table", "a:b32 b:b32", "d:b32",
         ".reg .u64 f, x, y;\nmov.u64 x, table;\nmul.wide.u32 y, b, 8;\nadd.u64 x, x, y;\nld.global.u64 f, [x];\n{\n.param .b32 q;\n.param .b32 s;\nst.param.b32 [q], a;\nprototype: .callprototype (.param .b32 _) _ (.param .b32 _);\ncall (s), f, (q), prototype;\nld.param.b32 d, [s];\n}",
         [((n, n & 1), (3 * n if n & 1 else 2 * n,)) for n in range(32)], module=functions + "\n.global .align 8 .u64 table[2] = {twice, thrice};")
    test("call-struct", "a:b64 b:b64", "d:b64 e:b64",
         "{\n.param .align 8 .b8 q[16];\n.param .b32 n;\n.param .align 16 .b8 s[16];\nst.param.b64 [q], a;\nst.param.b64 [q+8], b;\nst.param.b32 [n], 1;\ncall (s), swap, (q, n);\nld.param.v2.b64 {d, e}, [s];\n}",
         [((n, 2 * n + 5), (2 * n + 5, n)) for n in range(8)], module=functions)
    test("call-early-ret", "a:b32", "d:b32", "{\n.param .b32 q;\nst.param.b32 [q], a;\ncall early, (q);\n}\nadd.u32 d, a, 1;", [((n,), (n + 1,)) for n in range(32)], module=functions)
    test("exit", "a:b32", "d:b32", ".reg .pred p;\nsetp.lt.u32 p, a, 8;\n@p exit;\nmov.u32 d, a;", [((n,), (n if n >= 8 else 0xA5C3A5C3,)) for n in range(32)], flags="all-lanes")
    test("ret-guarded", "a:b32", "d:b32", ".reg .pred p;\nsetp.ge.u32 p, a, 8;\n@p ret;\nmov.u32 d, a;", [((n,), (n if n < 8 else 0xA5C3A5C3,)) for n in range(32)], flags="all-lanes")
    test("never", "a:b32", "d:b32", ".reg .pred p;\nmov.u32 d, 1;\nsetp.gt.u32 p, a, 100;\n@p trap;\n@p brkpt;\n@p exit;", [((n,), (1,)) for n in range(32)])
    test("nothing", "a:b32", "d:b32", "nanosleep.u32 20;\npmevent 1;\nmov.u32 d, a;", [((n,), (n,)) for n in range(4)])
    test("fences", "a:b32", "d:b32", "membar.cta;\nmembar.gl;\nmembar.sys;\nfence.acq_rel.gpu;\nfence.sc.sys;\nfence.sc.cta;\nfence.acq_rel.cta;\nmov.u32 d, a;", [((n,), (n,)) for n in range(4)])
    for word in ("bar", "barrier"):
        for extra in ("", ".cta"):
            test(f"{word}{extra}", "a:pred", "c:b32 d:pred e:pred f:b32",
                 f".reg .u32 id, n;\nmov.u32 id, 3;\nmov.u32 n, 32;\n{word}{extra}.sync 0;\n{word}{extra}.sync id, n;\n{word}{extra}.red.popc.u32 c, 1, a;\n{word}{extra}.red.and.pred d, 2, 32, a;\n{word}{extra}.red.or.pred e, id, n, !a;\n{word}{extra}.arrive 5, 64;\nmov.u32 f, 1;",
                 [((int(i % 3 == 0),), (11, 0, 1, 1)) for i in range(32)], flags="all-lanes sim-only")
    test("barrier.aligned", "a:b32", "d:b32", "barrier.sync.aligned 0;\nmov.u32 d, a;", [((n,), (n,)) for n in range(4)], flags="all-lanes")
    test("bar.red", "a:pred", "c:b32 d:pred e:pred", "bar.red.popc.u32 c, 1, a;\nbar.red.and.pred d, 2, a;\nbar.red.or.pred e, 3, !a;", [((int(i % 3 == 0),), (11, 0, 1)) for i in range(32)], flags="all-lanes")
    printf = """.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 v);
.global .align 1 .b8 format[] = {37, 100, 32, 37, 108, 108, 117, 32, 37, 46, 51, 102, 32, 37, 115, 32, 37, 99, 32, 37, 53, 120, 124, 37, 45, 53, 105, 124, 37, 48, 53, 117, 32, 37, 37, 32, 37, 43, 100, 10, 0};
.global .align 1 .b8 word[] = {119, 97, 114, 112, 0};"""
    test("vprintf", "a:b32", "d:b32",
         """.local .align 8 .b8 v[64];
.reg .pred p;
.reg .u64 x, f, w;
setp.ne.u32 p, a, 2;
mov.u32 d, 0;
@p bra $quiet;
mov.u64 x, v;
cvta.local.u64 x, x;
mov.u64 f, format;
cvta.global.u64 f, f;
mov.u64 w, word;
cvta.global.u64 w, w;
st.u32 [x], -5;
st.u64 [x+8], 12345678901;
st.f64 [x+16], 0d400921FB54442D18;
st.u64 [x+24], w;
st.u32 [x+32], 65;
st.u32 [x+36], 0xbeef;
st.u32 [x+40], -12;
st.u32 [x+44], 42;
st.u32 [x+48], 7;
{
.param .b64 q;
.param .b64 r;
.param .b32 s;
st.param.b64 [q], f;
st.param.b64 [r], x;
call.uni (s), vprintf, (q, r);
ld.param.b32 d, [s];
}
setp.gt.s32 p, d, 0;
selp.u32 d, 1, 0, p;
$quiet:""", [((n,), (int(n == 2),)) for n in range(32)], module=printf, printed="-5 12345678901 3.142 warp A  beef|-12  |00042 % +7", flags="all-lanes")
