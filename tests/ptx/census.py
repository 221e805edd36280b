#!/usr/bin/env python3
"""Writes census.txt: every mnemonic that real kernels use, each with operands it can be decoded with.

Reads mnemonics from the file given (the first column, a heading skipped), or census.txt's own.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TYPES = {f"{k}{n}": n for k in "bus" for n in (8, 16, 32, 64)} | {"f16": 16, "bf16": 16, "f32": 32, "f64": 64, "pred": 1, "tf32": 32, "f16x2": 32,
         "bf16x2": 32, "s16x2": 32, "u16x2": 32, "e4m3x2": 16, "e5m2x2": 16}


def reg(t, i=1):
    return {1: "%p", 8: "%h", 16: "%h", 32: "%r", 64: "%d"}[TYPES[t]] + str(i)


def many(t, count):
    return reg(t) if count == 1 else "{" + ", ".join(reg(t, i + 1) for i in range(count)) + "}"


def fragment(which, shape, t):
    """The kind and number of a lane's registers of a wmma operand."""
    if t == "f64":
        return many("f64", 1 if which in "ab" else 2)
    if which in "cd":
        return many("b32", 4 if t == "f16" else 8)
    if t in ("u8", "s8"):
        return many("b32", {"m16n16k16": 2, "m8n32k16": 1 if which == "a" else 4, "m32n8k16": 4 if which == "a" else 1}[shape])
    return many("b32", 8 if t == "f16" else 4)


def wmma(parts):
    shape = next(p for p in parts if p[0] == "m" and "n" in p and "k" in p)
    types = [p for p in parts if p in TYPES]
    if parts[1] == "load":
        return f"{fragment(parts[2], shape, types[0])}, [%d1], %r1"
    if parts[1] == "store":
        return f"[%d1], {fragment('d', shape, types[0])}, %r1"
    d, a, b, c = types if len(types) == 4 else (types[0], "f16", "f16", types[1])
    return ", ".join(fragment(w, shape, t) for w, t in zip("dabc", (d, a, b, c)))


def textured(base, parts):
    """Textures and surfaces: data, and as many coordinates as the geometry has."""
    geometry = next(p for p in parts if p in ("1d", "2d", "3d", "a1d", "a2d", "cube", "acube"))
    count = {"1d": 1, "2d": 2, "a1d": 2}.get(geometry, 4)
    place = "[%d1, {" + ", ".join(f"%r{5 + i}" for i in range(count)) + "}]"
    t = next(p for p in parts if p in TYPES)
    data = many(t, next((int(p[1]) for p in parts if p in ("v2", "v4")), 1))
    if base == "sust":
        return f"{place}, {data}"
    return f"{data}, {place}" + (", %r1" if "level" in parts else "")


FIXED = {
    "bra": "$L", "call": "f, (par)", "bar.sync": "0", "barrier.sync": "0", "bar.warp.sync": "%r1", "activemask.b32": "%r1", "nanosleep.u32": "%r1",
    "cp.async.wait_group": "0", "cp.async.mbarrier.arrive.shared.b64": "[%d1]", "mbarrier.init.shared.b64": "[%d1], %r1", "mbarrier.inval.shared.b64": "[%d1]",
    "bar.red.popc.u32": "%r1, 0, %p1", "vote.sync.ballot.b32": "%r1, %p1, -1", "prmt.b32": "%r1, %r2, %r3, 0x5410", "lop3.b32": "%r1, %r2, %r3, %r4, 0x96",
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes": "[%d1], [%d2], %r1, [%d3]", "mbarrier.expect_tx.relaxed.cta.shared::cta.b64": "[%d1], %r1",
}
NOTHING = {"ret", "trap", "membar", "fence", "exit"}


