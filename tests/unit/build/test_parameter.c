/* Which spelled parameter takes which of an exercise's buffers and scalars. */
#include "sandbox/base/memory.h"
#include "sandbox/build/build.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static void test_matches(void **state) {
    (void)state;
    static const struct {
        const char *spelled;
        enum element_type type;
        bool pointer, read_only, matches;
    } cases[] = {
        {"float *", ELEMENT_f32, true, false, true},
        {"float*", ELEMENT_f32, true, true, true},
        {"const float *", ELEMENT_f32, true, true, true},
        {"const float *", ELEMENT_f32, true, false, false}, /* an output cannot be const */
        {"float const *", ELEMENT_f32, true, false, false},
        {"float *const", ELEMENT_f32, true, false, true}, /* the pointer is, not the data */
        {"const float * __restrict__", ELEMENT_f32, true, true, true},
        {"float * __restrict__", ELEMENT_f32, true, false, true},
        {"volatile float *", ELEMENT_f32, true, false, true},
        {"float [16]", ELEMENT_f32, true, false, true},
        {"float", ELEMENT_f32, true, false, false},
        {"float *", ELEMENT_f32, false, false, false},
        {"float **", ELEMENT_f32, true, false, false},
        {"float &", ELEMENT_f32, true, false, false},
        {"double *", ELEMENT_f32, true, false, false},
        {"double", ELEMENT_f64, false, false, true},
        {"int", ELEMENT_i32, false, false, true},
        {"const int", ELEMENT_i32, false, false, true},
        {"signed", ELEMENT_i32, false, false, true},
        {"int32_t", ELEMENT_i32, false, false, true},
        {"unsigned int", ELEMENT_i32, false, false, false},
        {"unsigned", ELEMENT_u32, false, false, true},
        {"unsigned int", ELEMENT_u32, false, false, true},
        {"uint32_t", ELEMENT_u32, false, false, true},
        {"int unsigned const", ELEMENT_u32, false, false, true},
        {"long", ELEMENT_i64, false, false, true},
        {"long long", ELEMENT_i64, false, false, true},
        {"long long int", ELEMENT_i64, false, false, true},
        {"int64_t", ELEMENT_i64, false, false, true},
        {"unsigned long", ELEMENT_u64, false, false, true},
        {"unsigned long long", ELEMENT_u64, false, false, true},
        {"size_t", ELEMENT_u64, false, false, true},
        {"long", ELEMENT_i32, false, false, false},
        {"long double", ELEMENT_f64, false, false, false},
        {"char *", ELEMENT_i8, true, false, true},
        {"signed char *", ELEMENT_i8, true, false, true},
        {"unsigned char *", ELEMENT_u8, true, false, true},
        {"uint8_t *", ELEMENT_u8, true, false, true},
        {"char *", ELEMENT_u8, true, false, false},
        {"short *", ELEMENT_i16, true, false, true},
        {"unsigned short *", ELEMENT_u16, true, false, true},
        {"__half *", ELEMENT_f16, true, false, true},
        {"const half *", ELEMENT_f16, true, true, true},
        {"S", ELEMENT_i32, false, false, false},
        {"void (*)(int)", ELEMENT_i32, true, false, false},
        {"vector<int> *", ELEMENT_i32, true, false, false},
        {"", ELEMENT_i32, false, false, false},
        {"a b c d e f g h i j k", ELEMENT_i32, false, false, false},
        {"64-bit", ELEMENT_f32, true, false, true}, /* only widths are known */
        {"32-bit", ELEMENT_f32, true, false, false},
        {"32-bit", ELEMENT_f32, false, false, true},
        {"64-bit", ELEMENT_i32, false, false, false},
        {"8 bytes", ELEMENT_i64, false, false, false},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++)
        if (build_parameter_matches(cases[i].spelled, cases[i].type, cases[i].pointer,
                                    cases[i].read_only) != cases[i].matches)
            fail_msg("%s as %s%s%s", cases[i].spelled, element_infos[cases[i].type].name,
                     cases[i].pointer ? " *" : "", cases[i].read_only ? " (read only)" : "");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_matches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
