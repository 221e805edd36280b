/* What the library's files share: errors, modules, printing. Private to it. */
#ifndef WARPGRADE_SANDBOX_RUNTIME_RUNTIME_H
#define WARPGRADE_SANDBOX_RUNTIME_RUNTIME_H

#include "sandbox/runtime/host/place.h"
#include "sandbox/runtime/link.h"

/* error.c: remembers an error for cudaGetLastError() of this thread, and returns it. */
cudaError_t remember(cudaError_t error);
/* Errors of this thread are from now on of a launch by <<<...>>>, which returns none of them; 0: of
 * plain calls again. */
void remember_launch(uint32_t site);

/* module.c */
struct kernel {
    const void *host; /* the function of the host that stands for it */
    const char *name; /* as in the PTX */
    struct module *module;
    bool asked; /* the card knows it by `number` */
    uint64_t number;
    struct wire_parameter parameters[WIRE_PARAMETERS_MAX];
    size_t parameter_count;
    size_t most_dynamic; /* bytes of shared memory that cudaFuncSetAttribute() has allowed */
    bool has_carveout;   /* likewise, a percentage */
    int carveout;
    bool large_cluster; /* likewise: more than 8 blocks */
    struct kernel *next;
};
/* By the function of the host; loaded. */
cudaError_t kernel_find(const void *host, struct kernel **kernel);
cudaError_t kernel_load(struct kernel *kernel);
/* Where a variable is, by its shadow on the host. */
cudaError_t variable_find(const void *host, uint64_t *address, uint64_t *bytes);

/* module.c: for library.c. The text of a fat binary, which the caller frees; a module of a text,
 * some of whose names may be changed;
 * cudaErrorSymbolNotFound: it has no such kernel, variable or, with `managed`, managed variable. */
struct module;
char *module_text(const void *container, size_t *length);
cudaError_t module_load(char *text, size_t length, struct module **module);
cudaError_t module_kernel(struct module *module, const char *name, struct kernel **kernel);
cudaError_t module_variable(struct module *module, const char *name, bool managed,
                            uint64_t *address, uint64_t *bytes);
void module_unload(struct module *module);

/* function.c: what the card knows of the kernel. */
cudaError_t function_facts(const void *function, struct kernel **kernel,
                           struct wire_function *facts);
/* Bytes of dynamic shared memory that a launch may ask for. */
size_t function_dynamic_limit(const struct kernel *kernel, uint64_t static_shared);

/* Is this an address of the card? No process on x86-64 has one as high, but for a real card's. */
static inline bool is_device_address(const void *pointer) {
    return (uintptr_t)pointer >> 47 != 0 || place_is_kept((uintptr_t)pointer);
}

/* memory.c: by the stream of work_begin(). After it, the host waits as far as it does with such a
 * copy, in one of the two ways. */
struct stream;
cudaError_t memory_copied(const struct stream *stream, const void *to, const void *from);
cudaError_t memory_copied_async(const struct stream *stream, void *to, const void *from,
                                size_t bytes);
cudaError_t memory_copy(void *to, const void *from, size_t bytes, int kind);
cudaError_t memory_fill(void *to, int value, size_t bytes);
cudaError_t memory_allocate(void **pointer, size_t bytes);

/* array.c, texture.c: the device is reset, and their memory is gone. */
void array_forget_all(void);
void texture_forget_all(void);

/* symbol.c: the address of such a part of a variable */
cudaError_t symbol_find(const void *symbol, size_t bytes, size_t offset, char **at);

/* pool.c: memory that is freed belongs to no pool any more. */
void pool_forget(const void *pointer);
void pool_forget_all(void);
/* From what graphs have. */
cudaError_t pool_allocate_for_graph(void **pointer, size_t bytes);

/* plane.c: rows at multiples of a pitch */
cudaError_t plane_copy(char *to, size_t to_pitch, const char *from, size_t from_pitch, size_t width,
                       size_t height, int kind);
cudaError_t plane_fill(char *to, size_t pitch, int value, size_t width, size_t height);

/* volume.c: likewise by the stream of work_begin() */
cudaError_t volume_copy(const struct cudaMemcpy3DParms *copy);
cudaError_t volume_fill(const struct cudaPitchedPtr *memory, int value, struct cudaExtent extent);

/* graph/conditional.c: calls `act` with the card's address of each number that graphs have. */
void condition_each(void (*act)(size_t word, void *data), void *data);

/* stream.c: waits for the card and prints what kernels have. */
cudaError_t synchronize(void);
/* For an event of the card. */
cudaError_t event_wait(uint64_t event);

#endif
