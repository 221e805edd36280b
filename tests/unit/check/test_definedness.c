/* What each instruction form makes of unset bits, in two ways.
 *
 * Each row says which bits of the result must count as unset, and that is seen from outside: a
 * branch on a bit is reported when the bit is unset and not when it is set. And each row is run on
 * 32 fillings of its unset bits: a result bit that differs between them depends on what no one
 * wrote, and must be among the row's, whatever the row's author thought. */
#include "tests/support/launch.h"

enum { LANES = 32, BITS = 64 };

struct input {
    uint64_t value, unset;
};
/* %a %b %c hold the lower halves of the inputs, %A %B %C all of them, %q the lowest bit of the
 * third. The result stands in %d (32 bits), %D (64), %h (16) or %e (a predicate). */
struct row {
    const char *code;
    struct input in[3];
    char result;
    uint64_t unset;
};

static const struct row rows[] = {
    {"mov.b32 %d, %a;", {{5, 0xf0f}}, 'd', 0xf0f},
    {"mov.b64 %D, %A;", {{5, 1ull << 63}}, 'D', 1ull << 63},
    {"mov.b64 %D, {%a, %b};", {{1, 0xff}, {2, 0xf0}}, 'D', 0xf0000000ffull},
    {"mov.b64 {%x, %d}, %A;", {{1, 0xff00000001ull}}, 'd', 0xff},
    {"mov.b32 {%g, %h}, %a;", {{1, 0x10001}}, 'h', 1},
    {"mov.pred %e, %q;", {{0}, {0}, {0, 1}}, 'e', 1},
    /* logic: a known zero decides and, a known one decides or */
    {"and.b32 %d, %a, %b;", {{0, 0xffff}, {0x0ff0, 0}}, 'd', 0x0ff0},
    {"and.b32 %d, %a, %b;", {{0, 0xff}, {0, 0xf0}}, 'd', 0xf0},
    {"and.b32 %d, %a, %b;", {{0, 0xffffffff}, {0, 0}}, 'd', 0},
    {"and.b64 %D, %A, %B;", {{0, UINT64_MAX}, {1ull << 40, 0}}, 'D', 1ull << 40},
    {"or.b32 %d, %a, %b;", {{0, 0xffff}, {0x0ff0, 0}}, 'd', 0xf00f},
    {"or.b64 %D, %A, %B;", {{0, 0xff}, {0x0f, 0xf000}}, 'D', 0xf0f0},
    {"xor.b32 %d, %a, %b;", {{3, 0xf}, {0xffff, 0xf000}}, 'd', 0xf00f},
    {"not.b32 %d, %a;", {{3, 0xf0}}, 'd', 0xf0},
    {"lop3.b32 %d, %a, %b, %c, 0xe8;", {{0, 0xfff}, {0x0f, 0}, {0xf0f, 0}}, 'd', 0xf00},
    {"lop3.b32 %d, %a, %b, %c, 0x96;", {{0, 0xf}, {1, 0xf0}, {2, 0xf00}}, 'd', 0xfff},
    {"lop3.b32 %d, %a, %b, %c, 0xea;", {{0, 0xff}, {0x3c, 0}, {0x0c, 0xf000}}, 'd', 0xf030},
    {"and.pred %e, %q, 0;", {{0}, {0}, {0, 1}}, 'e', 0},
    {"and.pred %e, %q, 1;", {{0}, {0}, {0, 1}}, 'e', 1},
    {"or.pred %e, %q, 1;", {{0}, {0}, {0, 1}}, 'e', 0},
    {"not.pred %e, %q;", {{0}, {0}, {0, 1}}, 'e', 1},
    /* bits on the move */
    {"shl.b32 %d, %a, 4;", {{1, 0xf000000f}}, 'd', 0xf0},
    {"shl.b32 %d, %a, 40;", {{1, 0xffffffff}}, 'd', 0},
    {"shr.u32 %d, %a, 8;", {{0, 0x8000ff00}}, 'd', 0x8000ff},
    {"shr.s32 %d, %a, 8;", {{0, 0x80000000}}, 'd', 0xff800000},
    {"shr.u64 %D, %A, 60;", {{0, UINT64_MAX}}, 'D', 0xf},
    {"shl.b32 %d, %a, %b;", {{1, 0}, {0, 1}}, 'd', 0xffffffff},
    {"shf.l.wrap.b32 %d, %a, %b, 8;", {{0, 0xff000000}, {0, 0xff}}, 'd', 0xffff},
    {"shf.r.clamp.b32 %d, %a, %b, 4;", {{0, 0xf0}, {0, 0x1}}, 'd', 0x1000000f},
    {"bfe.u32 %d, %a, 8, 8;", {{0, 0x1ff00}}, 'd', 0xff},
    {"bfe.s32 %d, %a, 8, 8;", {{0, 0x8000}}, 'd', 0xffffff80},
    {"bfe.u64 %D, %A, 32, 4;", {{0, 0xff00000000ull}}, 'D', 0xf},
    {"bfi.b32 %d, %a, %b, 8, 8;", {{0, 0xffff}, {0, 0xff}}, 'd', 0xffff},
    {"bfi.b32 %d, %a, %b, 8, 8;", {{7, 0}, {0, 0xff00}}, 'd', 0},
    {"bfi.b64 %D, %A, %B, 60, 4;", {{0, 1}, {0, 2}}, 'D', 1ull << 60 | 2},
    {"prmt.b32 %d, %a, %b, 0x5410;", {{0, 0xff00ff}, {0, 0xff00}}, 'd', 0xff0000ff},
    {"prmt.b32 %d, %a, %b, 0x8000;", {{0, 0x80}, {0, 0}}, 'd', 0xff808080},
    {"brev.b32 %d, %a;", {{0, 0xf}}, 'd', 0xf0000000},
    {"selp.b32 %d, %a, %b, %q;", {{1, 0xf}, {2, 0xf0}, {1, 0}}, 'd', 0xf},
    {"selp.b32 %d, %a, %b, %q;", {{1, 0xf}, {2, 0xf0}, {0, 0}}, 'd', 0xf0},
    {"selp.b32 %d, %a, %b, %q;", {{0x106, 0}, {0x103, 0}, {0, 1}}, 'd', 5},
    {"selp.b64 %D, %A, %B, !%q;", {{1, 0xf}, {2, 0xf0}, {1, 0}}, 'D', 0xf0},
    {"slct.b32.s32 %d, %a, %b, %c;", {{1, 0xf}, {2, 0xf0}, {5, 0}}, 'd', 0xf},
    {"slct.b32.s32 %d, %a, %b, %c;", {{1, 0}, {3, 0}, {5, 0x80000000}}, 'd', 2},
    {"cvt.u64.u32 %D, %a;", {{0, 0x80000001}}, 'D', 0x80000001},
    {"cvt.s64.s32 %D, %a;", {{0, 0x80000000}}, 'D', 0xffffffff80000000ull},
    {"cvt.u32.u64 %d, %A;", {{0, 0xff000000ffull}}, 'd', 0xff},
    {"cvt.u32.u8 %d, %a;", {{0, 0xff00}}, 'd', 0},
    {"cvt.s32.s8 %d, %a;", {{0, 0x80}}, 'd', 0xffffff80},
    {"cvt.u16.u32 %h, %a;", {{0, 0x10001}}, 'h', 1},
    {"cvt.rn.f32.s32 %d, %a;", {{0, 1}}, 'd', 0xffffffff},
    {"cvt.rn.f32.u8 %d, %a;", {{9, 0x100}}, 'd', 0},
    {"cvt.sat.u8.u32 %d, %a;", {{9, 0x100}}, 'd', 0xffffffff},
    {"cvt.rn.f16x2.f32 %d, %a, %b;", {{0, 1}, {0, 0}}, 'd', 0xffff0000},
    /* sums know the bits below the lowest unset one */
    {"add.u32 %d, %a, %b;", {{3, 0x100}, {5, 0}}, 'd', 0xffffff00},
    {"add.u64 %D, %A, %B;", {{3, 1ull << 40}, {5, 0}}, 'D', UINT64_MAX << 40},
    {"sub.u32 %d, %a, %b;", {{3, 0}, {5, 0x10}}, 'd', 0xfffffff0},
    {"neg.s32 %d, %a;", {{4, 8}}, 'd', 0xfffffff8},
    {"add.sat.s32 %d, %a, %b;", {{3, 0x100}, {5, 0}}, 'd', 0xffffffff},
    {"add.cc.u32 %x, %a, %b;\naddc.u32 %d, 0, 0;", {{0xffffffff, 1}, {1, 0}}, 'd', 0xffffffff},
    {"add.cc.u32 %x, %a, %b;\nadd.cc.u32 %x, 1, 1;\naddc.u32 %d, 0, 0;",
     {{0xffffffff, 1}, {1, 0}},
     'd',
     0},
    {"mul.lo.u32 %d, %a, %b;", {{0, 0x10}, {3, 0}}, 'd', 0xfffffff0},
    {"mul.lo.u32 %d, %a, %b;", {{0, 0x10}, {0, 0}}, 'd', 0},
    {"mad.lo.u32 %d, %a, %b, %c;", {{0, 0x10}, {0, 0}, {0, 0x100}}, 'd', 0xffffff00},
    {"mul.wide.u32 %D, %a, %b;", {{0, 0x80000000}, {3, 0}}, 'D', UINT64_MAX << 31},
    {"mad.wide.u32 %D, %a, %b, %C;", {{1, 0}, {3, 0}, {0, 1ull << 50}}, 'D', UINT64_MAX << 50},
    {"mul.hi.u32 %d, %a, %b;", {{0, 0x10}, {3, 0}}, 'd', 0xffffffff},
    /* everything else: one unset bit is enough */
    {"min.u32 %d, %a, %b;", {{9, 1}, {3, 0}}, 'd', 0xffffffff},
    {"popc.b32 %d, %a;", {{9, 2}}, 'd', 0xffffffff},
    {"div.u32 %d, %a, %b;", {{9, 2}, {2, 0}}, 'd', 0xffffffff},
    {"dp4a.u32.u32 %d, %a, %b, %c;", {{9, 2}, {1, 0}, {1, 0}}, 'd', 0xffffffff},
    {"add.f32 %d, %a, %b;", {{0x3f800000, 1}, {0x3f800000, 0}}, 'd', 0xffffffff},
    {"fma.rn.f32 %d, %a, %b, %c;", {{0, 0}, {0, 0}, {0, 1}}, 'd', 0xffffffff},
    {"add.rn.f16x2 %d, %a, %b;", {{0x3c003c00, 0x10000}, {0, 0}}, 'd', 0xffff0000},
    {"mul.rn.f16x2 %d, %a, %b;", {{0x3c003c00, 1}, {0x3c00, 0}}, 'd', 0xffff},
    /* comparisons: what is there may decide them */
    {"setp.eq.u32 %e, %a, %b;", {{0x100, 0xff}, {0x200, 0}}, 'e', 0},
    {"setp.eq.u32 %e, %a, %b;", {{0x100, 0xff}, {0x110, 0}}, 'e', 1},
    {"setp.ne.u64 %e, %A, %B;", {{1ull << 50, 0xff}, {7, 0}}, 'e', 0},
    {"setp.lt.u32 %e, %a, %b;", {{0x100, 0xff}, {0x200, 0}}, 'e', 0},
    {"setp.lt.u32 %e, %a, %b;", {{0x100, 0xff}, {0x180, 0}}, 'e', 1},
    {"setp.lt.s32 %e, %a, %b;", {{5, 0x7fffff00}, {0, 0}}, 'e', 0},
    {"setp.lt.s32 %e, %a, %b;", {{5, 0x80000000}, {0, 0}}, 'e', 1},
    {"setp.ge.u32 %e, %a, %b;", {{0x300, 0xff}, {0x300, 0}}, 'e', 0},
    {"setp.le.s32 %e, %a, %b;", {{0, 0xff}, {0xff, 0}}, 'e', 0},
    {"setp.lt.u32 %e, %a, %b;", {{0x200, 0xff}, {0x200, 0}}, 'e', 0},
    {"setp.lt.u32 %e, %a, %b;", {{0x200, 0}, {0x100, 0xff}}, 'e', 0},
    {"setp.lt.u32 %e, %a, %b;", {{0x180, 0}, {0x100, 0xff}}, 'e', 1},
    {"setp.le.u32 %e, %a, %b;", {{0x180, 0}, {0x100, 0xff}}, 'e', 1},
    {"setp.le.u32 %e, %a, %b;", {{0x100, 0}, {0x100, 0xff}}, 'e', 0},
    {"setp.gt.u32 %e, %a, %b;", {{0x180, 0}, {0x100, 0xff}}, 'e', 1},
    {"setp.gt.u32 %e, %a, %b;", {{0x100, 0}, {0x100, 0xff}}, 'e', 0},
    {"setp.ge.u32 %e, %a, %b;", {{0x1ff, 0}, {0x100, 0xff}}, 'e', 0},
    {"setp.ge.s32 %e, %a, %b;", {{5, 0}, {0, 0x80000000}}, 'e', 0},
    {"setp.ge.s32 %e, %a, %b;", {{5, 0}, {7, 0x80000000}}, 'e', 1},
    {"setp.gt.f32 %e, %a, %b;", {{0x3f800000, 1}, {0, 0}}, 'e', 1},
    {"setp.eq.and.u32 %e, %a, %b, %q;", {{0, 1}, {0, 0}, {0, 0}}, 'e', 0},
    {"setp.eq.and.u32 %e, %a, %b, %q;", {{0, 1}, {0, 0}, {1, 0}}, 'e', 1},
    {"setp.eq.or.u32 %e, %a, %b, %q;", {{0, 1}, {0, 0}, {1, 0}}, 'e', 0},
    {"setp.eq.or.u32 %e, %a, %b, !%q;", {{0, 0}, {1, 0}, {0, 1}}, 'e', 1},
    {"set.eq.u32.u32 %d, %a, %b;", {{0, 1}, {0, 0}}, 'd', 0xffffffff},
    /* results that do not depend on their operands */
    {"activemask.b32 %d;", {{0, 1}}, 'd', 0},
    {"mov.b32 %d, %a;\nmov.b32 %d, 3;", {{0, 0xff}}, 'd', 0},
    /* memory keeps bits */
    {"st.shared.b32 [room], %a;\nld.shared.b32 %d, [room];", {{5, 0x70f}}, 'd', 0x70f},
    {"st.shared.b32 [room], %a;\nld.shared.u8 %d, [room+1];", {{5, 0x70f}}, 'd', 7},
    {"st.shared.b32 [room], %a;\nld.shared.s8 %d, [room];", {{5, 0x80}}, 'd', 0xffffff80},
    {"st.shared.b64 [room], %A;\nst.shared.b32 [room], 7;\nld.shared.b64 %D, [room];",
     {{5, 0xf0000000full}},
     'D',
     0xf00000000ull},
    {"st.local.b32 [own], %a;\nld.local.b32 %d, [own];", {{5, 0x70f}}, 'd', 0x70f},
};

