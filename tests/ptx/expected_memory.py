"""Moves, loads, stores and atomics. Run by expected.py."""
from expected_base import *


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
    test("special-gridid", "", "d:pred", ".reg .u32 x, y;\n.reg .u64 z;\nmov.u32 x, %gridid;\nmov.u64 z, %gridid;\ncvt.u32.u64 y, z;\nsetp.eq.u32 d, x, y;", [((), (1,))])
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
    # lanes of one store to one location in shared memory, seen by the others after a barrier
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
    # all lanes at one address: the sum is there after a barrier, and each lane saw another old value
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
