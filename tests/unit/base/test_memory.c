/* Sparse memory: what is given is zero, and takes no memory until it is touched. */
#include "sandbox/base/memory.h"

#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

static bool is_zero(const unsigned char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (bytes[i])
            return false;
    return true;
}

static void sparse_memory_is_zero(void **state) {
    (void)state;
    const size_t sizes[] = {0, 1, 4096, (64 << 10) - 1, 64 << 10, 1 << 20};
    for (size_t i = 0; i < ARRAY_LENGTH(sizes); i++)
        for (unsigned again = 0; again < 2; again++) {
            unsigned char *memory = mem_sparse(sizes[i], 1);
            assert_true(is_zero(memory, sizes[i]));
            memset(memory, 0xa5, sizes[i]);
            mem_sparse_free(memory, sizes[i], 1);
        }
    mem_sparse_free(NULL, 64 << 10, 1);
    mem_sparse_free(NULL, 1, 1);
}

/* calloc() writes zeros to all of what it has from a heap that is large enough already. */
static void large_sparse_memory_takes_none_until_touched(void **state) {
    (void)state;
    enum { BYTES = 8 << 20 };
    size_t page = (size_t)sysconf(_SC_PAGESIZE), resident = 0;
    mallopt(M_MMAP_THRESHOLD, 4 * BYTES);
    mallopt(M_TRIM_THRESHOLD, 4 * BYTES);
    free(mem_alloc(2 * BYTES));
    unsigned char *memory = mem_sparse(BYTES / 8, 8);
    memory[BYTES / 2] = 1;
    cleanup_free unsigned char *pages = mem_calloc(BYTES / page, 1);
    assert_int_equal(mincore(memory, BYTES, pages), 0);
    for (size_t i = 0; i < BYTES / page; i++)
        resident += pages[i] & 1;
    assert_in_range(resident, 1, BYTES / page / 2); /* a page, or a large one */
    mem_sparse_free(memory, BYTES / 8, 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sparse_memory_is_zero),
        cmocka_unit_test(large_sparse_memory_takes_none_until_touched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
