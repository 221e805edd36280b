/* Reads one `--arg` and makes the buffer that it describes.
 *
 * The grammar is small, the mistakes people make with it are not: each error says which part of the
 * specification is wrong, with a caret below it, and what may stand there. */
#include "grader/cli/sim_argument.h"

#include "grader/cases/random.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STRUCTURE = 4 << 10 }; /* what a kernel's parameters take together, at most */

struct spec {
    const char *text, *at;
    enum element_type type;
    unsigned index;
    uint64_t seed;
    bool on_demand; /* a rule instead of bytes, where there is one */
    struct error *error;
};

__attribute__((format(printf, 2, 3))) static enum status wrong(const struct spec *spec,
                                                               const char *format, ...) {
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    enum status status = error_set(spec->error, STATUS_INVALID, "%s", message);
    error_place(spec->error, "--arg", 1, (unsigned)(spec->at - spec->text) + 1, spec->text,
                strlen(spec->text));
    error_hint(spec->error,
               "e.g. --arg 'f32[1024]=uniform:const' --arg i32=1024; fills: zero, "
               "iota, uniform, const:V, uninit, file:PATH; also bytes=@FILE, alias:INDEX");
    return status;
}

static enum status parse_type(struct spec *spec) {
    size_t length = strcspn(spec->at, "=[*");
    char name[16];
    if (length < sizeof name) {
        memcpy(name, spec->at, length);
        name[length] = '\0';
        if (element_from_name(name, &spec->type)) {
            spec->at += length;
            return STATUS_OK;
        }
    }
    return wrong(spec,
                 "an argument begins with its type: i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 "
                 "f64, not \"%.*s\"",
                 (int)length, spec->at);
}

static enum status parse_count(struct spec *spec, uint64_t *count) {
    bool bracket = *spec->at == '[';
    spec->at++;
    char *end;
    errno = 0;
    unsigned long long value = isdigit((unsigned char)*spec->at) ? strtoull(spec->at, &end, 10) : 0;
    if (!isdigit((unsigned char)*spec->at) || errno || (bracket && *end != ']'))
        return wrong(spec, "a number of elements is expected here, like %s",
                     bracket ? "f32[1024]" : "f32*1024");
    uint64_t limit = ((uint64_t)SIM_MAX_BUFFER_MIB << 20) / element_infos[spec->type].bytes;
    if (value > limit)
        return wrong(spec, "a buffer of more than %d MiB", SIM_MAX_BUFFER_MIB);
    spec->at = end + bracket;
    *count = value;
    return STATUS_OK;
}

/* Whole numbers of integer types are read as such: a double cannot hold all 64-bit ones. */
static enum status parse_value(const struct spec *spec, const char *text, uint64_t *bits) {
    const struct element_info *info = &element_infos[spec->type];
    char *end;
    errno = 0;
    *bits = 0;
    if (info->is_float) {
        double value = strtod(text, &end);
        if (end == text || *end)
            return wrong(spec, "\"%s\" is not a number", text);
        element_from_double(spec->type, bits, 0, value);
        return STATUS_OK;
    }
    bool negative = *text == '-';
    unsigned long long magnitude = strtoull(negative ? text + 1 : text, &end, 0);
    unsigned width = info->bytes * 8;
    uint64_t most = width == 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
    uint64_t highest = info->is_signed ? most >> 1 : most;
    if (end == text + negative || *end || !isdigit((unsigned char)text[negative]))
        return wrong(spec, "\"%s\" is not a whole number", text);
    if (errno || magnitude > (negative ? (info->is_signed ? highest + 1 : 0) : highest))
        return wrong(spec, "%s does not fit into %s", text, info->name);
    *bits = negative ? (uint64_t)-magnitude : magnitude;
    if (width < 64)
        *bits &= most;
    return STATUS_OK;
}

static enum status fill_from_file(const struct spec *spec, const char *path, void *bytes,
                                  size_t byte_count) {
    cleanup_free char *data = NULL;
    size_t length;
    enum status status =
        file_read(path, (size_t)SIM_MAX_BUFFER_MIB << 20, &data, &length, spec->error);
    if (status != STATUS_OK)
        return status;
    if (length != byte_count)
        return wrong(spec, "%s has %zu bytes, the buffer has %zu", path, length, byte_count);
    memcpy(bytes, data, length);
    return STATUS_OK;
}

