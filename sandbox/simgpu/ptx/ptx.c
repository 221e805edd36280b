/* Small questions about a parsed module: types by name, kernels by plain or lowered name. */
#include "sandbox/simgpu/ptx/ptx.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    unsigned bits;
} types[PTX_TYPE_COUNT] = {{"", 0},
#define PTX_TYPE(id, bits) {#id, bits},
                           PTX_TYPES(PTX_TYPE)
#undef PTX_TYPE
};

bool ptx_span_is(struct ptx_span span, const char *string) {
    for (uint32_t i = 0; i < span.length; i++) /* nearly always over with the first character */
        if (string[i] == '\0' || string[i] != span.start[i])
            return false;
    return string[span.length] == '\0';
}

unsigned ptx_type_bits(enum ptx_type type) {
    return types[type].bits;
}

bool ptx_type_is_float(enum ptx_type type) {
    return types[type].name[0] == 'f' || type == PTX_bf16 || type == PTX_bf16x2 || type == PTX_tf32;
}

bool ptx_type_is_signed(enum ptx_type type) {
    return types[type].name[0] == 's';
}

enum ptx_type ptx_type_from_span(struct ptx_span name) {
    for (unsigned i = 1; i < PTX_TYPE_COUNT; i++)
        if (ptx_span_is(name, types[i].name))
            return (enum ptx_type)i;
    return PTX_NO_TYPE;
}

const struct ptx_function *ptx_find_function(const struct ptx_module *module,
                                             struct ptx_span name) {
    const struct ptx_function *found = NULL;
    for (size_t i = 0; i < module->function_count; i++) {
        const struct ptx_function *function = &module->functions[i];
        if (function->name.length == name.length &&
            memcmp(function->name.start, name.start, name.length) == 0 &&
            (!found || function->has_body))
            found = function;
    }
    return found;
}

/* "_Z3dotPKfS0_Pfi" and "_ZN1a3dotEv" hold the plain name "dot" as their last "<length><name>". */
struct ptx_span ptx_plain_name(struct ptx_span lowered) {
    const char *at = lowered.start, *end = lowered.start + lowered.length;
    if (end - at < 3 || at[0] != '_' || at[1] != 'Z')
        return lowered;
    at += 2;
    bool nested = *at == 'N';
    if (nested || *at == 'L')
        at++;
    struct ptx_span last = lowered;
    while (at < end && *at >= '0' && *at <= '9') {
        size_t length = 0;
        while (at < end && *at >= '0' && *at <= '9' && length < 100000)
            length = length * 10 + (size_t)(*at++ - '0');
        if (length > (size_t)(end - at))
            return lowered;
        last = (struct ptx_span){at, (uint32_t)length};
        at += length;
        if (!nested)
            break;
    }
    return last;
}

static bool lowered_name_is(struct ptx_span lowered, const char *plain) {
    return ptx_span_is(lowered, plain) || ptx_span_is(ptx_plain_name(lowered), plain);
}

enum status ptx_find_kernel(const struct ptx_module *module, const char *name,
                            const struct ptx_function **kernel, struct error *error) {
    const struct ptx_function *found = NULL;
    struct text list = {0};
    size_t matches = 0;
    for (size_t i = 0; i < module->function_count; i++) {
        const struct ptx_function *function = &module->functions[i];
        if (!function->is_entry || !function->has_body)
            continue;
        if (list.length < 400)
            text_printf(&list, "%s%.*s", list.length ? ", " : "", (int)function->name.length,
                        function->name.start);
        if (ptx_span_is(function->name, name)) {
            found = function;
            matches = 1;
            break;
        }
        if (lowered_name_is(function->name, name)) {
            found = function;
            matches++;
        }
    }
    enum status status = STATUS_OK;
    if (matches == 0)
        status = error_set(error, STATUS_INVALID, "no kernel named %s; found: %s", name,
                           list.length ? text_string(&list) : "no kernel at all");
    else if (matches > 1)
        status = error_set(error, STATUS_INVALID,
                           "several kernels are named %s: give the lowered name of one of %s", name,
                           text_string(&list));
    text_free(&list);
    *kernel = found;
    return status;
}

static void free_variables(struct ptx_variable *variables, size_t count) {
    for (size_t i = 0; i < count; i++) {
        free(variables[i].initial);
        free(variables[i].relocations);
    }
    free(variables);
}

void ptx_module_free(struct ptx_module *module) {
    if (!module)
        return;
    for (size_t i = 0; i < module->function_count; i++) {
        struct ptx_function *function = &module->functions[i];
        free_variables(function->variables, function->variable_count);
        free(function->params);
        free(function->results);
        free(function->registers);
        free(function->instructions);
        free(function->tables);
    }
    free_variables(module->variables, module->variable_count);
    free(module->functions);
    free(module->operands);
    free(module->locations);
    free(module->files);
    free(module);
}
