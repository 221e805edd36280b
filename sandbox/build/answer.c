/* Requests to and answers of build workers as JSON: see answer.h. Answers are decoded as hostile.
 */
#include "sandbox/build/answer.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_BYTES = 4096 };

static json_t *encode_strings(const char *const *strings, size_t count) {
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, protocol_string(strings[i]));
    return array;
}

static size_t decode_strings(struct protocol_reader *reader, const char *name, const char **strings,
                             size_t max) {
    const json_t *array = protocol_array(reader, name, max);
    size_t count = array ? json_array_size(array) : 0;
    for (size_t i = 0; i < count; i++) {
        strings[i] = json_string_value(json_array_get(array, i));
        if (!strings[i])
            protocol_fail(reader, name);
    }
    return count;
}

static json_t *optional_string(const char *string) {
    return protocol_string(string ? string : "");
}

json_t *build_job_encode(const struct build_job *job) {
    return json_pack(
        "{s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:b, s:b, s:o, s:o, s:o, s:o}",
        "method", (json_int_t)job->method, "file_name", optional_string(job->file_name), "kernel",
        optional_string(job->kernel), "constants",
        encode_strings(job->constants, job->constant_count), "defines",
        encode_strings(job->defines, job->define_count), "options",
        encode_strings(job->options, job->option_count), "header_names",
        encode_strings(job->header_names, job->header_count), "header_texts",
        encode_strings(job->header_texts, job->header_count), "architecture",
        optional_string(job->architecture), "device_debug", job->device_debug, "no_signature",
        job->no_signature, "no_shapes", job->no_shapes, "library", optional_string(job->library),
        "include_directory", optional_string(job->include_directory), "tool",
        optional_string(job->tool), "path", optional_string(job->path));
}

bool build_job_decode(const struct protocol_message *message, struct build_job *job) {
    struct protocol_reader reader = protocol_read(message->control);
    *job = (struct build_job){0};
    job->method = (enum build_method)protocol_unsigned(&reader, "method", METHOD_COUNT - 1);
    job->file_name = protocol_borrow(&reader, "file_name", NAME_MAX_BYTES);
    job->kernel = protocol_borrow(&reader, "kernel", NAME_MAX_BYTES);
    job->constant_count = decode_strings(&reader, "constants", job->constants, BUILD_MAX_CONSTANTS);
    job->define_count = decode_strings(&reader, "defines", job->defines, BUILD_MAX_DEFINES);
    job->option_count = decode_strings(&reader, "options", job->options, BUILD_MAX_OPTIONS);
    job->header_count =
        decode_strings(&reader, "header_names", job->header_names, BUILD_MAX_HEADERS);
    if (decode_strings(&reader, "header_texts", job->header_texts, BUILD_MAX_HEADERS) !=
        job->header_count)
        protocol_fail(&reader, "header_texts");
    job->architecture = protocol_borrow(&reader, "architecture", NAME_MAX_BYTES);
    job->device_debug = protocol_bool(&reader, "device_debug");
    job->no_signature = protocol_bool(&reader, "no_signature");
    job->no_shapes = protocol_bool(&reader, "no_shapes");
    job->library = protocol_borrow(&reader, "library", NAME_MAX_BYTES);
    job->include_directory = protocol_borrow(&reader, "include_directory", NAME_MAX_BYTES);
    job->tool = protocol_borrow(&reader, "tool", NAME_MAX_BYTES);
    job->path = protocol_borrow(&reader, "path", NAME_MAX_BYTES);
    job->source = message->bulk;
    job->source_length = message->bulk_length;
    return protocol_end(&reader);
}

static json_t *encode_diagnostic(const struct build_diagnostic *diagnostic) {
    return json_pack("{s:I, s:o, s:I, s:I, s:o}", "severity", (json_int_t)diagnostic->severity,
                     "file", protocol_string(diagnostic->file), "line",
                     (json_int_t)diagnostic->line, "column", (json_int_t)diagnostic->column, "text",
                     protocol_string(diagnostic->text));
}

static bool decode_diagnostic(const json_t *object, struct build_diagnostic *diagnostic) {
    struct protocol_reader reader = protocol_read(object);
    diagnostic->severity = (enum build_severity)protocol_unsigned(&reader, "severity", BUILD_NOTE);
    protocol_text(&reader, "file", diagnostic->file, sizeof diagnostic->file);
    diagnostic->line = (unsigned)protocol_unsigned(&reader, "line", INT32_MAX);
    diagnostic->column = (unsigned)protocol_unsigned(&reader, "column", INT32_MAX);
    protocol_text(&reader, "text", diagnostic->text, sizeof diagnostic->text);
    return protocol_end(&reader);
}

static json_t *encode_kernel(const struct build_kernel *kernel) {
    return json_pack(
        "{s:o, s:o, s:o, s:b}", "name", protocol_string(kernel->name), "lowered",
        protocol_string(kernel->lowered), "parameters",
        encode_strings((const char *const *)kernel->parameters, kernel->parameter_count),
        "types_known", kernel->types_known);
}

static bool decode_kernel(const json_t *object, struct build_kernel *kernel) {
    struct protocol_reader reader = protocol_read(object);
    protocol_text(&reader, "name", kernel->name, sizeof kernel->name);
    protocol_text(&reader, "lowered", kernel->lowered, sizeof kernel->lowered);
    const json_t *parameters = protocol_array(&reader, "parameters", BUILD_MAX_PARAMETERS);
    size_t count = parameters ? json_array_size(parameters) : 0;
    kernel->parameters = mem_calloc(count, sizeof *kernel->parameters);
    for (size_t i = 0; i < count; i++) {
        const char *type = json_string_value(json_array_get(parameters, i));
        if (!type || strlen(type) > NAME_MAX_BYTES) {
            protocol_fail(&reader, "parameters");
            break;
        }
        kernel->parameters[kernel->parameter_count++] = mem_strdup(type);
    }
    kernel->types_known = protocol_bool(&reader, "types_known");
    return protocol_end(&reader);
}

