#!/usr/bin/env python3
"""Writes sparse.txt: mma.sp, PTX ISA 9.7.14.6.

Of each chunk of A's rows two of four elements are there (of tf32 one of two, of 4-bit integers two of
four pairs); which ones, metadata says: four bits a chunk. The ISA shows in figures which bits of which
lanes these are; `run_ptx --cuda` proves what is written here.
Run it again after a change: python3 tests/ptx/sparse.py
"""
import os
import random

import matrix as dense

random.seed("sparse")
HERE = os.path.dirname(os.path.abspath(__file__))
dense.lines = ["# Sparse matrix products, PTX ISA 9.7.14.6. Written by sparse.py.", ""]

# elements of a chunk, and of a unit of it that is there or not
CHUNK = {16: (4, 1), 32: (2, 1), 8: (4, 1), 4: (8, 2)}
DENSE = {("m16n8k16", 16): "m16n8k8", ("m16n8k32", 16): "m16n8k16", ("m16n8k8", 32): "m16n8k4",
         ("m16n8k16", 32): "m16n8k8", ("m16n8k32", 8): "m16n8k16", ("m16n8k64", 8): "m16n8k32",
         ("m16n8k64", 4): "m16n8k32", ("m16n8k128", 4): "m16n8k64"}


def metadata(k, bits):
    """For each row: the columns that are there, and 4 bits a chunk."""
    size, unit = CHUNK[bits]
    columns, codes = [], []
    for _ in range(16):
        row, code = [], []
        for chunk in range(k // size):
            units = size // unit
            if units == 2:  # tf32: which of two, as the two halves of it
                chosen = random.randrange(2)
                row.append(chunk * size + chosen)
                code.append(0b1110 if chosen else 0b0100)
            else:
                first, second = sorted(random.sample(range(units), 2))
                for u in (first, second):
                    row.extend(chunk * size + u * unit + i for i in range(unit))
                code.append(first | second << 2)
        columns.append(row)
        codes.append(code)
    return columns, codes


def words(codes, selector, integers):
    """The metadata register of each lane; those that do not count hold anything. Halves and tf32: a word
    is 4 chunks of a row and of the row 8 below; integers: 8 chunks of one row, the row 8 below is the
    next lane's."""
    lanes = [random.getrandbits(32) for _ in range(32)]
    threads = len(codes[0]) // 4
    for group in range(8):
        for part in range(threads):
            if integers:
                chunks = codes[group + 8 * (part % 2)][8 * (part // 2):][:8]
            else:
                chunks = codes[group][4 * part:][:4] + codes[group + 8][4 * part:][:4]
            lanes[4 * group + selector * threads + part] = sum(code << 4 * i for i, code in enumerate(chunks))
    return lanes


def sparse(shape, dt, at, bt, suffix, selector, ordered, saturate=False):
    m, n, k = dense.sizes(shape)
    bits = dense.BITS[at]
    na, pa, _, _, nc = dense.MMA[(DENSE[(shape, bits)], bits)]
    small = dt == "f16"
    a, b = dense.fill(m, k // 2, "f16c" if small else at), dense.fill(k, n, "f16c" if small else bt)
    run = 1 if bits >= 32 else 32 // bits if bits < 16 else 2
    place_b = lambda lane, i: (lane % 4 * run + i % run + 4 * run * (i // run), lane // 4)
    columns, codes = metadata(k, bits)
    start = 3
    whole = [[0] * k for _ in range(m)]
    for i in range(m):
        for value, column in zip(a[i], columns[i]):
            whole[i][column] = value
    d = dense.multiply(whole, b, [[start] * n for _ in range(m)], dt, None, saturate)
    ga, gb = dense.gather(a, at, na, pa), dense.gather(b, bt, k * n // 32, place_b)
    gd = dense.gather(d, dt, nc, dense.accumulators)
    e = words(codes, selector, dt == "s32")
    ra, rb = dense.registers("a", len(ga[0])), dense.registers("b", len(gb[0]))
    rd = dense.registers("d", len(gd[0]))
    z = {"f32": "mov.f32 z, 0f40400000;", "f16": "mov.b32 z, 0x42004200;", "s32": "mov.b32 z, 3;"}[dt]
    name = "mma.sp" + ("::ordered_metadata" if ordered else "") + f".sync.aligned.{shape}.row.col{suffix}.{dt}.{at}.{bt}.{dt}"
    lists = ["{" + ", ".join(group) + "}" for group in (rd, ra, rb, ["z"] * len(rd))]
    dense.test(f"{name}-{selector}", " ".join(f"{r}:b32" for r in ra + rb + ["e"]), " ".join(f"{r}:{dense.kind(dt)}" for r in rd),
               f".reg .{dense.kind(dt)} z;\n{z}\n{name} {', '.join(lists)}, e, {selector};",
               [(ga[l] + gb[l] + [e[l]], gd[l]) for l in range(32)])


def all_sparse(ordered):
    """Without ordered metadata, which is the older form of the same: the first selector of each shape."""
    def each(shape, selectors, *types, suffix=""):
        for selector in range(selectors if ordered else 1):
            sparse(shape, *types, suffix, selector, ordered, suffix != "")

    for shape, selectors in (("m16n8k16", 4), ("m16n8k32", 2)):
        each(shape, selectors, "f32", "f16", "f16")
        each(shape, selectors, "f16", "f16", "f16")
        each(shape, selectors, "f32", "bf16", "bf16")
    each("m16n8k8", 4, "f32", "tf32", "tf32")
    each("m16n8k16", 2, "f32", "tf32", "tf32")
    for bits, shapes in ((8, (("m16n8k32", 2), ("m16n8k64", 1))), (4, (("m16n8k64", 2), ("m16n8k128", 1)))):
        for shape, selectors in shapes:
            for at in "su":
                for bt in "su":
                    each(shape, selectors if at == bt else 1, "s32", f"{at}{bits}", f"{bt}{bits}", suffix=".satfinite" if at == "u" else "")


all_sparse(True)
all_sparse(False)
with open(os.path.join(HERE, "sparse.txt"), "w") as file:
    file.write("\n".join(dense.lines))