static void fill_uniform(const struct spec *spec, void *bytes, uint64_t count) {
    char name[32];
    snprintf(name, sizeof name, "arg%u", spec->index);
    struct random random;
    random_start(&random, spec->seed, (const char *const[]){"sim", name, NULL});
    if (element_infos[spec->type].is_float) {
        struct exercise_fill fill = {.kind = FILL_UNIFORM, .low = -1, .high = 1};
        random_fill(&random, &fill, spec->type, bytes, count);
        return;
    }
    unsigned width = element_infos[spec->type].bytes;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t word = random_word(&random);
        memcpy((char *)bytes + i * width, &word, width);
    }
}

/* The rule that makes the elements one by one. False where bytes are needed: files, and numbers of
 * 64 bits, which a double cannot hold. Random numbers are others than those of fill_uniform(). */
static bool find_rule(const struct spec *spec, const char *text, struct engine_fill *fill) {
    bool is_float = element_infos[spec->type].is_float;
    *fill = (struct engine_fill){.kind = ENGINE_FILL_DATA};
    if (strcmp(text, "zero") == 0 || strcmp(text, "uninit") == 0) {
        fill->kind = ENGINE_FILL_ZERO;
    } else if (strcmp(text, "iota") == 0) {
        fill->kind = ENGINE_FILL_IOTA;
    } else if (strcmp(text, "uniform") == 0) {
        char name[32];
        struct random random;
        snprintf(name, sizeof name, "arg%u", spec->index);
        random_start(&random, spec->seed, (const char *const[]){"sim", name, NULL});
        *fill = (struct engine_fill){.kind = is_float ? ENGINE_FILL_UNIFORM : ENGINE_FILL_WORDS,
                                     .seed = random_word(&random),
                                     .low = -1,
                                     .high = 1};
    }
    return fill->kind != ENGINE_FILL_DATA;
}

static enum status fill_buffer(const struct spec *spec, const char *fill,
                               struct sim_argument *argument) {
    uint64_t count = argument->engine.count, bits;
    unsigned width = element_infos[spec->type].bytes;
    if (strcmp(fill, "zero") == 0)
        return STATUS_OK;
    if (strcmp(fill, "uninit") == 0) {
        argument->engine.uninitialized = true;
        memset(argument->bytes, 0xcd, argument->byte_count);
        return STATUS_OK;
    }
    if (strcmp(fill, "iota") == 0) {
        for (uint64_t i = 0; i < count; i++)
            element_from_double(spec->type, argument->bytes, i, (double)i);
        return STATUS_OK;
    }
    if (strcmp(fill, "uniform") == 0) {
        fill_uniform(spec, argument->bytes, count);
        return STATUS_OK;
    }
    if (strncmp(fill, "file:", 5) == 0)
        return fill_from_file(spec, fill + 5, argument->bytes, argument->byte_count);
    if (strncmp(fill, "const:", 6) == 0) {
        enum status status = parse_value(spec, fill + 6, &bits);
        for (uint64_t i = 0; i < count && status == STATUS_OK; i++)
            memcpy((char *)argument->bytes + i * width, &bits, width);
        return status;
    }
    static const char *const fills[] = {"zero", "iota", "uniform", "const:", "uninit", "file:"};
    const char *closest = text_closest(fill, fills, ARRAY_LENGTH(fills));
    return wrong(spec, "there is no fill \"%s\"%s%s%s", fill, closest ? "; did you mean " : "",
                 closest ? closest : "", closest ? "?" : "");
}