static void declare(struct text *ptx, const struct row *row, bool unset) {
    text_printf(ptx, PTX_HEAD ".visible .entry k(.param .u64 p)\n{\n"
                              ".reg .b64 %%A, %%B, %%C, %%D, %%t, %%hole, %%out, %%lane;\n"
                              ".reg .b32 %%a, %%b, %%c, %%d, %%x, %%l;\n.reg .b16 %%h, %%g;\n"
                              ".reg .pred %%e, %%q, %%p;\n"
                              ".shared .align 8 .b64 nothing;\n.shared .align 8 .b64 room;\n"
                              ".local .align 8 .b64 own;\n"
                              "ld.param.u64 %%out, [p];\nld.shared.b64 %%hole, [nothing];\n"
                              "mov.u32 %%l, %%tid.x;\nmul.wide.u32 %%lane, %%l, 8;\n"
                              "add.u64 %%out, %%out, %%lane;\n");
    if (!unset) /* a filling of its own for each lane: none, all, and a mixture */
        text_printf(ptx, "mul.lo.u64 %%hole, %%lane, 0x9e3779b97f4a7c15;\n"
                         "setp.eq.u32 %%p, %%l, 1;\nselp.b64 %%hole, -1, %%hole, %%p;\n");
    for (unsigned i = 0; i < 3; i++) {
        char wide = (char)('A' + i), narrow = (char)('a' + i);
        text_printf(ptx,
                    "and.b64 %%%c, %%hole, 0x%llx;\nor.b64 %%%c, %%%c, 0x%llx;\n"
                    "cvt.u32.u64 %%%c, %%%c;\n",
                    wide, (unsigned long long)row->in[i].unset, wide, wide,
                    (unsigned long long)(row->in[i].value & ~row->in[i].unset), narrow, wide);
    }
    text_printf(ptx, "and.b64 %%t, %%C, 1;\nsetp.ne.u64 %%q, %%t, 0;\n%s\n", row->code);
    if (row->result == 'd')
        text_printf(ptx, "cvt.u64.u32 %%D, %%d;\n");
    else if (row->result == 'h')
        text_printf(ptx, "cvt.u64.u16 %%D, %%h;\n");
    else if (row->result == 'e')
        text_printf(ptx, "selp.b64 %%D, 1, 0, %%e;\n");
}

