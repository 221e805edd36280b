/* Memory that the host and kernels share: managed, pinned and registered memory. Private to the
 * library. */
#ifndef WARPGRADE_SANDBOX_RUNTIME_SHARED_H
#define WARPGRADE_SANDBOX_RUNTIME_SHARED_H

#include "sandbox/runtime/runtime.h"

enum shared_kind { SHARED_NONE, SHARED_MANAGED, SHARED_PINNED, SHARED_REGISTERED };

struct shared_range {
    enum shared_kind kind;
    char *start;  /* for the host */
    char *device; /* for kernels: the same but of registered memory */
    size_t bytes;
    unsigned flags; /* as the program gave them */
    bool read_mostly;
    int preferred, prefetched; /* devices; NO_DEVICE */
    struct shared_pack *pack;  /* NULL: it has a block of the card's of its own */
    struct shared_range *next;
};
enum { SHARED_NO_DEVICE = -2, SHARED_HOST = -1 }; /* cudaInvalidDeviceId, cudaCpuDeviceId */

/* New memory for both sides. */
cudaError_t shared_make(size_t bytes, enum shared_kind kind, unsigned flags, void **pointer);
/* Memory of the card's at that address, which the host is to have, too: a managed variable. */
cudaError_t shared_adopt(uint64_t address);
/* Only where it begins at `pointer` and is of the kind: cudaErrorInvalidValue. */
cudaError_t shared_free(void *pointer, enum shared_kind kind);

/* The range in which all of it lies, by the host's address or kernels'; NULL: none. */
struct shared_range *shared_find(const void *pointer, size_t bytes);
static inline bool is_shared(const void *pointer) {
    return shared_find(pointer, 1) != NULL;
}
/* The host's address of a byte in it. */
void *shared_for_host(const void *pointer);
/* Kernels' results are there for the host, before the library itself looks. */
cudaError_t shared_update(void);
/* What a kernel is to be given for that word: where it points into registered memory, kernels'
 * address of it. */
uint64_t shared_translate(uint64_t word);

#endif
