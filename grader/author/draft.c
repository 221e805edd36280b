/* From the kernel's file to its signature. */
#include "grader/author/draft.h"

#include "grader/source/code.h"
#include "grader/source/parameter_names.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { BUILD_SECONDS = 60 };

/* A template is compiled for no type as long as nobody asks for one: PTX does not know it. */
static bool find_template(const struct draft *draft, char name[64]) {
    struct code code;
    bool found = false;
    code_read(draft->source, draft->length, &code);
    for (size_t i = 0; i < code.count && !found; i++) {
        if (!code_is(&code, i, "template"))
            continue;
        bool is_kernel = false;
        for (size_t at = i; at + 1 < code.count && !code_is(&code, at, "{") && !found; at++) {
            is_kernel |= code_is(&code, at, "__global__");
            found = is_kernel && code_is_name(&code, at) && code_is(&code, at + 1, "(") &&
                    !code_is(&code, at, "__launch_bounds__");
            if (found)
                snprintf(name, 64, "%.*s", (int)code.tokens[at].length, code.tokens[at].start);
        }
    }
    code_free(&code);
    return found;
}

static enum status refuse_build(const struct draft *draft, struct error *error) {
    const struct build_diagnostic *first = NULL;
    char name[64];
    for (size_t i = 0; i < draft->build.diagnostic_count && !first; i++)
        if (draft->build.diagnostics[i].severity == BUILD_ERROR)
            first = &draft->build.diagnostics[i];
    if (!first && find_template(draft, name)) {
        error_set(error, STATUS_INVALID, "%s is a template; an exercise has one signature", name);
        error_hint(error,
                   "Write the kernel for one type, as in `__global__ void %s(const float *x)`.",
                   name);
        return STATUS_INVALID;
    }
    error_set(error, STATUS_INVALID, "%s", first ? first->text : draft->build.message);
    error_hint(error, "%s", draft->build.hint);
    error_place(error, draft->file, first ? first->line : 0, first ? first->column : 0,
                draft->source, draft->length);
    return STATUS_INVALID;
}

static enum status choose_kernel(struct draft *draft, const char *name, struct error *error) {
    char template[64];
    if (draft->build.kernel_count == 0 && find_template(draft, template))
        return refuse_build(draft, error);
    if (draft->build.kernel_count == 0) {
        error_set(error, STATUS_INVALID, "%s has no kernel", draft->file);
        error_hint(error, "A kernel is a function with __global__ in front of it.");
        return STATUS_INVALID;
    }
    if (name || draft->build.kernel_count == 1) {
        draft->kernel = &draft->build.kernels[name ? draft->build.kernel_index : 0];
        return STATUS_OK;
    }
    cleanup_text struct text names = {0};
    for (size_t i = 0; i < draft->build.kernel_count; i++) {
        text_append(&names, i ? "; " : "");
        build_kernel_describe(&draft->build.kernels[i], &names);
    }
    error_set(error, STATUS_INVALID, "%s has %zu kernels: %.700s. Which one is the exercise about?",
              draft->file, draft->build.kernel_count, text_string(&names));
    error_hint(error, "--kernel %s, for example", draft->build.kernels[0].name);
    return STATUS_INVALID;
}

/* ---- parameters ------------------------------------------------------------------------------ */

static bool find_type(const char *spelled, bool is_pointer, enum element_type *type) {
    for (unsigned i = 0; i < ELEMENT_COUNT; i++)
        if (build_parameter_matches(spelled, (enum element_type)i, is_pointer, true)) {
            *type = (enum element_type)i;
            return true;
        }
    return false;
}

static enum status read_param(struct draft *draft, const char *spelled, struct draft_param *param,
                              struct error *error) {
    bool is_pointer = strchr(spelled, '*') != NULL;
    if (!find_type(spelled, is_pointer, &param->type)) {
        error_set(error, STATUS_INVALID,
                  "the parameter %s of %s has the type `%s`, which no exercise has", param->name,
                  draft->kernel->name, spelled);
        draft_advise_type(draft, param, spelled, error);
        return STATUS_INVALID;
    }
    if (is_pointer)
        param->role =
            build_parameter_matches(spelled, param->type, true, false) ? ROLE_OUT : ROLE_IN;
    else if (element_infos[param->type].is_float || element_infos[param->type].bytes < 4)
        param->role = ROLE_SCALAR;
    else
        param->role = ROLE_SIZE;
    if (param->role == ROLE_SIZE && draft->size_count == DRAFT_MAX_SIZES)
        param->role = ROLE_SCALAR;
    if (param->role == ROLE_SIZE)
        draft->sizes[draft->size_count++] = (size_t)(param - draft->params);
    return STATUS_OK;
}

static enum status read_params(struct draft *draft, struct error *error) {
    const struct build_kernel *kernel = draft->kernel;
    struct parameter_source names[DRAFT_MAX_PARAMS];
    if (kernel->parameter_count == 0 || kernel->parameter_count > DRAFT_MAX_PARAMS)
        return error_set(error, STATUS_INVALID, "%s has %zu parameters; an exercise has 1 to %d",
                         kernel->name, kernel->parameter_count, DRAFT_MAX_PARAMS);
    if (!kernel->types_known ||
        !parameter_names_find(draft->source, kernel->name, kernel->parameter_count, names)) {
        error_set(error, STATUS_INVALID, "the signature of %s cannot be read from %s", kernel->name,
                  draft->file);
        error_hint(error, "Every parameter needs a type and a name, and no macro may make them.");
        return STATUS_INVALID;
    }
    enum status status = STATUS_OK;
    for (size_t i = 0; i < kernel->parameter_count && status == STATUS_OK; i++) {
        struct draft_param *param = &draft->params[draft->param_count++];
        memcpy(param->name, names[i].name, sizeof param->name);
        memcpy(param->declared, names[i].declared, sizeof param->declared);
        status = read_param(draft, kernel->parameters[i], param, error);
    }
    return status;
}

