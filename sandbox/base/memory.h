/* Allocation that never returns NULL, and the cleanup attributes of the house.
 *
 * Running out of memory is the one error that ends the process where it stands: a grader that
 * limps on without memory cannot be trusted with a verdict. Sizes that come from a user's file
 * or from a worker are capped by their reader, before they reach these functions. */
#ifndef WARPGRADE_SANDBOX_BASE_MEMORY_H
#define WARPGRADE_SANDBOX_BASE_MEMORY_H

#include <stddef.h>
#include <stdio.h>

void *mem_alloc(size_t bytes);                /* uninitialised */
void *mem_zalloc(size_t bytes);               /* zeroed */
void *mem_calloc(size_t count, size_t bytes); /* zeroed; count * bytes is checked */
/* Zeroed and of the system itself: what is never touched takes no memory, however often the process
 * allocates. Is given back by mem_unmap() with the same size; NULL is allowed there. */
void *mem_map(size_t bytes);
void mem_unmap(void *memory, size_t bytes);
/* Zeroed, for what is touched here and there: mem_map() where it is large, because calloc() writes
 * zeros to all of what it has from the heap. Given back with the same size; NULL is allowed. */
void *mem_sparse(size_t count, size_t bytes);
void mem_sparse_free(void *memory, size_t count, size_t bytes);
/* All of it, just allocated, will be written to: the system may give it in pages of two megabytes,
 * each in place of 512 faults. Changes no byte of it. */
void mem_expect_use(void *memory, size_t bytes);
void *mem_aligned(size_t alignment, size_t bytes);            /* a power of two; uninitialised */
void *mem_realloc(void *pointer, size_t count, size_t bytes); /* count * bytes is checked */
char *mem_strdup(const char *string);                         /* NULL gives NULL */
char *mem_strndup(const char *string, size_t length);
void *mem_dup(const void *data, size_t bytes);
__attribute__((format(printf, 1, 2))) char *mem_printf(const char *format, ...);

/* Appends one zeroed element to a growing array and evaluates to its address:
 * `struct hazard *h = mem_push(&list, &count, &capacity)` with list of type struct hazard *. */
void *mem_push_bytes(void **array, size_t *count, size_t *capacity, size_t element_bytes);
#define mem_push(array, count, capacity)                                                           \
    ((__typeof__(*(array)))mem_push_bytes((void **)(array), count, capacity, sizeof(**(array))))

/* void *cleanup_free p = ...; is freed when it goes out of scope. */
#define cleanup_free __attribute__((cleanup(cleanup_free_function)))
#define cleanup_fd   __attribute__((cleanup(cleanup_fd_function)))
#define cleanup_file __attribute__((cleanup(cleanup_file_function)))
void cleanup_free_function(void *pointer_to_pointer);
void cleanup_fd_function(int *descriptor); /* closes where >= 0 */
void cleanup_file_function(FILE **file);   /* closes where not NULL */

/* Hands a cleanup_free pointer on: `return steal_pointer(&p);` */
#define steal_pointer(pointer)                                                                     \
    ({                                                                                             \
        __typeof__(*(pointer)) stolen_ = *(pointer);                                               \
        *(pointer) = NULL;                                                                         \
        stolen_;                                                                                   \
    })
int steal_fd(int *descriptor);

#define ARRAY_LENGTH(array) (sizeof(array) / sizeof((array)[0]))

#endif
