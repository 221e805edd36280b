/* What a program registers before main(): fat binaries, kernels, variables. Nothing is sent to the
 * card before the program uses it; then a module's PTX goes there once. */
#include "sandbox/runtime/runtime.h"
#include "sandbox/runtime/shared.h"
#include "sandbox/runtime/unpack.h"

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WRAPPER_MAGIC = 0x466243b1, WRAPPER_LINKED = 2 };

/* __fatBinC_Wrapper_t of the toolkit's fatbinary_section.h. */
struct wrapper {
    int magic, version;
    const void *data;
    const void *more; /* of WRAPPER_LINKED: fat binaries, ended by NULL */
};

struct module {
    const struct wrapper *wrapper;
    bool loaded;
    uint64_t number;
};

struct variable {
    const void *host;
    void **managed; /* where the host keeps its address; NULL: it is not managed */
    const char *name;
    struct module *module;
    bool asked;
    uint64_t address, bytes;
    struct variable *next;
};

static struct {
    pthread_mutex_t mutex; /* of the lists; the program may load modules from several threads */
    struct kernel *kernels;
    struct variable *variables;
} known = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static void *make(size_t bytes) {
    void *memory = calloc(1, bytes);
    if (!memory)
        link_give_up("out of memory");
    return memory;
}

/* ---- what the compiler's code calls before main() ---------------------------------------------
 */

API void **__cudaRegisterFatBinary(void *wrapper) {
    struct module *module = make(sizeof *module);
    module->wrapper = wrapper;
    return (void **)module;
}

API void __cudaRegisterFatBinaryEnd(void **module) {
    (void)module;
}

/* The program is ending: its other destructors may still call us. */
API void __cudaUnregisterFatBinary(void **module) {
    (void)module;
}

API void __cudaRegisterFunction(void **module, const char *host, char *device, const char *name,
                                int limit, void *thread, void *block, void *block_dim,
                                void *grid_dim, int *warp) {
    (void)device, (void)limit, (void)thread, (void)block, (void)block_dim, (void)grid_dim,
        (void)warp;
    struct kernel *kernel = make(sizeof *kernel);
    kernel->host = host;
    kernel->name = name;
    kernel->module = (struct module *)module;
    pthread_mutex_lock(&known.mutex);
    kernel->next = known.kernels;
    known.kernels = kernel;
    pthread_mutex_unlock(&known.mutex);
}

static void add_variable(struct variable from) {
    struct variable *variable = make(sizeof *variable);
    *variable = from;
    pthread_mutex_lock(&known.mutex);
    variable->next = known.variables;
    known.variables = variable;
    pthread_mutex_unlock(&known.mutex);
}

API void __cudaRegisterVar(void **module, char *host, char *address, const char *name, int external,
                           size_t bytes, int constant, int global) {
    (void)address, (void)external, (void)constant, (void)global;
    add_variable((struct variable){
        .host = host, .name = name, .module = (struct module *)module, .bytes = bytes});
}

API void __cudaRegisterManagedVar(void **module, void **host, char *address, const char *name,
                                  int external, size_t bytes, int constant, int global) {
    (void)address, (void)external, (void)constant, (void)global;
    add_variable((struct variable){
        .managed = host, .name = name, .module = (struct module *)module, .bytes = bytes});
}

/* ---- on the first use -------------------------------------------------------------------------
 */

static void find_text(const void *container, struct fatbin_text *text) {
    enum fatbin_state state =
        container ? fatbin_find(container, fatbin_length(container), text) : FATBIN_DAMAGED;
    switch (state) {
    case FATBIN_PTX:
        return;
    case FATBIN_EMPTY:
    case FATBIN_NO_PTX:
        link_give_up("the program's device code is there as machine code only, and what runs it "
                     "needs PTX: build it with `warpgrade nvcc`, or with -arch=compute_80");
    case FATBIN_DAMAGED:
        break;
    }
    link_give_up("the program's device code is damaged");
}

