"""Operations between lanes, branches, calls and barriers. Run by expected.py."""
import operator

from expected_base import *


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
        if bits == 32:
            test("match.any.sync.b32-in-place", "a:b32", "d:b32", "mov.b32 d, a;\nmatch.any.sync.b32 d, d, 0xffffffff;", [((x,), (match_any(i, xs, [full] * 32),)) for i, x in enumerate(xs)], flags="all-lanes")
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