/* ---- what the code does ---------------------------------------------------------------------- */

/* Of `extern __shared__ TYPE NAME[]`, between whose words __align__(16) may stand. */
static unsigned dynamic_element(const struct code *code, size_t at) {
    static const struct {
        const char *name;
        unsigned bytes;
    } types[] = {{"char", 1}, {"bool", 1},    {"short", 2}, {"__half", 2},
                 {"half", 2}, {"double", 8},  {"long", 8},  {"float2", 8},
                 {"int2", 8}, {"float4", 16}, {"int4", 16}, {"double2", 16}};
    for (; at < code->count && !code_is(code, at, ";") && !code_is(code, at, "{"); at++)
        for (size_t i = 0; i < ARRAY_LENGTH(types); i++)
            if (code_is(code, at, types[i].name))
                return types[i].bytes;
    return 4;
}

static void read_axis(const struct code *code, size_t at, struct draft *draft, bool scaled[2]) {
    bool is_thread = code_is(code, at, "threadIdx"), is_block = code_is(code, at, "blockIdx");
    bool is_y = code_is(code, at + 2, "y");
    if (is_y && (is_thread || is_block) && draft->axes < 2)
        draft->axes = 2;
    if ((is_thread || is_block) && code_is(code, at + 2, "z"))
        draft->axes = 3;
    if (is_y && (is_thread || code_is(code, at, "blockDim")))
        draft->is_flat = false;
    if (!is_block || (!is_y && !code_is(code, at + 2, "x")))
        return;
    draft->by_block[is_y] = true;
    scaled[is_y] |= code_is(code, at + 3, "*") || (at > 0 && code_is(code, at - 1, "*"));
}

/* `__constant__ TYPE NAME...;` without a value. */
static bool is_unset_constant(const struct code *code, size_t at) {
    bool has_value = false;
    if (!code_is(code, at, "__constant__"))
        return false;
    for (; at < code->count && !code_is(code, at, ";"); at++)
        has_value |= code_is(code, at, "=") || code_is(code, at, "{");
    return !has_value;
}

static void read_habits(struct draft *draft) {
    struct code code;
    bool scaled[2] = {false, false};
    code_read(draft->source, draft->length, &code);
    draft->axes = 1;
    draft->is_flat = true;
    for (size_t i = 0; i + 2 < code.count; i++) {
        read_axis(&code, i, draft, scaled);
        if (code_is(&code, i, "extern") && code_is(&code, i + 1, "__shared__"))
            draft->shared_unit = dynamic_element(&code, i + 2);
        if (code.tokens[i].length > 6 && memcmp(code.tokens[i].start, "atomic", 6) == 0)
            for (size_t p = 0; p < draft->param_count; p++)
                draft->params[p].is_sum |=
                    code_is(&code, i + 2 + code_is(&code, i + 2, "&"), draft->params[p].name);
        if (is_unset_constant(&code, i) && !draft->has_constants) {
            draft->has_constants = true;
            text_append(&draft->notes, "tuned.cu: nothing sets a __constant__ variable in an "
                                       "exercise: give it a value in the code, or a parameter\n");
        }
        draft->adds_up |= code_is(&code, i, "+=") || code_is(&code, i, "atomicAdd");
    }
    for (size_t axis = 0; axis < ARRAY_LENGTH(scaled); axis++)
        draft->by_block[axis] &= !scaled[axis];
    draft->is_flat &= draft->axes == 2;
    code_free(&code);
}

/* What no draft can be made of, said before a folder is there. */
static enum status refuse_kind(const struct draft *draft, struct error *error) {
    if (strstr(draft->kernel->name, "::")) {
        error_set(error, STATUS_INVALID,
                  "%s stands in a namespace or a class; an exercise names a "
                  "kernel by one word",
                  draft->kernel->name);
        error_hint(error, "Move the kernel out of it.");
        return STATUS_INVALID;
    }
    if (draft->axes <= DRAFT_MAX_AXES)
        return STATUS_OK;
    error_set(error, STATUS_INVALID,
              "%s uses the third axis of its grid or block; launches of one or two are drafted",
              draft->kernel->name);
    error_hint(error, "Draft a kernel without it, then add the axis to `launch` in exercise.yaml.");
    return STATUS_INVALID;
}

enum status draft_read(struct draft *draft, const char *kernel, struct error *error) {
    struct worker_limits limits = {.wall_seconds = BUILD_SECONDS};
    struct build_request request = {.file_name = file_base_name(draft->file),
                                    .source = draft->source,
                                    .source_length = draft->length,
                                    .kernel = kernel,
                                    .kernel_chosen = true};
    enum status status = build_compile(&request, &limits, &draft->build, error);
    if (status == STATUS_OK && !draft->build.compiled)
        status = refuse_build(draft, error);
    if (status == STATUS_OK)
        status = choose_kernel(draft, kernel, error);
    if (status == STATUS_OK && !kernel) /* asked for by name, its types are known */
    {
        cleanup_free char *name = mem_strdup(draft->kernel->name);
        build_result_free(&draft->build);
        draft->build = (struct build_result){0};
        draft->kernel = NULL;
        return draft_read(draft, name, error);
    }
    if (status == STATUS_OK)
        status = read_params(draft, error);
    if (status == STATUS_OK) {
        read_habits(draft);
        status = refuse_kind(draft, error);
    }
    return status;
}

void draft_free(struct draft *draft) {
    build_result_free(&draft->build);
    text_free(&draft->notes);
}
