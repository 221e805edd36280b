#!/usr/bin/env python3
"""Writes async.txt: asynchronous copies, mbarriers, clusters, PTX ISA 9.7.9.25, 9.7.13.15, 9.7.13.4.

What the tests expect follows from the ISA's text; no program computes it. `run_ptx --cuda` proves it.
Run it again after a change: python3 tests/ptx/async.py
"""
import os
import random

HERE = os.path.dirname(os.path.abspath(__file__))
lines = ["# Asynchronous copies, mbarriers and clusters. Written by async.py.", ""]
MASK = (1 << 64) - 1


def test(name, ins, outs, code, rows, module="", flags=""):
    lines.append(f"test {name} all-lanes {flags}".rstrip())
    if ins:
        lines.append("in " + ins)
    lines.append("out " + outs)
    lines.extend("module " + line for line in module.strip("\n").split("\n") if line)
    lines.extend("code " + line for line in code.strip("\n").split("\n"))
    for inputs, outputs in rows:
        lines.append(" ".join(["row"] + [hex(x) for x in inputs] + ["->"] +
                              [x if isinstance(x, str) else hex(x) for x in outputs]))
    lines.append("")


def words(count):
    return [tuple(random.getrandbits(64) for _ in range(count)) for _ in range(32)]


# Each lane has 16 bytes in `from` (global) and in `to` (shared); %f and %t are their addresses.
MODULE = """.global .align 16 .b8 from[512];
.shared .align 16 .b8 to[512];
.shared .align 8 .b64 bar;"""
START = """.reg .b64 %f, %t, %state, %shared;
.reg .b32 %n, %narrow;
.reg .pred %p, %first;
mov.u32 %n, %tid.x;
mov.u64 %f, from;
mov.u64 %t, to;
mad.wide.u32 %f, %n, 16, %f;
mad.wide.u32 %t, %n, 16, %t;
cvt.u32.u64 %narrow, %t;
setp.eq.u32 %first, %n, 0;
st.global.v2.b64 [%f], {a, b};
st.shared.v2.b64 [%t], {0, 0};
bar.warp.sync 0xffffffff;
"""
END = "ld.shared.v2.b64 {c, d}, [%t];"


def copy(name, code, expected, flags=""):
    rows = words(2)
    if not expected:  # the lane's number decides how much of the first word comes
        sizes = [lane % 8 + 1 if "size" in name else 0 if lane % 2 else 8 for lane in range(32)]
        made = [(r, (r[0] & ((1 << 8 * size) - 1), 0)) for r, size in zip(rows, sizes)]
    else:
        made = [(r, expected(*r)) for r in rows]
    test(name, "a:b64 b:b64", "c:b64 d:b64", START + code + "\n" + END, made, MODULE, flags)