/* What the device's runtime has of graphs: a handle is the address of the number, conditional.c. */
static const char set_conditional[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .func warpgradeSetConditional(.param .b64 h, .param .b32 v)\n"
    "{\n"
    "    .reg .b64 %d<2>;\n"
    "    .reg .b32 %r<2>;\n"
    "    ld.param.b64 %d1, [h];\n"
    "    ld.param.b32 %r1, [v];\n"
    "    st.volatile.b32 [%d1], %r1;\n"
    "    ret;\n"
    "}\n";

static cudaError_t put_bytes(const char *text, size_t length) {
    cudaError_t error = cudaSuccess;
    for (size_t at = 0; at < length && error == cudaSuccess;) {
        size_t part = length - at < WIRE_WINDOW ? length - at : WIRE_WINDOW;
        struct link_call call = {
            .call = WIRE_TEXT, .argument = {part}, .put = text + at, .put_bytes = part};
        error = link_do(&call);
        at += part;
    }
    return error;
}

static bool is_of_name(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

/* Calls of the device's runtime become calls of that function: a name that no assembler knows. */
static bool rename_calls(char *text, size_t length) {
    static const char before[] = "cudaGraphSetConditional", after[] = "warpgradeSetConditional";
    const size_t bytes = strlen(before);
    _Static_assert(sizeof before == sizeof after, "one takes the other's place");
    bool found = false;
    for (char *at = text; (at = memmem(at, length - (size_t)(at - text), before, bytes));
         at += bytes) {
        if ((at > text && is_of_name(at[-1])) ||
            (at + bytes < text + length && is_of_name(at[bytes])))
            continue; /* a part of another name */
        memcpy(at, after, bytes);
        found = true;
    }
    return found;
}

/* All of a text, and that it was all, with PART or MODULE. *conditional: it or a part before calls
 * that function, which is then the module's last part. */
static cudaError_t put_text(char *text, size_t length, enum wire_call last, bool *conditional,
                            uint64_t *value) {
    *conditional |= rename_calls(text, length);
    cudaError_t error = put_bytes(text, length);
    if (error == cudaSuccess && last == WIRE_MODULE && *conditional) {
        error = link_ask(WIRE_PART, 0, 0, 0, NULL);
        if (error == cudaSuccess)
            error = put_bytes(set_conditional, strlen(set_conditional));
    }
    return error == cudaSuccess ? link_ask(last, 0, 0, 0, value) : error;
}

char *module_text(const void *container, size_t *length) {
    struct fatbin_text packed = {0};
    const char *trouble;
    find_text(container, &packed);
    char *text = unpack_text(&packed, length, &trouble);
    if (!text)
        link_give_up("the program's PTX %s", trouble);
    return text;
}

static cudaError_t send_text(const void *container, enum wire_call last, bool *conditional,
                             uint64_t *value) {
    size_t length;
    char *text = module_text(container, &length);
    cudaError_t error = put_text(text, length, last, conditional, value);
    free(text);
    return error;
}

/* Under the mutex. A program of several files with relocatable device code has what was linked in
 * `data`, as machine code, and what it was made of in a list. */
static cudaError_t load_module(struct module *module) {
    const struct wrapper *wrapper = module->wrapper;
    if (module->loaded)
        return cudaSuccess;
    if (wrapper->magic != WRAPPER_MAGIC)
        link_give_up("the program's device code is damaged");
    const void *const *part = wrapper->version == WRAPPER_LINKED ? wrapper->more : NULL;
    cudaError_t error = cudaSuccess;
    bool conditional = false;
    while (part && part[0] && part[1] && error == cudaSuccess)
        error = send_text(*part++, WIRE_PART, &conditional, NULL);
    if (error == cudaSuccess)
        error = send_text(part && *part ? *part : wrapper->data, WIRE_MODULE, &conditional,
                          &module->number);
    module->loaded = error == cudaSuccess;
    return error;
}

static cudaError_t ask_kernel(struct kernel *kernel) {
    cudaError_t error = load_module(kernel->module);
    if (error != cudaSuccess || kernel->asked)
        return error;
    struct link_call call = {.call = WIRE_KERNEL,
                             .argument = {kernel->module->number},
                             .sent = kernel->name,
                             .sent_bytes = strlen(kernel->name),
                             .received = kernel->parameters,
                             .received_max = sizeof kernel->parameters};
    error = link_do(&call);
    kernel->number = call.value[0];
    kernel->parameter_count = call.received_bytes / sizeof *kernel->parameters;
    kernel->asked = error == cudaSuccess;
    return error;
}

/* A kernel's handle stands for it, too. */
static struct kernel *find_kernel(const void *host) {
    struct kernel *kernel = known.kernels;
    while (kernel && kernel->host != host && kernel != host)
        kernel = kernel->next;
    return kernel;
}

cudaError_t kernel_find(const void *host, struct kernel **found) {
    pthread_mutex_lock(&known.mutex);
    *found = find_kernel(host);
    pthread_mutex_unlock(&known.mutex);
    return *found ? cudaSuccess
           : host ? cudaErrorInvalidResourceHandle
                  : cudaErrorInvalidDeviceFunction;
}

API cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *host) {
    return remember(kernel_find(host, kernel));
}

static cudaError_t ask_variable(struct variable *variable) {
    cudaError_t error = load_module(variable->module);
    if (error != cudaSuccess || variable->asked)
        return error;
    struct link_call call = {.call = WIRE_VARIABLE,
                             .argument = {variable->module->number},
                             .sent = variable->name,
                             .sent_bytes = strlen(variable->name)};
    error = link_do(&call);
    variable->address = call.value[0];
    variable->bytes = call.value[1];
    if (error == cudaSuccess && !variable->managed &&
        !place_keep(variable->address, variable->bytes))
        link_give_up("the program has something where the card has its variable %s",
                     variable->name);
    variable->asked = error == cudaSuccess;
    return error;
}

static bool is_variable(const struct variable *variable, const void *host) {
    return variable->managed ? *variable->managed == host : variable->host == host;
}

cudaError_t variable_find(const void *host, uint64_t *address, uint64_t *bytes) {
    pthread_mutex_lock(&known.mutex);
    struct variable *variable = host ? known.variables : NULL;
    while (variable && !is_variable(variable, host))
        variable = variable->next;
    cudaError_t error = variable ? ask_variable(variable) : cudaErrorInvalidSymbol;
    if (error == cudaSuccess) {
        *address = variable->address;
        *bytes = variable->bytes;
    }
    pthread_mutex_unlock(&known.mutex);
    return error;
}

/* Managed variables of the module get their place. */
static cudaError_t place_variables(const struct module *module) {
    cudaError_t error = cudaSuccess;
    for (struct variable *variable = known.variables; variable && error == cudaSuccess;
         variable = variable->next) {
        if (!variable->managed || *variable->managed || variable->module != module)
            continue;
        error = ask_variable(variable);
        if (error == cudaSuccess)
            error = shared_adopt(variable->address);
        if (error == cudaSuccess)
            *variable->managed = (void *)variable->address;
    }
    return error;
}

/* Before the host uses the first managed variable of the module. */
API char __cudaInitModule(void **module) {
    pthread_mutex_lock(&known.mutex);
    cudaError_t error = place_variables((void *)module);
    pthread_mutex_unlock(&known.mutex);
    if (error != cudaSuccess)
        link_give_up("the program's managed variables cannot be placed in its memory");
    return 1;
}

/* Variables are placed by the first launch that may use them, so that they can be closed. */
cudaError_t kernel_load(struct kernel *kernel) {
    pthread_mutex_lock(&known.mutex);
    cudaError_t error = ask_kernel(kernel);
    if (error == cudaSuccess)
        place_variables(kernel->module);
    pthread_mutex_unlock(&known.mutex);
    return error;
}

/* ---- libraries --------------------------------------------------------------------------------
 * What a program loads while it runs, see library.c: modules without code on the host. */

cudaError_t module_load(char *text, size_t length, struct module **loaded) {
    struct module *module = make(sizeof *module);
    bool conditional = false;
    pthread_mutex_lock(&known.mutex);
    cudaError_t error = put_text(text, length, WIRE_MODULE, &conditional, &module->number);
    pthread_mutex_unlock(&known.mutex);
    module->loaded = true;
    if (error == cudaSuccess)
        *loaded = module;
    else
        free(module);
    return error;
}

cudaError_t module_kernel(struct module *module, const char *name, struct kernel **found) {
    pthread_mutex_lock(&known.mutex);
    struct kernel *kernel = known.kernels;
    while (kernel && (kernel->module != module || strcmp(kernel->name, name) != 0))
        kernel = kernel->next;
    cudaError_t error = cudaSuccess;
    if (!kernel) {
        kernel = make(sizeof *kernel);
        kernel->name = strdup(name);
        kernel->module = module;
        error = kernel->name ? ask_kernel(kernel) : cudaErrorMemoryAllocation;
        if (error == cudaSuccess) {
            kernel->next = known.kernels;
            known.kernels = kernel;
        } else {
            free((char *)(uintptr_t)kernel->name);
            free(kernel);
            kernel = NULL;
        }
    }
    pthread_mutex_unlock(&known.mutex);
    *found = kernel;
    return error == cudaErrorInvalidDeviceFunction ? cudaErrorSymbolNotFound : error;
}

cudaError_t module_variable(struct module *module, const char *name, bool managed,
                            uint64_t *address, uint64_t *bytes) {
    void *place = NULL;
    struct variable variable = {.name = name, .module = module, .managed = managed ? &place : NULL};
    pthread_mutex_lock(&known.mutex);
    cudaError_t error = ask_variable(&variable);
    pthread_mutex_unlock(&known.mutex);
    if (error == cudaSuccess && managed && shared_adopt(variable.address) != cudaSuccess)
        error = cudaErrorInvalidSymbol;
    *address = variable.address;
    *bytes = variable.bytes;
    return error == cudaErrorInvalidSymbol ? cudaErrorSymbolNotFound : error;
}

/* Its kernels are no handles any more. */
void module_unload(struct module *module) {
    pthread_mutex_lock(&known.mutex);
    for (struct kernel **at = &known.kernels; *at;) {
        struct kernel *kernel = *at;
        if (kernel->module != module) {
            at = &kernel->next;
            continue;
        }
        *at = kernel->next;
        free((char *)(uintptr_t)kernel->name);
        free(kernel);
    }
    pthread_mutex_unlock(&known.mutex);
    free(module);
}