static bool is_reported(const char *ptx, unsigned threads) {
    struct engine_result result = launch_text(ptx, 1, threads, NULL);
    if (result.end != ENGINE_COMPLETED)
        fail_msg("%s\n%s", result.message, ptx);
    bool reported = result.hazard_count != 0;
    for (size_t i = 0; i < result.hazard_count; i++)
        if (result.hazards[i].kind != HAZARD_UNINITIALIZED_READ)
            fail_msg("%s\n%s", result.hazards[i].message, ptx);
    engine_result_free(&result);
    return reported;
}

static bool is_unset(const struct row *row, unsigned bit) {
    struct text ptx = {0};
    declare(&ptx, row, true);
    text_printf(&ptx,
                "shr.u64 %%t, %%D, %u;\nand.b64 %%t, %%t, 1;\nsetp.ne.u64 %%p, %%t, 0;\n"
                "@%%p bra $end;\n$end:\nret;\n}\n",
                bit);
    bool unset = is_reported(text_string(&ptx), 1);
    text_free(&ptx);
    return unset;
}

static void test_rows(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        uint64_t unset = 0;
        for (unsigned bit = 0; bit < BITS; bit++)
            unset |= (uint64_t)is_unset(&rows[i], bit) << bit;
        if (unset != rows[i].unset)
            fail_msg("row %zu, %s: unset are 0x%llx, not 0x%llx", i, rows[i].code,
                     (unsigned long long)unset, (unsigned long long)rows[i].unset);
    }
}

