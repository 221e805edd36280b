/* Small ifs, which the assembler predicates: that lanes part there or go round them cuts no code in
 * pieces, how many instructions they may have, and how many predicates there are. All of it was
 * read off what ptxas 13.0 writes for sm_90. */
#include "tests/support/model.h"

static const char registers[] =
    ".reg .pred c<20>;\n.reg .f32 w<20>;\nmov.f32 %f1, 0f00000000;\nmul.wide.u32 %x, %l, 4;\n"
    "add.s64 %y, %a, %x;\n";

/* Ifs that load a word each, which go by whether the lane is below `border`. */
static void add_ifs(struct text *body, unsigned count, unsigned border) {
    text_printf(body, "%s", registers);
    for (unsigned i = 0; i < count; i++)
        text_printf(body,
                    "setp.ge.u32 c%u, %%l, %u;\n@c%u bra OVER%u;\n"
                    "ld.global.cg.f32 w%u, [%%y+%u];\nadd.f32 %%f1, %%f1, w%u;\nOVER%u:\n",
                    i, border + 40 * (border > 32 ? i : 0), i, i, i, 4096 * i, i, i);
    text_printf(body, "st.global.f32 [%%y], %%f1;");
}

static double clocks_of_ifs(unsigned count, unsigned border) {
    struct text body = {0};
    add_ifs(&body, count, border);
    double clocks = clocks_on(&h200, text_string(&body), 1, 32);
    text_free(&body);
    return clocks;
}

static double issued_by_ifs(unsigned count, unsigned border) {
    struct text body = {0};
    add_ifs(&body, count, border);
    double clocks = busy_clocks(&h200, PART_issue, text_string(&body), 1, 32);
    text_free(&body);
    return clocks * h200.schedulers_per_sm;
}

/* The loads of ifs one after the other are on their way together, too, where lanes part at each. */
static void loads_of_small_ifs_wait_together(void **state) {
    (void)state;
    double one = clocks_of_ifs(1, 100), all = clocks_of_ifs(4, 100), some = clocks_of_ifs(4, 16);
    if (all - one > 200 || some - one > 200)
        fail_msg("four ifs take %g clocks more than one, %g where lanes part", all - one,
                 some - one);
}

/* A lane that goes round them executes as much. */
static void what_is_left_out_is_issued(void **state) {
    (void)state;
    double all = issued_by_ifs(4, 100), some = issued_by_ifs(4, 16), none = issued_by_ifs(4, 0);
    if (fabs(all - some) > 0.1 || fabs(all - none) > 0.1)
        fail_msg("%g instructions where all lanes take the ifs, %g and %g where some do and none",
                 all, some, none);
}

/* Ifs in another one, of which the last ends where that one does. */
static void ifs_may_end_where_others_do(void **state) {
    (void)state;
    double clocks[2];
    for (unsigned count = 1; count <= 2; count++) {
        struct text body = {0};
        text_printf(&body, "%ssetp.ge.u32 %%p, %%b, 1;\n@%%p bra END;\n", registers);
        for (unsigned i = 0; i < count; i++)
            text_printf(&body,
                        "setp.ge.u32 c%u, %%l, %u;\n@c%u bra %s;\n"
                        "ld.global.cg.f32 w%u, [%%y+%u];\nadd.f32 %%f1, %%f1, w%u;\n%s\n",
                        i, 16 + i, i, i + 1 < count ? "NEXT" : "END", i, 4096 * i, i,
                        i + 1 < count ? "NEXT:" : "");
        text_printf(&body, "END:\nst.global.f32 [%%y], %%f1;");
        clocks[count - 1] = clocks_on(&h200, text_string(&body), 1, 32);
        text_free(&body);
    }
    if (clocks[1] - clocks[0] > 200)
        fail_msg("a second if takes %g clocks more", clocks[1] - clocks[0]);
}

/* Instructions of an if of this many products. */
static double issued_by_if(const char *load, const char *product, unsigned count) {
    struct text body = {0};
    text_printf(&body, "%smov.u32 %%r1, 1;\nsetp.ge.u32 %%p, %%l, 100;\n@%%p bra OVER;\n%s",
                registers, load);
    for (unsigned i = 0; i < count; i++)
        text_printf(&body, "%s\n", product);
    text_printf(&body, "OVER:\nst.global.f32 [%%y], %%f1;\nst.global.u32 [%%y+4], %%r1;");
    double clocks = busy_clocks(&h200, PART_issue, text_string(&body), 1, 32);
    text_free(&body);
    return clocks * h200.schedulers_per_sm;
}

/* One more, and it is a branch, with its barrier for the lanes. */
static void small_is_what_has_few_instructions(void **state) {
    (void)state;
    static const struct {
        const char *load, *product;
        unsigned most, each;
    } rows[] = {
        {"", "fma.rn.f32 %f1, %f1, %f1, %f1;", 8, 1},
        {"ld.global.f32 %f1, [%y+64];\n", "fma.rn.f32 %f1, %f1, %f1, %f1;", 19, 1},
        {"ld.shared.f32 %f1, [%r1+64];\n", "fma.rn.f32 %f1, %f1, %f1, %f1;", 7, 1},
        {"", "mul.lo.s32 %r2, %r1, %l;\nadd.s32 %r1, %r2, %l;", 8, 2},
        {"ld.global.f32 %f1, [%y+64];\n", "mul.lo.s32 %r2, %r1, %l;\nadd.s32 %r1, %r2, %l;", 19, 2},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        double most = issued_by_if(rows[i].load, rows[i].product, rows[i].most),
               fewer = issued_by_if(rows[i].load, rows[i].product, rows[i].most - 1),
               more = issued_by_if(rows[i].load, rows[i].product, rows[i].most + 1);
        if (fabs(most - fewer - rows[i].each) > 0.1 || fabs(more - most - rows[i].each - 3) > 0.1)
            fail_msg("%zu: %g, %g and %g instructions", i, fewer, most, more);
    }
}

