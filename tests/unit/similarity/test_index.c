/* What a feature is worth: much where few have it, nothing where all have it or the skeleton. */
#include "grader/similarity/index.h"
#include "tests/support/launch.h"

static struct feature_set set_of(const uint64_t *keys, size_t count) {
    struct feature_set set = {0};
    for (size_t i = 0; i < count; i++)
        *mem_push(&set.items, &set.count, &set.capacity) = (struct feature){.key = keys[i]};
    return set;
}

static void test_rare_features_count_and_common_ones_do_not(void **state) {
    (void)state;
    struct feature_set sets[13];
    struct index_document documents[13];
    for (uint32_t i = 0; i < 12;
         i++) { /* 1: all; 2: two; 3: a team of five; 4: the skeleton, too */
        uint64_t keys[4] = {1};
        size_t count = 1;
        if (i < 2)
            keys[count++] = 2;
        if (i < 5)
            keys[count++] = 3;
        keys[count++] = 4;
        sets[i] = set_of(keys, count);
        documents[i] = (struct index_document){
            .set = &sets[i], .role = INDEX_OF_CLASS, .group = i < 5 ? 0 : i};
    }
    const uint64_t given[] = {4};
    sets[12] = set_of(given, 1);
    documents[12] = (struct index_document){&sets[12], INDEX_SKELETON, 12};
    struct index index;
    index_build(documents, 13, 1, &index);
    assert_int_equal(index.group_count, 8);
    assert_true(index_find(&index, 1)->bits < 0.2);
    assert_true(index_find(&index, 2)->bits == index.most_bits);
    assert_true(index_find(&index, 3)->bits == index.most_bits);
    assert_true(index_find(&index, 4)->bits == 0);
    assert_null(index_find(&index, 5));
    index_free(&index);
    for (size_t i = 0; i < 13; i++)
        feature_set_free(&sets[i]);
}

static void test_a_feature_adds_only_what_its_parts_do_not_say(void **state) {
    (void)state;
    const uint64_t keys[] = {1, 2};
    struct feature_set one = set_of(keys, 2), other = set_of(keys, 1);
    *mem_push(&one.from, &one.from_count, &one.from_capacity) = 1;
    one.items[1].from_count = 1; /* 2 contains 1 */
    struct index_document documents[] = {{&one, INDEX_OF_CLASS, 0},
                                         {&one, INDEX_OF_CLASS, 1},
                                         {&other, INDEX_OF_CLASS, 2},
                                         {&other, INDEX_OF_CLASS, 3}};
    struct index index;
    index_build(documents, 4, 1, &index);
    const struct index_key *part = index_find(&index, 1), *whole = index_find(&index, 2);
    assert_true(whole->bits > part->bits);
    assert_true(whole->weight == whole->bits - part->bits);
    assert_true(index.totals[0] == whole->bits);
    index_free(&index);
    feature_set_free(&one);
    feature_set_free(&other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rare_features_count_and_common_ones_do_not),
        cmocka_unit_test(test_a_feature_adds_only_what_its_parts_do_not_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