/* Lanes store and load the same shared word in turns of one instruction each, which the rows that
 * use it must not be run with. */
static void test_fillings(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        uint64_t data[LAUNCH_BYTES / 8] = {0}, differ = 0;
        struct text ptx = {0};
        if (strstr(rows[i].code, "room") || strstr(rows[i].code, "activemask"))
            continue;
        declare(&ptx, &rows[i], false);
        text_printf(&ptx, "st.global.b64 [%%out], %%D;\nret;\n}\n");
        struct engine_result result =
            launch_text(text_string(&ptx), 1, LANES, (unsigned char *)data);
        if (result.end != ENGINE_COMPLETED)
            fail_msg("%s\n%s", result.message, text_string(&ptx));
        for (unsigned lane = 1; lane < LANES; lane++)
            differ |= data[lane] ^ data[0];
        engine_result_free(&result);
        text_free(&ptx);
        if (differ & ~rows[i].unset)
            fail_msg("row %zu, %s: bits 0x%llx depend on unset ones, and the row has 0x%llx", i,
                     rows[i].code, (unsigned long long)differ, (unsigned long long)rows[i].unset);
    }
}

/* Lanes of one warp: `unset` lanes have no %a, and %q is unset there, too; else %a is the lane's
 * number, %q whether it is odd. */
