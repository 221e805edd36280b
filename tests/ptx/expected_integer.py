"""Integer arithmetic, carries, logic, shifts and bytes. Run by expected.py."""
from expected_base import *


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
    # CC.CF of a subtraction is the adder's carry (no borrow), and addc and subc read it as it is
    for t in ("u32", "u64"):
        bits = width(t)
        b = f"b{bits}"
        rows = []
        for a, c, d, *_ in limbs(3, bits):
            first = a + (c ^ mask(bits)) + 1
            flag = first >> bits
            second = d + (a ^ mask(bits)) + flag
            third = a + c
            rows.append(((a, c, d), (first & mask(bits), flag, second & mask(bits), second >> bits,
                                     (c + (d ^ mask(bits)) + (third >> bits)) & mask(bits))))
        code = (f"sub.cc.{t} d, a, b;\naddc.{t} p, 0, 0;\nsub.cc.{t} d, a, b;\nsubc.cc.{t} e, c, a;\n"
                f"addc.{t} q, 0, 0;\nadd.cc.{t} z, a, b;\nsubc.{t} f, b, c;")
        test(f"sub.cc-addc.{t}", f"a:{b} b:{b} c:{b}", f"d:{b} p:{b} e:{b} q:{b} f:{b}", f".reg .{b} z;\n" + code,
             [(r[0][:3], r[1]) for r in rows])
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

    def with_carry(half, t):
        bits, rows = width(t), []
        for a, b, c, k in tuples(["u" + t[1:]] * 4):
            carry = (a + k) >> bits
            product = value(a, t) * value(b, t)
            part = (product if half == "lo" else product >> bits) & mask(bits)
            first, second = part + c, part + c + carry
            rows.append(((a, b, c, k), (first & mask(bits), first >> bits, second & mask(bits), second >> bits, second & mask(bits))))
        code = f"""mad.{half}.cc.{t} d, a, b, c;
addc.u{bits} p, 0, 0;
add.cc.u{bits} z, a, e;
madc.{half}.cc.{t} f, a, b, c;
addc.u{bits} q, 0, 0;
add.cc.u{bits} z, a, e;
madc.{half}.{t} g, a, b, c;"""
        word = f"b{bits}"
        test(f"mad.{half}.cc.{t}", f"a:{word} b:{word} c:{word} e:{word}", f"d:{word} p:{word} f:{word} q:{word} g:{word}", f".reg .{word} z;\n" + code, rows)
    for t in ("u32", "s32", "u64", "s64"):
        with_carry("lo", t)
    for t in ("u32", "s32", "u64", "s64"):
        with_carry("hi", t)

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
