"""What the writers of the instruction tests share: the files' form, rows of edge values, and
arithmetic in whole numbers and fractions, with the floating-point formats rounded by hand.

The expected values never come from the simulated GPU, nor from the host's floating point.
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


def f32(x):
    return encode(Fraction(x), F32)


NAN, PINF, NINF, NZERO = F32.nan, F32.inf, F32.inf | F32.sign, F32.sign
