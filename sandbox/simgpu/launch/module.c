/* A module between its launches: the text is parsed once, and a kernel is decoded, linked and
 * looked at when it is launched for the first time.
 *
 * What a launch adds of its own, it keeps for itself: memory, statistics, and a copy of the
 * program's head in which the variables have the addresses that its dynamic shared memory gives
 * them (program_lay_out()). So a prepared kernel never changes, and depends on nothing but the
 * text, the kernel and the name of the source file.
 *
 * The text is hostile. A kernel that cannot be decoded is not kept; of the others, only a few are
 * kept, and in total not many bytes, not counting the one that is launched: its launch needs those
 * anyway. */
#include "sandbox/simgpu/launch/module.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/launch/link.h"
#include "sandbox/simgpu/program/address.h"

#include <stdlib.h>
#include <string.h>

enum {
    KEPT_KERNELS = 4,
    KEPT_BYTES = 32 << 20, /* of kernels beside the one that is launched */
};

struct sim_module {
    struct ptx_module *syntax;                    /* NULL: the text is not valid ... */
    struct error error;                           /* ... for this reason */
    struct prepared_kernel kernels[KEPT_KERNELS]; /* program NULL: free */
    uint64_t launches;
};

struct sim_module *sim_prepare(const char *ptx, size_t ptx_length) {
    struct sim_module *module = mem_zalloc(sizeof *module);
    if (ptx_parse(ptx, ptx_length, &module->syntax, &module->error) != STATUS_OK)
        module->syntax = NULL;
    return module;
}

static void forget(struct prepared_kernel *kernel) {
    program_free(kernel->program);
    free(kernel->file_name);
    *kernel = (struct prepared_kernel){0};
}

void sim_module_free(struct sim_module *module) {
    if (!module)
        return;
    for (size_t i = 0; i < KEPT_KERNELS; i++)
        forget(&module->kernels[i]);
    if (module->syntax)
        ptx_module_free(module->syntax);
    free(module);
}

const struct ptx_module *module_syntax(const struct sim_module *module, struct error *error) {
    if (!module->syntax)
        *error = module->error;
    return module->syntax;
}

/* ---- what is known of a kernel before it is launched ------------------------------------------
 */

static bool names_whole_warp(const struct program *program, const struct insn *insn) {
    uint32_t operand = insn->operands[5], mask;
    if (!(operand & OPERAND_CONSTANT))
        return false;
    memcpy(&mask, program->constants + (operand & ~(uint32_t)3), sizeof mask);
    return mask == UINT32_MAX;
}

/* Readers and atomics are told apart by lane and warp only where something finer than whole-block
 * barriers and whole-warp operations can order them, or where not all atomics go together. */
static bool orders_finely(const struct program *program, size_t pc) {
    const struct insn *insn = &program->code[pc];
    bool memory =
        (insn->cost == COST_LOAD || insn->cost == COST_STORE || insn->cost == COST_ATOMIC) &&
        insn->space != SPACE_PARAM && insn->space != SPACE_LOCAL && insn->space != SPACE_CONST;
    bool scope_cta =
        insn->cost == COST_ATOMIC && insn->space != SPACE_SHARED && insn_is_scope_cta(insn);
    return (memory && insn->order != ORDER_WEAK) || scope_cta ||
           (insn->flow == FLOW_BARRIER && insn->operands[2] != OPERAND_NONE) ||
           (insn->flow == FLOW_WARP_SYNC && !names_whole_warp(program, insn)) ||
           insn_has(insn, TRAIT_FINE);
}

static bool is_precise(const struct program *program) {
    for (size_t pc = 0; pc < program->length; pc++)
        if (orders_finely(program, pc))
            return true;
    return false;
}

/* What stack_depth() knows of a function: nothing, that it is on the way, its depth. */
struct depth {
    enum { DEPTH_UNKNOWN, DEPTH_OPEN, DEPTH_KNOWN } state;
    uint32_t bytes;
};

