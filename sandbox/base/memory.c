/* Allocation that never returns NULL: see memory.h for the promise. Overflow of a size is treated
 * like exhaustion, because both mean that the number asked for cannot be honoured. */
#include "sandbox/base/memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static _Noreturn void exhausted(void) {
    static const char message[] = "warpgrade: out of memory\n";
    ssize_t ignored = write(STDERR_FILENO, message, sizeof message - 1);
    (void)ignored;
    _exit(3);
}

static size_t checked_product(size_t count, size_t bytes) {
    size_t total;
    if (__builtin_mul_overflow(count, bytes, &total))
        exhausted();
    return total;
}

void *mem_alloc(size_t bytes) {
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory)
        exhausted();
    return memory;
}

/* Below twice a huge page little would be saved. Where the system has none, nothing changes. */
void mem_expect_use(void *memory, size_t bytes) {
    enum { HUGE_PAGE = 2 << 20 };
    uintptr_t first = ((uintptr_t)memory + HUGE_PAGE - 1) & ~(uintptr_t)(HUGE_PAGE - 1);
    uintptr_t end = ((uintptr_t)memory + bytes) & ~(uintptr_t)(HUGE_PAGE - 1);
    if (bytes >= 2 * HUGE_PAGE && end > first)
        (void)madvise((char *)memory + (first - (uintptr_t)memory), end - first, MADV_HUGEPAGE);
}

void *mem_map(size_t bytes) {
    void *memory = mmap(NULL, bytes ? bytes : 1, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        exhausted();
    return memory;
}

void mem_unmap(void *memory, size_t bytes) {
    if (memory)
        munmap(memory, bytes ? bytes : 1);
}

enum { SPARSE_BYTES = 64 << 10 };

void *mem_sparse(size_t count, size_t bytes) {
    size_t total = checked_product(count, bytes);
    return total < SPARSE_BYTES ? mem_zalloc(total) : mem_map(total);
}

void mem_sparse_free(void *memory, size_t count, size_t bytes) {
    if (count * bytes < SPARSE_BYTES)
        free(memory);
    else
        mem_unmap(memory, count * bytes);
}

void *mem_aligned(size_t alignment, size_t bytes) {
    void *memory = NULL;
    if (posix_memalign(&memory, alignment, bytes ? bytes : 1) != 0)
        exhausted();
    return memory;
}

void *mem_zalloc(size_t bytes) {
    return mem_calloc(1, bytes);
}

void *mem_calloc(size_t count, size_t bytes) {
    size_t total = checked_product(count, bytes);
    void *memory = calloc(1, total ? total : 1);
    if (!memory)
        exhausted();
    return memory;
}

void *mem_realloc(void *pointer, size_t count, size_t bytes) {
    size_t total = checked_product(count, bytes);
    void *memory = realloc(pointer, total ? total : 1);
    if (!memory)
        exhausted();
    return memory;
}

char *mem_strdup(const char *string) {
    return string ? mem_strndup(string, strlen(string)) : NULL;
}

char *mem_strndup(const char *string, size_t length) {
    char *copy = mem_alloc(length + 1);
    memcpy(copy, string, length);
    copy[length] = '\0';
    return copy;
}

void *mem_dup(const void *data, size_t bytes) {
    void *copy = mem_alloc(bytes);
    if (bytes)
        memcpy(copy, data, bytes);
    return copy;
}

char *mem_printf(const char *format, ...) {
    char *string = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&string, format, arguments);
    va_end(arguments);
    if (length < 0)
        exhausted();
    return string;
}

void *mem_push_bytes(void **array, size_t *count, size_t *capacity, size_t element_bytes) {
    if (*count == *capacity) {
        *capacity = *capacity ? checked_product(*capacity, 2) : 8;
        *array = mem_realloc(*array, *capacity, element_bytes);
    }
    char *element = (char *)*array + element_bytes * (*count)++;
    memset(element, 0, element_bytes);
    return element;
}

void cleanup_free_function(void *pointer_to_pointer) {
    void *pointer;
    memcpy(&pointer, pointer_to_pointer, sizeof pointer);
    free(pointer);
}

void cleanup_fd_function(int *descriptor) {
    if (*descriptor >= 0)
        close(*descriptor);
}

void cleanup_file_function(FILE **file) {
    if (*file)
        fclose(*file);
}

int steal_fd(int *descriptor) {
    int stolen = *descriptor;
    *descriptor = -1;
    return stolen;
}
