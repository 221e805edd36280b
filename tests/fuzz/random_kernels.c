/* Random kernels where there is no fuzzer: random_kernels COUNT [FIRST]. Each number is a kernel;
 * the one at hand is printed, so that the last line names what failed. --print NUMBER shows its
 * PTX. */
#include "fuzz.h"
#include "kernel_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BYTES = 400 };

static size_t make(uint64_t number, uint8_t bytes[MAX_BYTES]) {
    uint64_t state = number * 0x9e3779b97f4a7c15u + 1;
    for (size_t i = 0; i < MAX_BYTES; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        bytes[i] = (uint8_t)(state >> 56);
    }
    return 40 + bytes[1] % 7 * (size_t)60;
}

int main(int argc, char **argv) {
    uint8_t bytes[MAX_BYTES];
    if (argc == 3 && strcmp(argv[1], "--print") == 0) {
        struct text ptx = {0};
        size_t size = make(strtoull(argv[2], NULL, 10), bytes);
        kernel_text(bytes + 1, size - 1, fuzz_has_lines(bytes[0]), &ptx);
        puts(text_string(&ptx));
        text_free(&ptx);
        return 0;
    }
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    if (!count) {
        fprintf(stderr, "usage: random_kernels COUNT [FIRST] | --print NUMBER\n");
        return 2;
    }
    for (uint64_t number = first; number < first + count; number++) {
        printf("kernel %llu\n", (unsigned long long)number);
        fflush(stdout);
        size_t size = make(number, bytes);
        uint8_t *exact = memcpy(malloc(size), bytes, size);
        LLVMFuzzerTestOneInput(exact, size);
        free(exact);
    }
    return 0;
}