static json_t *encode_answer(const struct build_answer *answer) {
    json_t *diagnostics = json_array(), *kernels = json_array(), *constants = json_array();
    for (size_t i = 0; i < answer->diagnostic_count && i < BUILD_MAX_DIAGNOSTICS; i++)
        json_array_append_new(diagnostics, encode_diagnostic(&answer->diagnostics[i]));
    for (size_t i = 0; i < answer->kernel_count && i < BUILD_MAX_KERNELS; i++)
        json_array_append_new(kernels, encode_kernel(&answer->kernels[i]));
    for (size_t i = 0; i < answer->constant_count; i++)
        json_array_append_new(constants, answer->constants[i].known
                                             ? json_integer(answer->constants[i].value)
                                             : json_null());
    return json_pack(
        "{s:I, s:o, s:o, s:I, s:I, s:o, s:o, s:I, s:o, s:o, s:I}", "outcome",
        (json_int_t)answer->outcome, "diagnostics", diagnostics, "kernels", kernels, "kernel_state",
        (json_int_t)answer->kernel_state, "kernel_index", (json_int_t)answer->kernel_index,
        "constants", constants, "host_name", protocol_string(answer->host_name), "host_line",
        (json_int_t)answer->host_line, "trouble", protocol_string(answer->trouble), "compiler",
        protocol_string(answer->compiler), "output_length", (json_int_t)answer->output.length);
}

void build_answer_frame(const struct build_answer *answer, struct text *frame) {
    cleanup_text struct text bulk = {0};
    text_append_bytes(&bulk, answer->output.data, answer->output.length);
    text_append_bytes(&bulk, answer->cubin.data, answer->cubin.length);
    protocol_frame(frame, encode_answer(answer), bulk.data, bulk.length);
}

bool build_is_real(const char *architecture) {
    return strncmp(architecture, "sm_", 3) == 0;
}

static void decode_constants(struct protocol_reader *reader, struct build_answer *answer) {
    const json_t *constants = protocol_array(reader, "constants", BUILD_MAX_CONSTANTS);
    answer->constant_count = constants ? json_array_size(constants) : 0;
    for (size_t i = 0; i < answer->constant_count; i++) {
        const json_t *value = json_array_get(constants, i);
        if (!json_is_integer(value) && !json_is_null(value))
            protocol_fail(reader, "constants");
        answer->constants[i].known = json_is_integer(value);
        answer->constants[i].value = json_integer_value(value);
    }
}

bool build_answer_decode(const struct protocol_message *message, struct build_answer *answer,
                         const char **culprit) {
    struct protocol_reader reader = protocol_read(message->control);
    *answer = (struct build_answer){0};
    answer->outcome = (enum build_outcome)protocol_unsigned(&reader, "outcome", OUTCOME_COUNT - 1);
    const json_t *diagnostics = protocol_array(&reader, "diagnostics", BUILD_MAX_DIAGNOSTICS);
    answer->diagnostic_count = diagnostics ? json_array_size(diagnostics) : 0;
    answer->diagnostics = mem_calloc(answer->diagnostic_count, sizeof *answer->diagnostics);
    for (size_t i = 0; i < answer->diagnostic_count; i++)
        if (!decode_diagnostic(json_array_get(diagnostics, i), &answer->diagnostics[i]))
            protocol_fail(&reader, "diagnostics");
    const json_t *kernels = protocol_array(&reader, "kernels", BUILD_MAX_KERNELS);
    answer->kernel_count = kernels ? json_array_size(kernels) : 0;
    answer->kernels = mem_calloc(answer->kernel_count, sizeof *answer->kernels);
    for (size_t i = 0; i < answer->kernel_count; i++)
        if (!decode_kernel(json_array_get(kernels, i), &answer->kernels[i]))
            protocol_fail(&reader, "kernels");
    answer->kernel_state =
        (enum build_kernel_state)protocol_unsigned(&reader, "kernel_state", KERNEL_STATE_COUNT - 1);
    answer->kernel_index = (size_t)protocol_unsigned(&reader, "kernel_index", BUILD_MAX_KERNELS);
    decode_constants(&reader, answer);
    protocol_text(&reader, "host_name", answer->host_name, sizeof answer->host_name);
    answer->host_line = (unsigned)protocol_unsigned(&reader, "host_line", INT32_MAX);
    protocol_text(&reader, "trouble", answer->trouble, sizeof answer->trouble);
    protocol_text(&reader, "compiler", answer->compiler, sizeof answer->compiler);
    size_t output = (size_t)protocol_unsigned(&reader, "output_length", message->bulk_length);
    if (protocol_end(&reader)) {
        text_append_bytes(&answer->output, message->bulk, output);
        text_append_bytes(&answer->cubin, message->bulk + output, message->bulk_length - output);
        return true;
    }
    *culprit = reader.culprit;
    build_answer_free(answer);
    return false;
}

void build_kernel_clear(struct build_kernel *kernel) {
    for (size_t i = 0; i < kernel->parameter_count; i++)
        free(kernel->parameters[i]);
    free(kernel->parameters);
    *kernel = (struct build_kernel){0};
}

void build_answer_free(struct build_answer *answer) {
    for (size_t i = 0; i < answer->kernel_count; i++)
        build_kernel_clear(&answer->kernels[i]);
    free(answer->kernels);
    free(answer->diagnostics);
    text_free(&answer->output);
    text_free(&answer->cubin);
    *answer = (struct build_answer){0};
}
