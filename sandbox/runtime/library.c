/* Libraries: device code that a program loads while it runs, as PTX or as a fat binary with PTX in
 * it, and asks for kernels and variables by their names. Options, which are for the assembler and
 * for how long the code is kept, change nothing here. A library that is unloaded keeps its place on
 * the card. */
#include "sandbox/runtime/runtime.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FATBIN_MAGIC = (int)0xba55ed50,
    WRAPPER_MAGIC = 0x466243b1,
    ELF_MAGIC = 0x464c457f,
    MOST_BYTES = 64 << 20
};

struct library {
    struct module *module;
    char *text; /* ended by a zero */
    struct library *next;
};

static struct {
    pthread_mutex_t mutex;
    struct library *first;
} libraries = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static struct library *find(const void *handle) {
    pthread_mutex_lock(&libraries.mutex);
    struct library *library = libraries.first;
    while (library && library != handle)
        library = library->next;
    pthread_mutex_unlock(&libraries.mutex);
    return library;
}

/* ---- loading ------------------------------------------------------------------------------------
 */

/* A copy of the text; NULL: there is no memory. */
static char *text_of(const void *code) {
    int magic = 0;
    if (strnlen(code, sizeof magic) == sizeof magic)
        memcpy(&magic, code, sizeof magic);
    if (magic == WRAPPER_MAGIC) { /* as a program's own code has it: magic, version, the binary */
        memcpy(&code, (const char *)code + 2 * sizeof magic, sizeof code);
        magic = FATBIN_MAGIC;
    }
    if (magic == ELF_MAGIC)
        link_give_up("the program loads machine code (a cubin), and what runs it needs PTX");
    if (magic != FATBIN_MAGIC)
        return strdup(code);
    size_t length;
    char *text = module_text(code, &length), *ended = realloc(text, length + 1);
    if (ended)
        ended[length] = '\0';
    else
        free(text);
    return ended;
}

static cudaError_t load(struct library **handle, const void *code) {
    struct library *library = calloc(1, sizeof *library);
    if (library)
        library->text = text_of(code);
    cudaError_t error = library && library->text
                            ? module_load(library->text, strlen(library->text), &library->module)
                            : cudaErrorMemoryAllocation;
    if (error != cudaSuccess) {
        if (library)
            free(library->text);
        free(library);
        return error;
    }
    pthread_mutex_lock(&libraries.mutex);
    library->next = libraries.first;
    libraries.first = library;
    pthread_mutex_unlock(&libraries.mutex);
    *handle = library;
    return cudaSuccess;
}

API cudaError_t cudaLibraryLoadData(struct library **library, const void *code, int *jit_options,
                                    void **jit_values, unsigned jit_count, int *options,
                                    void **values, unsigned count) {
    (void)jit_options, (void)jit_values, (void)jit_count, (void)options, (void)values, (void)count;
    return remember(library && code ? load(library, code) : cudaErrorInvalidValue);
}

/* NULL: it cannot be read. */
static char *read_file(const char *name) {
    FILE *file = fopen(name, "rbe");
    char *bytes = NULL;
    long length = -1;
    if (file && fseek(file, 0, SEEK_END) == 0)
        length = ftell(file);
    if (length >= 0 && length <= MOST_BYTES && fseek(file, 0, SEEK_SET) == 0)
        bytes = calloc(1, (size_t)length + sizeof(uint64_t));
    if (bytes && fread(bytes, 1, (size_t)length, file) != (size_t)length) {
        free(bytes);
        bytes = NULL;
    }
    if (file)
        fclose(file);
    return bytes;
}

API cudaError_t cudaLibraryLoadFromFile(struct library **library, const char *name,
                                        int *jit_options, void **jit_values, unsigned jit_count,
                                        int *options, void **values, unsigned count) {
    (void)jit_options, (void)jit_values, (void)jit_count, (void)options, (void)values, (void)count;
    if (!library || !name)
        return remember(cudaErrorInvalidValue);
    char *bytes = read_file(name);
    cudaError_t error = bytes ? load(library, bytes) : cudaErrorFileNotFound;
    free(bytes);
    return remember(error);
}