def all_copies():
    both = lambda a, b: (a, b)
    copy("cp.async.cg.shared.global-wait_all", "cp.async.cg.shared.global [%t], [%f], 16;\ncp.async.wait_all;", both)
    copy("cp.async.ca.shared.global-groups",
         "cp.async.ca.shared.global [%narrow], [%f], 8;\ncp.async.commit_group;\n"
         "cp.async.ca.shared.global [%narrow+8], [%f+8], 4;\ncp.async.commit_group;\ncp.async.wait_group 0;",
         lambda a, b: (a, b & 0xFFFFFFFF))
    copy("cp.async-sizes",
         "cp.async.cg.shared::cta.global.L2::128B [%t], [%f], 16, 12;\ncp.async.wait_all;",
         lambda a, b: (a, b & 0xFFFFFFFF))
    copy("cp.async-size-in-register",
         "and.b32 %n, %n, 7;\nadd.u32 %n, %n, 1;\ncp.async.ca.shared.global [%t], [%f], 8, %n;\ncp.async.wait_all;",
         None)
    copy("cp.async-ignore", "and.b32 %n, %n, 1;\nsetp.ne.u32 %p, %n, 0;\n"
         "cp.async.ca.shared.global [%t], [%f], 8, %p;\ncp.async.wait_all;", None)
    arrive = """@%first mbarrier.init.shared.b64 [bar], 64;
bar.warp.sync 0xffffffff;
cp.async.cg.shared.global [%t], [%f], 16;
cp.async.mbarrier.arrive.noinc.shared.b64 [bar];
mbarrier.arrive.shared.b64 %state, [bar];
wait: mbarrier.test_wait.shared.b64 %p, [bar], %state;
@!%p bra wait;"""
    copy("cp.async.mbarrier.arrive.noinc", arrive, both)
    copy("cp.async.mbarrier.arrive", arrive.replace(".noinc", "").replace(", 64", ", 32"), both)
    bulk = """@%first mbarrier.init.shared.b64 [bar], 1;
fence.mbarrier_init.release.cluster;
fence.proxy.async;
bar.warp.sync 0xffffffff;
@%first mbarrier.arrive.expect_tx.shared.b64 %state, [bar], 512;
@%first cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%t], [%f], 512, [bar];
wait: mbarrier.try_wait.parity.shared.b64 %p, [bar], 0;
@!%p bra wait;"""
    copy("cp.async.bulk.shared.global", bulk, both, "sm_90")
    copy("cp.async.bulk.shared.global-multicast", bulk.replace("tx::bytes [%t]", "tx::bytes.multicast::cluster [%t]").replace(
        "512, [bar];", "512, [bar], 1;"), both, "sm_90")
    copy("cp.async.bulk.shared.global-expect_tx", bulk.replace(
        "mbarrier.arrive.expect_tx.shared.b64 %state, [bar], 512;",
        "mbarrier.expect_tx.relaxed.cta.shared.b64 [bar], 512;\n@%first mbarrier.arrive.shared.b64 %state, [bar];"), both, "sm_90")
    rows = words(2)
    test("cp.async.bulk.global.shared", "a:b64 b:b64", "c:b64 d:b64", START + """st.shared.v2.b64 [%t], {b, a};
fence.proxy.async.shared::cta;
bar.warp.sync 0xffffffff;
@%first cp.async.bulk.prefetch.L2.global [%f], 512;
@%first cp.async.bulk.global.shared::cta.bulk_group [%f], [%t], 512;
cp.async.bulk.commit_group;
cp.async.bulk.wait_group.read 0;
cp.async.bulk.wait_group 0;
fence.proxy.async.global;
bar.warp.sync 0xffffffff;
ld.volatile.global.v2.b64 {c, d}, [%f];""", [(r, (r[1], r[0])) for r in rows], MODULE, "sm_90")


