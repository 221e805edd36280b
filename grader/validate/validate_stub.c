/* Kernels that no exercise may accept, made from its signature alone: one that does nothing, one
 * that writes zeros, one that copies an input. A single thread writes every element of every
 * output, so that nothing but the values can be wrong.
 *
 * Extents are the exercise's own expressions: they are valid C++ once the functions of expr.h are
 * there, and all names in them are kernel parameters or constants. */
#include "grader/validate/validate.h"

#include "grader/judge/signature.h"
#include "sandbox/base/memory.h"

#include <inttypes.h>
#include <string.h>

static const char functions[] =
    "typedef long long wide;\n"
    "__host__ __device__ constexpr wide ceil_div(wide a, wide b) { return (a + b - 1) / b; }\n"
    "__host__ __device__ constexpr wide round_up(wide a, wide b) { return (a + b - 1) / b * b; }\n"
    "__host__ __device__ constexpr wide pow2_ceil(wide a) { wide p = 1; while (p < a) p *= 2; "
    "return p; }\n"
    "template <class... T> __host__ __device__ constexpr wide least(wide a, T... rest)\n"
    "{ wide r = a; ((r = wide(rest) < r ? wide(rest) : r), ...); return r; }\n"
    "template <class... T> __host__ __device__ constexpr wide largest(wide a, T... rest)\n"
    "{ wide r = a; ((r = wide(rest) > r ? wide(rest) : r), ...); return r; }\n"
    "#define min least\n"
    "#define max largest\n";

static void append_count(const struct exercise_param *param, struct text *out) {
    text_append(out, "wide(1)");
    for (unsigned i = 0; i < param->rank; i++)
        text_printf(out, " * (%s)", expr_text(param->shape[i]));
}

/* The input to copy: the first of the output's type, else of any. */
static const struct exercise_param *find_input(const struct exercise *exercise,
                                               const struct exercise_param *output) {
    const struct exercise_param *found = NULL;
    for (size_t i = 0; i < exercise->param_count; i++) {
        const struct exercise_param *param = &exercise->params[i];
        if (param->role != ROLE_IN || param->constant_memory)
            continue;
        if (param->type == output->type)
            return param;
        if (!found)
            found = param;
    }
    return found;
}

static void append_loop(const struct exercise *exercise, const struct exercise_param *output,
                        enum validate_stub stub, struct text *out) {
    const struct exercise_param *input = find_input(exercise, output);
    text_append(out, "    for (wide i = 0; i < ");
    append_count(output, out);
    text_printf(out, "; i++)\n        %s[i] = ", output->name);
    if (stub == STUB_ZERO || !input) {
        text_append(out, "0;\n");
        return;
    }
    text_printf(out, "%s[i %% (", input->name);
    append_count(input, out);
    text_append(out, ")];\n");
}

static bool can_copy(const struct exercise *exercise) {
    for (size_t i = 0; i < exercise->param_count; i++)
        if (exercise_param_is_output(&exercise->params[i]) &&
            find_input(exercise, &exercise->params[i]))
            return true;
    return false;
}

/* The function of the host: it launches the kernel, with copies in device memory of what it was
 * given as host pointers. */
static void append_function(const struct exercise *exercise, struct text *out) {
    text_append(out, "void ");
    signature_text(exercise->kernel, exercise->params, exercise->param_count, out);
    text_append(out, "\n{\n");
    for (size_t i = 0; i < exercise->param_count && exercise->host_pointers; i++) {
        const struct exercise_param *param = &exercise->params[i];
        if (!exercise_param_is_buffer(param))
            continue;
        const char *type = element_infos[param->type].c_name;
        text_printf(out, "    %s *on_device_%zu;\n    wide bytes_%zu = sizeof(%s) * ", type, i, i,
                    type);
        append_count(param, out);
        text_printf(out,
                    ";\n    cudaMalloc(&on_device_%zu, bytes_%zu + 1);\n"
                    "    cudaMemcpy(on_device_%zu, %s, bytes_%zu, cudaMemcpyHostToDevice);\n",
                    i, i, i, param->name, i);
    }
    text_append(out, "    stub<<<1, 1>>>(");
    for (size_t i = 0; i < exercise->param_count; i++) {
        const struct exercise_param *param = &exercise->params[i];
        text_append(out, i ? ", " : "");
        if (exercise_param_is_buffer(param) && exercise->host_pointers)
            text_printf(out, "on_device_%zu", i);
        else
            text_append(out, param->name);
    }
    text_append(out, ");\n");
    for (size_t i = 0; i < exercise->param_count && exercise->host_pointers; i++)
        if (exercise_param_is_output(&exercise->params[i]))
            text_printf(out,
                        "    cudaMemcpy(%s, on_device_%zu, bytes_%zu, cudaMemcpyDeviceToHost);\n",
                        exercise->params[i].name, i, i);
    text_append(out, "    cudaDeviceSynchronize();\n}\n");
}

char *validate_stub_source(const struct exercise *exercise, enum validate_stub stub) {
    bool is_function = exercise->kind == EXERCISE_HOST;
    if (stub == STUB_COPY && !can_copy(exercise))
        return NULL;
    if (exercise->kind == EXERCISE_PROGRAM)
        return stub == STUB_NOOP ? mem_strdup("int main() {}\n") : NULL;
    struct text out = {0};
    text_append(&out, "#include <cuda_fp16.h>\n");
    for (size_t i = 0; i < exercise->constant_count; i++)
        text_printf(&out, "constexpr int %s = %" PRId64 ";\n", exercise->constants[i].name,
                    exercise->constants[i].fallback);
    if (stub != STUB_NOOP)
        text_append(&out, functions);
    else if (is_function)
        text_append(&out, "typedef long long wide;\n");
    if (is_function)
        text_append(&out, "extern \"C\" ");
    text_append(&out, "__global__ void ");
    signature_text(is_function ? "stub" : exercise->kernel, exercise->params, exercise->param_count,
                   &out);
    text_append(&out, "\n{\n");
    if (stub != STUB_NOOP) {
        text_append(&out, "    if (blockIdx.x || blockIdx.y || blockIdx.z || threadIdx.x || "
                          "threadIdx.y || threadIdx.z)\n        return;\n");
        for (size_t i = 0; i < exercise->param_count; i++)
            if (exercise_param_is_output(&exercise->params[i]))
                append_loop(exercise, &exercise->params[i], stub, &out);
    }
    text_append(&out, "}\n");
    if (is_function)
        append_function(exercise, &out);
    return text_steal(&out);
}