struct warp_row {
    const char *code;
    uint32_t unset, expected; /* lanes */
    char result;
};
static const struct warp_row warp_rows[] = {
    {"shfl.sync.down.b32 %d, %a, 4, 31, -1;", 0xf0, 0x0f, 'd'},
    {"shfl.sync.up.b32 %d, %a, 1, 0, -1;", 0x3, 0x7, 'd'}, /* lane 0 keeps its own */
    {"shfl.sync.bfly.b32 %d, %a, 16, 31, -1;", 0x1, 0x10000, 'd'},
    {"shfl.sync.idx.b32 %d, %a, 3, 31, -1;", 0x8, 0xffffffff, 'd'},
    {"shfl.sync.idx.b32 %d, %a, 3, 31, -1;", 0xfffffff7, 0, 'd'},
    {"shfl.sync.idx.b32 %d, %l, %a, 31, -1;", 0x4, 0x4, 'd'},
    {"shfl.sync.down.b32 %d|%e, %a, 4, 31, -1;", 0xf0, 0, 'e'},
    {"vote.sync.any.pred %e, %q, -1;", 0x1, 0, 'e'}, /* some other lane says yes */
    {"vote.sync.all.pred %e, %q, -1;", 0x1, 0, 'e'}, /* ... and some no */
    {"vote.sync.any.pred %e, %q, -1;", 0xaaaaaaaa, 0xffffffff, 'e'},
    {"vote.sync.all.pred %e, %q, -1;", 0x55555555, 0xffffffff, 'e'},
    {"vote.sync.uni.pred %e, %q, -1;", 0x1, 0, 'e'},
    {"vote.sync.uni.pred %e, %q, -1;", 0xaaaaaaaa, 0xffffffff, 'e'},
    {"vote.sync.ballot.b32 %d, %q, -1;\nand.b32 %d, %d, 0x10;", 0x10, 0xffffffff, 'd'},
    {"vote.sync.ballot.b32 %d, %q, -1;\nand.b32 %d, %d, 0xf;", 0x10, 0, 'd'},
    {"redux.sync.add.s32 %d, %a, -1;", 0x10, 0xffffffff, 'd'},
    {"match.any.sync.b32 %d, %a, -1;", 0x10, 0xffffffff, 'd'},
};