/* bytes=@FILE: a structure by value, as it lies in memory. */
static enum status parse_structure(struct spec *spec, struct sim_argument *argument) {
    cleanup_free char *data = NULL;
    size_t length;
    if (*spec->at != '@' || !spec->at[1])
        return wrong(spec, "a structure comes from a file: bytes=@FILE");
    enum status status = file_read(spec->at + 1, MAX_STRUCTURE, &data, &length, spec->error);
    if (status != STATUS_OK)
        return status;
    if (!length)
        return wrong(spec, "%s is empty", spec->at + 1);
    argument->engine.by_value = true;
    argument->engine.type = ELEMENT_u8;
    argument->engine.count = length;
    argument->byte_count = length;
    argument->bytes = steal_pointer(&data);
    return STATUS_OK;
}

/* alias:INDEX[+OFFSET]: the buffer of another argument, from the element OFFSET on. The offset is
 * kept in elements; kernel_launch.c knows of how many bytes. */
static enum status parse_alias(struct spec *spec, struct sim_argument *argument) {
    char *end;
    errno = 0;
    unsigned long index = isdigit((unsigned char)*spec->at) ? strtoul(spec->at, &end, 10) : 0;
    if (!isdigit((unsigned char)*spec->at) || errno || index >= ENGINE_MAX_ARGUMENTS)
        return wrong(spec, "the index of another argument is expected here, from 0: alias:0+16");
    spec->at = end;
    unsigned long long offset = 0;
    if (*end == '+' && isdigit((unsigned char)end[1]))
        offset = strtoull(end + 1, &end, 10);
    if (*end || errno || offset > (unsigned long long)SIM_MAX_BUFFER_MIB << 20)
        return wrong(spec, "an offset in elements is expected here: alias:0+16");
    argument->engine.type = ELEMENT_u64;
    argument->engine.alias = (unsigned)index + 1;
    argument->engine.scalar = offset;
    return STATUS_OK;
}

static enum status parse(const char *text, unsigned index, uint64_t seed, bool on_demand,
                         struct sim_argument *argument, struct error *error) {
    struct spec spec = {.text = text,
                        .at = text,
                        .index = index,
                        .seed = seed,
                        .on_demand = on_demand,
                        .error = error};
    *argument = (struct sim_argument){0};
    struct engine_argument *engine = &argument->engine;
    snprintf(engine->name, sizeof engine->name, "arg%u", index);
    if (strncmp(text, "bytes=", 6) == 0) {
        spec.at += 6;
        return parse_structure(&spec, argument);
    }
    if (strncmp(text, "alias:", 6) == 0) {
        spec.at += 6;
        return parse_alias(&spec, argument);
    }
    enum status status = parse_type(&spec);
    if (status != STATUS_OK)
        return status;
    engine->type = spec.type;
    engine->is_buffer = *spec.at != '=';
    if (*spec.at == '\0')
        return wrong(&spec, "a value is missing: %s=VALUE, or %s[N]=FILL for a buffer",
                     element_infos[spec.type].name, element_infos[spec.type].name);
    if (engine->is_buffer && (status = parse_count(&spec, &engine->count)) != STATUS_OK)
        return status;
    if (*spec.at != '=')
        return wrong(&spec, "'=' is expected here");
    cleanup_free char *value = mem_strdup(++spec.at);
    if (!engine->is_buffer)
        return parse_value(&spec, value, &engine->scalar);
    size_t length = strlen(value);
    if (length >= 6 && strcmp(value + length - 6, ":const") == 0) {
        engine->read_only = true;
        value[length - 6] = '\0';
    }
    engine->rank = 1;
    engine->shape[0] = engine->count;
    if (spec.on_demand && find_rule(&spec, value, &engine->fill))
        return STATUS_OK;
    argument->byte_count = (size_t)engine->count * element_infos[spec.type].bytes;
    argument->bytes = mem_zalloc(argument->byte_count);
    status = fill_buffer(&spec, value, argument);
    if (status != STATUS_OK) {
        free(argument->bytes);
        argument->bytes = NULL;
    }
    return status;
}

enum status sim_argument_parse(const char *text, unsigned index, uint64_t seed,
                               struct sim_argument *argument, struct error *error) {
    return parse(text, index, seed, false, argument, error);
}

enum status sim_argument_parse_rule(const char *text, unsigned index, uint64_t seed,
                                    struct sim_argument *argument, struct error *error) {
    return parse(text, index, seed, true, argument, error);
}