/* A predicate is taken from its comparison until the last instruction that it guards; the eighth if
 * has to wait until another one's sum is made. */
static void a_thread_has_seven_predicates(void **state) {
    (void)state;
    double one = clocks_of_ifs(1, 100), seven = clocks_of_ifs(7, 100),
           eight = clocks_of_ifs(8, 100);
    if (seven - one > 200 || eight - seven < 200)
        fail_msg("seven ifs take %g clocks more than one, eight %g more than seven", seven - one,
                 eight - seven);
}

/* A load in an if is asked for when its predicate is there. */
static void what_is_in_an_if_waits_for_its_predicate(void **state) {
    (void)state;
    enum { MORE = 100 };
    struct device_profile slow = h200;
    slow.predicate_cycles += MORE;
    struct text body = {0};
    add_ifs(&body, 1, 100);
    double more =
        clocks_on(&slow, text_string(&body), 1, 32) - clocks_on(&h200, text_string(&body), 1, 32);
    text_free(&body);
    if (fabs(more - MORE) > 1)
        fail_msg("%g clocks more", more);
}

/* Comparisons take another predicate in: what joins two is a comparison, made again for each. */
static void joined_predicates_are_comparisons(void **state) {
    (void)state;
    static const char values[] = "setp.gt.u32 c0, %l, 5;\nsetp.lt.u32 c1, %l, 77;\n"
                                 "setp.lt.u32 c2, %l, 9;\nsetp.gt.u32 c3, %l, 8;\n";
    static const struct {
        const char *joins;
        unsigned issued;
    } rows[] = {
        {"or.pred %p, c0, c1;\nor.pred %p, %p, c2;\n", 3},
        {"or.pred %p, c0, c1;\nor.pred %q, c0, c2;\nand.pred %p, %p, %q;\n", 4},
        {"or.pred %p, c0, c1;\nor.pred %q, c2, c3;\nand.pred %p, %p, %q;\n", 5},
        {"not.pred c4, c0;\nand.pred %p, c4, c1;\n", 2},
        {"or.pred %p, c0, c1;\n@c0 st.global.u32 [%y+4], %l;\n"
         "@c1 st.global.u32 [%y+8], %l;\n",
         5},
    };
    double none = 0;
    for (size_t i = 0; i <= ARRAY_LENGTH(rows); i++) {
        struct text body = {0};
        text_printf(&body, "%s%s%s\n@%s st.global.f32 [%%y], %%f1;", registers, i ? values : "",
                    i ? rows[i - 1].joins : "setp.gt.u32 %p, %l, 5;\n", "%p");
        double issued = busy_clocks(&h200, PART_issue, text_string(&body), 1, 32);
        text_free(&body);
        issued *= h200.schedulers_per_sm;
        none = i ? none : issued - 1;
        if (i && fabs(issued - none - rows[i - 1].issued) > 0.1)
            fail_msg("%zu: %g instructions, not %u", i - 1, issued - none, rows[i - 1].issued);
    }
}

/* What an if may leave as it was has its value before, which is an instruction; what only reads a
 * constant has it in itself. */
static void first_values_are_moved(void **state) {
    (void)state;
    static const char *const rows[] = {
        "mov.u32 %r1, 7;\nmov.u32 %r2, 7;\n",
        "mov.u32 %r1, 7;\nmov.u32 %r2, 7;\nsetp.gt.u32 %p, %l, 5;\n@%p add.u32 %r1, %r2, %l;\n",
        "add.u32 %r1, %l, 7;\nmov.u32 %r2, 7;\nsetp.gt.u32 %p, %l, 5;\n@%p add.u32 %r1, %r2, %l;\n",
    };
    double issued[ARRAY_LENGTH(rows)];
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        struct text body = {0};
        text_printf(&body, "%s%sadd.u32 %%r3, %%r1, %%r2;\nst.global.u32 [%%y], %%r3;", registers,
                    rows[i]);
        issued[i] = busy_clocks(&h200, PART_issue, text_string(&body), 1, 32);
        issued[i] *= h200.schedulers_per_sm;
        text_free(&body);
    }
    if (fabs(issued[1] - issued[0] - 3) > 0.1 || fabs(issued[2] - issued[1]) > 0.1)
        fail_msg("%g, %g and %g instructions", issued[0], issued[1], issued[2]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_of_small_ifs_wait_together),
        cmocka_unit_test(what_is_left_out_is_issued),
        cmocka_unit_test(ifs_may_end_where_others_do),
        cmocka_unit_test(small_is_what_has_few_instructions),
        cmocka_unit_test(a_thread_has_seven_predicates),
        cmocka_unit_test(what_is_in_an_if_waits_for_its_predicate),
        cmocka_unit_test(joined_predicates_are_comparisons),
        cmocka_unit_test(first_values_are_moved),
    };
    return cmocka_run_group_tests(tests, load_devices, NULL);
}