def operands(mnemonic):
    parts = mnemonic.split(".")
    base, types = parts[0], [p for p in parts if p in TYPES]
    t = types[-1] if types else None
    if mnemonic in FIXED or mnemonic.replace(".uni", "") in FIXED:
        return FIXED.get(mnemonic) or FIXED[mnemonic.replace(".uni", "")]
    if base in NOTHING or mnemonic == "cp.async.commit_group" or mnemonic.startswith("barrier.cluster"):
        return ""
    if base in ("tex", "suld", "sust"):
        return textured(base, parts)
    if base == "wmma":
        return wmma(parts)
    if base == "mma":
        return "{%r1, %r2}, {%r3, %r4, %r5, %r6}, {%r7, %r8}, {%r1, %r2}"
    if base == "ldmatrix":
        return f"{many('b32', int(parts[3][1]))}, [%d1]"
    if base == "cp":
        return "[%d1], [%d2], 16"
    if base == "mbarrier":
        return "%d1, [%d2]" if parts[1] == "arrive" else "%p1, [%d1], " + ("%r1" if "parity" in parts else "%d2")
    if mnemonic.startswith("bar.red"):
        return "%p1, 0, %p2"
    if base == "vote":
        return "%p1, %p2" + (", -1" if parts[1] == "sync" else "")
    if base == "shfl":
        return "%r1|%p1, %r2, 1, 31, -1"
    if base in ("match", "redux"):
        return f"%r1, {reg(t, 2)}, -1"
    count = {"v2": 2, "v4": 4}.get(next((p for p in parts if p in ("v2", "v4")), ""), 1)
    if base in ("ld", "st"):
        place = "[par]" if base == "st" and "param" in parts else "[in]" if "param" in parts else "[c]" if "const" in parts else "[%d1]"
        return f"{many(t, count)}, {place}" if base == "ld" else f"{place}, {many(t, count)}"
    if base == "atom":
        return f"{reg(t)}, [%d1], {reg(t, 2)}" + (f", {reg(t, 3)}" if "cas" in parts else "")
    if base == "setp":
        return f"%p1, {reg(t)}, {reg(t, 2)}"
    if base == "set":
        return f"{reg(types[0])}, {reg(t)}, {reg(t, 2)}"
    if base == "selp":
        return f"{reg(t)}, {reg(t, 2)}, {reg(t, 3)}, %p1"
    if base == "cvt":
        return f"{reg(types[0])}, {reg(t, 2)}" + (f", {reg(t, 3)}" if types[0].endswith("x2") and t == "f32" else "")
    if base in ("popc", "clz", "bfind"):
        return f"%r1, {reg(t)}"
    if base in ("shl", "shr"):
        return f"{reg(t)}, {reg(t, 2)}, %r1"
    if base in ("bfi", "bfe"):
        return f"{reg(t)}, {reg(t, 2)}" + (f", {reg(t, 3)}" if base == "bfi" else "") + ", %r1, %r2"
    if base in ("shf", "dp4a") or base[0] == "v":
        return "%r1, %r2, %r3, %r4"
    wide = "b" + str(2 * TYPES[t]) if "wide" in parts else t
    sources = {"fma": 3, "mad": 3, "madc": 3}.get(base, 1 if base in ("mov", "not", "neg", "abs", "brev", "cvta", "rcp", "sqrt", "rsqrt", "sin", "cos", "lg2", "ex2") else 2)
    return ", ".join([reg(wide)] + [reg(t, 2 + i) for i in range(min(sources, 2))] + ([reg(wide, 4)] if sources == 3 else []))


if __name__ == "__main__":
    path = os.path.join(HERE, "census.txt")
    with open(sys.argv[1] if len(sys.argv) > 1 else path) as file:
        names = [line.split()[0] for line in file if line.strip() and not line.startswith("#") and not line.startswith("opcode")]
    with open(path, "w") as file:
        file.write("# The mnemonics of 3,420 real kernels, with operands. Written by census.py.\n")
        file.writelines(f"{n}\t{operands(n)}".rstrip() + "\n" for n in names)