API cudaError_t cudaLibraryUnload(struct library *handle) {
    struct library *library = find(handle);
    if (!library)
        return remember(cudaErrorInvalidResourceHandle);
    pthread_mutex_lock(&libraries.mutex);
    struct library **at = &libraries.first;
    while (*at && *at != library)
        at = &(*at)->next;
    if (*at)
        *at = library->next;
    pthread_mutex_unlock(&libraries.mutex);
    module_unload(library->module);
    free(library->text);
    free(library);
    return cudaSuccess;
}

/* ---- what is in it ------------------------------------------------------------------------------
 */

API cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, struct library *handle,
                                     const char *name) {
    struct library *library = find(handle);
    if (!kernel || !name)
        return remember(cudaErrorInvalidValue);
    return remember(library ? module_kernel(library->module, name, kernel)
                            : cudaErrorInvalidResourceHandle);
}

static cudaError_t get_variable(void **pointer, size_t *bytes, struct library *handle,
                                const char *name, bool managed) {
    struct library *library = find(handle);
    uint64_t address, length;
    if (!name || (!pointer && !bytes))
        return cudaErrorInvalidValue;
    cudaError_t error = library ? module_variable(library->module, name, managed, &address, &length)
                                : cudaErrorInvalidResourceHandle;
    if (error == cudaSuccess && pointer)
        *pointer = (void *)(uintptr_t)address;
    if (error == cudaSuccess && bytes)
        *bytes = (size_t)length;
    return error;
}

API cudaError_t cudaLibraryGetGlobal(void **pointer, size_t *bytes, struct library *library,
                                     const char *name) {
    return remember(get_variable(pointer, bytes, library, name, false));
}

API cudaError_t cudaLibraryGetManaged(void **pointer, size_t *bytes, struct library *library,
                                      const char *name) {
    return remember(get_variable(pointer, bytes, library, name, true));
}

/* The host and the card have no functions in common. */
API cudaError_t cudaLibraryGetUnifiedFunction(void **function, struct library *handle,
                                              const char *name) {
    if (!function || !name)
        return remember(cudaErrorInvalidValue);
    return remember(find(handle) ? cudaErrorSymbolNotFound : cudaErrorInvalidResourceHandle);
}

static const char *skip_aside(const char *at) {
    if (strncmp(at, "//", 2) == 0)
        return at + strcspn(at, "\n");
    const char *end = *at == '"'                  ? strchr(at + 1, '"')
                      : strncmp(at, "/*", 2) == 0 ? strstr(at + 2, "*/")
                                                  : at;
    return end ? end + (*at == '/' && at[1] == '*' ? 2 : 1) : at + strlen(at);
}

/* The next kernel's name in the text, of *length characters; NULL: there are no more. */
static const char *next_entry(const char *at, size_t *length) {
    static const char entry[] = ".entry";
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$%";
    while (*at && strncmp(at, entry, strlen(entry)) != 0)
        at = skip_aside(at);
    if (!*at)
        return NULL;
    at += strlen(entry);
    at += strspn(at, " \t\r\n");
    *length = strspn(at, letters);
    return at;
}

API cudaError_t cudaLibraryGetKernelCount(unsigned *count, struct library *handle) {
    const struct library *library = find(handle);
    if (!count || !library)
        return remember(count ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
    size_t length;
    *count = 0;
    for (const char *at = library->text; (at = next_entry(at, &length)); at += length)
        ++*count;
    return cudaSuccess;
}

API cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *kernels, unsigned count,
                                            struct library *handle) {
    const struct library *library = find(handle);
    if (!kernels || !library)
        return remember(kernels ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
    size_t length;
    const char *at = library->text;
    cudaError_t error = cudaSuccess;
    for (unsigned i = 0; i < count && error == cudaSuccess && (at = next_entry(at, &length)); i++) {
        char *name = strndup(at, length);
        error =
            name ? module_kernel(library->module, name, &kernels[i]) : cudaErrorMemoryAllocation;
        free(name);
        at += length;
    }
    return remember(error);
}