/* The deepest chain of calls, in bytes of a lane's stack; STACK_RECURSES where they may. */
static uint32_t stack_depth(const struct program *program, size_t index, struct depth *depths) {
    const struct program_function *function = &program->functions[index];
    uint32_t own = function->local_bytes + function->param_area_bytes, deepest = 0;
    if (depths[index].state == DEPTH_KNOWN)
        return depths[index].bytes;
    if (depths[index].state == DEPTH_OPEN)
        return STACK_RECURSES;
    depths[index].state = DEPTH_OPEN;
    size_t end = index + 1 < program->function_count ? program->functions[index + 1].entry_pc
                                                     : program->length;
    for (size_t pc = function->entry_pc; pc < end; pc++) {
        if (program->code[pc].flow != FLOW_CALL)
            continue;
        const struct call_site *call = &program->calls[program->code[pc].call];
        if (call->builtin != BUILTIN_NONE)
            continue;
        uint32_t below = call->function < 0 ? STACK_RECURSES
                                            : stack_depth(program, (size_t)call->function, depths);
        deepest = below > deepest ? below : deepest;
    }
    bool endless = deepest == STACK_RECURSES || own > UINT32_MAX - deepest;
    depths[index] = (struct depth){DEPTH_KNOWN, endless ? STACK_RECURSES : own + deepest};
    return depths[index].bytes;
}

static uint32_t find_stack_bytes(const struct program *program) {
    if (program->function_count > MAX_FUNCTIONS)
        return 0;
    cleanup_free struct depth *depths = mem_calloc(program->function_count, sizeof *depths);
    return stack_depth(program, 0, depths);
}

/* ---- kernels that are kept --------------------------------------------------------------------
 */

static bool same_file(const char *a, const char *b) {
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static struct prepared_kernel *find_kept(struct sim_module *module,
                                         const struct ptx_function *function, const char *file_name,
                                         enum program_clusters clusters) {
    for (size_t i = 0; i < KEPT_KERNELS; i++) {
        struct prepared_kernel *kernel = &module->kernels[i];
        if (kernel->program && kernel->function == function && kernel->clusters == clusters &&
            same_file(kernel->file_name, file_name))
            return kernel;
    }
    return NULL;
}

/* A free entry: kernels not launched for longest are dropped, by number and by bytes. */
static struct prepared_kernel *make_room(struct sim_module *module) {
    for (;;) {
        struct prepared_kernel *oldest = NULL, *unused = NULL;
        size_t bytes = 0;
        for (size_t i = 0; i < KEPT_KERNELS; i++) {
            struct prepared_kernel *kernel = &module->kernels[i];
            bytes += kernel->bytes;
            if (!kernel->program)
                unused = kernel;
            else if (!oldest || kernel->used < oldest->used)
                oldest = kernel;
        }
        if (unused && bytes <= KEPT_BYTES)
            return unused;
        forget(oldest);
    }
}

const struct prepared_kernel *module_kernel(struct sim_module *module,
                                            const struct ptx_function *function,
                                            const struct engine_launch *launch,
                                            enum program_clusters clusters, struct error *error) {
    struct prepared_kernel *kernel = find_kept(module, function, launch->file_name, clusters);
    if (!kernel) {
        kernel = make_room(module);
        if (program_decode_clustered(module->syntax, function, launch->file_name,
                                     launch->shared_bytes, clusters, &kernel->program,
                                     error) != STATUS_OK) {
            kernel->program = NULL;
            return NULL;
        }
        program_link(kernel->program);
        kernel->function = function;
        kernel->file_name = mem_strdup(launch->file_name);
        kernel->stack_bytes = find_stack_bytes(kernel->program);
        kernel->clusters = clusters;
        kernel->precise = clusters == CLUSTERS_OF_SEVERAL || is_precise(kernel->program);
        kernel->bytes = program_bytes(kernel->program);
    }
    kernel->used = ++module->launches;
    return kernel;
}