static bool is_lane_unset(const struct warp_row *row, unsigned lane) {
    struct text ptx = {0};
    text_printf(&ptx,
                PTX_HEAD ".visible .entry k()\n{\n.reg .b32 %%a, %%d, %%l, %%t;\n"
                         ".reg .pred %%e, %%q, %%p, %%r;\n.shared .b32 nothing;\n"
                         "ld.shared.b32 %%a, [nothing];\nmov.u32 %%l, %%laneid;\n"
                         "mov.u32 %%d, 0;\nsetp.ne.u32 %%e, %%d, 0;\n"
                         "shr.u32 %%t, 0x%x, %%l;\nand.b32 %%t, %%t, 1;\nsetp.ne.u32 %%p, %%t, 0;\n"
                         "selp.b32 %%a, %%a, %%l, %%p;\nand.b32 %%t, %%a, 1;\n"
                         "setp.ne.u32 %%q, %%t, 0;\n%s\n",
                row->unset, row->code);
    if (row->result == 'e')
        text_printf(&ptx, "selp.b32 %%d, 1, 0, %%e;\n");
    text_printf(&ptx,
                "setp.eq.u32 %%r, %%l, %u;\nselp.b32 %%d, %%d, 0, %%r;\n"
                "setp.ne.u32 %%p, %%d, 0;\n@%%p bra $end;\n$end:\nret;\n}\n",
                lane);
    bool unset = is_reported(text_string(&ptx), LANES);
    text_free(&ptx);
    return unset;
}

static void test_warp_rows(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(warp_rows); i++) {
        uint32_t unset = 0;
        for (unsigned lane = 0; lane < LANES; lane++)
            unset |= (uint32_t)is_lane_unset(&warp_rows[i], lane) << lane;
        if (unset != warp_rows[i].expected)
            fail_msg("row %zu, %s: unset in lanes 0x%x, not 0x%x", i, warp_rows[i].code, unset,
                     warp_rows[i].expected);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_fillings),
        cmocka_unit_test(test_warp_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