def all_barriers():
    def barrier(name, outs, code, expected, flags=""):
        test(name, "", outs, ".reg .b64 %s, %old, %g;\n.reg .pred %p, %first;\n.reg .b32 %n;\nmov.u32 %n, %tid.x;\n"
             "setp.eq.u32 %first, %n, 0;\n" + code, [((), expected(lane)) for lane in range(32)],
             ".shared .align 8 .b64 bar;", flags)

    init = "@%first mbarrier.init.shared.b64 [bar], {};\nbar.warp.sync 0xffffffff;\n"
    # a phase of 32 arrivals, one of 31 arrivals and one by count, then the third is pending
    barrier("mbarrier.phases", "p:pred q:pred r:pred", init.format(32) + """mbarrier.arrive.shared.b64 %old, [bar];
first: mbarrier.test_wait.shared.b64 p, [bar], %old;
@!p bra first;
mbarrier.arrive.release.cta.shared::cta.b64 %s, [bar], 1;
second: mbarrier.test_wait.parity.shared.b64 q, [bar], 1;
@!q bra second;
mbarrier.test_wait.parity.shared.b64 r, [bar], 0;""", lambda lane: (1, 1, 0), "sm_90")
    barrier("mbarrier.parity-of-the-past", "p:pred q:pred", init.format(7) + """mbarrier.test_wait.parity.shared.b64 p, [bar], 0;
mbarrier.test_wait.parity.shared.b64 q, [bar], 1;""", lambda lane: (0, 1))
    barrier("mbarrier.generic-and-try_wait", "p:pred", init.format(32) + """mov.u64 %g, bar;
cvta.shared.u64 %g, %g;
mbarrier.arrive.b64 %s, [%g];
again: mbarrier.try_wait.b64 p, [%g], %s;
@!p bra again;""", lambda lane: (1,), "sm_90")
    # only lane 0 acts: the state before each operation says how many arrivals were pending
    one = init.format(10) + "mov.u32 c, 99;\nmov.u32 d, 99;\nmov.u32 e, 99;\n@!%first bra out;\n"
    barrier("mbarrier.pending_count", "c:b32 d:b32 e:b32", one + """mbarrier.arrive.noComplete.shared.b64 %s, [bar], 3;
mbarrier.pending_count.b64 c, %s;
mbarrier.arrive.noComplete.shared.b64 %s, [bar], 4;
mbarrier.pending_count.b64 d, %s;
mbarrier.arrive.shared.b64 %s, [bar];
mbarrier.pending_count.b64 e, %s;
out:""", lambda lane: (10, 7, 3) if lane == 0 else (99, 99, 99))
    barrier("mbarrier.arrive_drop", "c:b32 d:b32 e:b32", one + """mbarrier.arrive_drop.noComplete.shared.b64 %s, [bar], 2;
mbarrier.pending_count.b64 c, %s;
mbarrier.arrive_drop.shared.b64 %s, [bar];
mbarrier.arrive.noComplete.shared.b64 %s, [bar], 6;
mbarrier.arrive.shared.b64 %s, [bar];
mbarrier.pending_count.b64 d, %s;
mbarrier.arrive.noComplete.shared.b64 %s, [bar], 1;
mbarrier.pending_count.b64 e, %s;
out:""", lambda lane: (10, 1, 7) if lane == 0 else (99, 99, 99))
    barrier("mbarrier.transactions", "p:pred q:pred r:pred", init.format(1) + """@!%first bra wait;
mbarrier.arrive_drop.expect_tx.shared.b64 %s, [bar], 48;
mbarrier.complete_tx.relaxed.cta.shared.b64 [bar], 32;
mbarrier.test_wait.parity.shared.b64 p, [bar], 0;
mbarrier.complete_tx.relaxed.cta.shared.b64 [bar], 16;
wait: mbarrier.test_wait.parity.shared.b64 q, [bar], 0;
@!q bra wait;
setp.eq.u32 r, %n, 99;
@!%first setp.eq.u32 p, %n, 99;""", lambda lane: (0, 1, 0), "sm_90")
    barrier("mbarrier.inval", "p:pred", init.format(3) + """@%first mbarrier.inval.shared.b64 [bar];
bar.warp.sync 0xffffffff;
@%first mbarrier.init.shared.b64 [bar], 1;
bar.warp.sync 0xffffffff;
mbarrier.test_wait.parity.shared.b64 p, [bar], 0;""", lambda lane: (0,))


def all_clusters():
    rows = words(1)
    test("barrier.cluster", "a:b64", "d:b64 n:b32 m:b32", """.reg .b64 %t, %g;
.reg .b32 %narrow;
mov.u32 %narrow, %tid.x;
mov.u64 %t, to;
mad.wide.u32 %t, %narrow, 8, %t;
st.shared.b64 [%t], a;
barrier.cluster.arrive.release.aligned;
barrier.cluster.wait.acquire.aligned;
xor.b64 %t, %t, 8;
cvta.shared.u64 %g, %t;
mapa.u64 %g, %g, 0;
ld.b64 d, [%g];
cvt.u32.u64 %narrow, %t;
mapa.shared::cluster.u32 %narrow, %narrow, 0;
ld.shared::cluster.b32 m, [%narrow];
getctarank.u64 n, %g;
add.u32 n, n, 1;
getctarank.shared::cluster.u32 n, %narrow;
barrier.cluster.arrive;
barrier.cluster.wait;""", [(r, (rows[l ^ 1][0], 0, rows[l ^ 1][0] & 0xFFFFFFFF)) for l, r in enumerate(rows)],
         ".shared .align 8 .b8 to[256];", "sm_90")
    test("griddepcontrol", "", "d:b32", "griddepcontrol.launch_dependents;\ngriddepcontrol.wait;\nmov.u32 d, 5;",
         [((), (5,))] * 32, "", "sm_90")


random.seed("async")
all_copies()
all_barriers()
all_clusters()
with open(os.path.join(HERE, "async.txt"), "w") as file:
    file.write("\n".join(lines))
