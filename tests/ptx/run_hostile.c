/* Hostile PTX: run_hostile FILE... runs each text as it is; run_hostile --mutate N --seed S FILE...
 * runs N mutations of each: bytes flipped, tokens deleted, doubled and swapped, numbers replaced.
 *
 * Whatever the text says, sim_run() must return. What it returns does not matter here: the
 * sanitizers and the end of the process are the test. A mutation that ends the process stands in
 * the file that --save names. */
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"
#include "sandbox/simgpu/launch/simgpu.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 1;

static uint32_t random_below(uint32_t limit) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 20) % limit;
}

/* The kernel's name and the number of its parameters, as far as a scan can tell. */
static void find_kernel(const char *ptx, char name[128], unsigned *parameters) {
    const char *entry = strstr(ptx, ".entry ");
    name[0] = '\0';
    *parameters = 0;
    if (!entry || sscanf(entry + 7, "%127[A-Za-z0-9_$%]", name) != 1)
        return;
    const char *end = strchr(entry, ')');
    for (const char *at = entry; end && (at = strstr(at, ".param ")) && at < end; at++)
        (*parameters)++;
}

static void run(const char *ptx, size_t length) {
    enum { BUFFER = 4096, MAX_PARAMETERS = 8 };
    static unsigned char data[MAX_PARAMETERS * BUFFER];
    struct engine_argument arguments[MAX_PARAMETERS];
    char name[128];
    unsigned parameters;
    find_kernel(ptx, name, &parameters);
    if (parameters > MAX_PARAMETERS)
        parameters = MAX_PARAMETERS;
    const char *declared = strstr(ptx, ".param ");
    for (unsigned i = 0; i < parameters; i++) {
        bool wide = declared && strncmp(declared + 7, ".u32", 4) != 0;
        arguments[i] = (struct engine_argument){.is_buffer = wide,
                                                .type = wide ? ELEMENT_f32 : ELEMENT_u32,
                                                .name = "a",
                                                .count = BUFFER / 4,
                                                .scalar = 32,
                                                .data_offset = i * BUFFER};
        declared = declared ? strstr(declared + 1, ".param ") : NULL;
    }
    struct engine_launch launch = {.ptx = ptx,
                                   .ptx_length = length,
                                   .kernel = name,
                                   .file_name = "k.cu",
                                   .grid = {2, 1, 1},
                                   .block = {48, 1, 1},
                                   .shared_bytes = 512,
                                   .arguments = arguments,
                                   .argument_count = parameters,
                                   .data = data,
                                   .data_length = sizeof data,
                                   .budget = 100000,
                                   .threads = 1};
    struct engine_result result;
    sim_run(&launch, &result);
    engine_result_free(&result);
}

static void span_of_token(const struct text *text, size_t *start, size_t *end) {
    *start = random_below((uint32_t)text->length);
    while (*start > 0 && !isspace((unsigned char)text->data[*start - 1]))
        (*start)--;
    *end = *start;
    while (*end < text->length && !isspace((unsigned char)text->data[*end]))
        (*end)++;
}

static void replace(struct text *text, size_t start, size_t end, const char *with, size_t length) {
    struct text made = {0};
    text_append_bytes(&made, text->data, start);
    text_append_bytes(&made, with, length);
    text_append_bytes(&made, text->data + end, text->length - end);
    text_free(text);
    *text = made;
}

static void mutate(struct text *text) {
    static const char *const numbers[] = {"0",  "1",          "-1",         "4294967295",
                                          "16", "1073741824", "2147483648", "0xffffffffffffffff",
                                          "33", "65536",      "{",          "18446744073709551616",
                                          "}",  "<",          "[",          "%tid.x"};
    size_t start, end, other, other_end;
    if (!text->length)
        return;
    span_of_token(text, &start, &end);
    span_of_token(text, &other, &other_end);
    switch (random_below(7)) {
    case 0:
        text->data[random_below((uint32_t)text->length)] ^= (char)(1 << random_below(8));
        return;
    case 1:
        replace(text, start, end, "", 0);
        return;
    case 2:
    case 3: {
        cleanup_free char *token = mem_dup(text->data + other, other_end - other + 1);
        replace(text, start, end, token, other_end - other);
        return;
    }
    case 4: {
        size_t at = random_below((uint32_t)text->length);
        while (at < text->length && !isdigit((unsigned char)text->data[at]))
            at++;
        size_t behind = at;
        while (behind < text->length && isdigit((unsigned char)text->data[behind]))
            behind++;
        const char *number = numbers[random_below(ARRAY_LENGTH(numbers))];
        replace(text, at, behind, number, strlen(number));
        return;
    }
    case 5: { /* a line somewhere else */
        const char *line = text->data + start;
        const char *newline = memchr(line, '\n', text->length - start);
        size_t length = newline ? (size_t)(newline - line) + 1 : text->length - start;
        cleanup_free char *copy = mem_dup(line, length + 1);
        const char *target = memchr(text->data + other, '\n', text->length - other);
        size_t at = target ? (size_t)(target - text->data) + 1 : text->length;
        replace(text, at, at, copy, length);
        return;
    }
    default:
        if (random_below(20) == 0)
            replace(text, start, text->length, "", 0);
        else
            replace(text, start, start, numbers[random_below(8)], 1);
        return;
    }
}

int main(int argc, char **argv) {
    unsigned long mutations = 0, executed = 0;
    const char *save = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--mutate") == 0 && i + 1 < argc) {
            mutations = strtoul(argv[++i], NULL, 10);
            continue;
        }
        if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc) {
            state = strtoull(argv[++i], NULL, 10) * 0x9e3779b97f4a7c15u + 1;
            continue;
        }
        if (strcmp(argv[i], "--save") == 0 && i + 1 < argc) {
            save = argv[++i];
            continue;
        }
        struct error error = {0};
        cleanup_free char *data = NULL;
        size_t length;
        if (file_read(argv[i], 8 << 20, &data, &length, &error) != STATUS_OK) {
            fprintf(stderr, "%s\n", error.message);
            return 2;
        }
        if (!mutations) {
            run(data, length);
            executed++;
        }
        for (unsigned long m = 0; m < mutations; m++) {
            cleanup_text struct text text = {0};
            text_append_bytes(&text, data, length);
            for (unsigned changes = 1 + random_below(4); changes > 0; changes--)
                mutate(&text);
            if (save && file_write(save, text_string(&text), text.length, &error) != STATUS_OK)
                return 2;
            run(text_string(&text), text.length);
            executed++;
        }
    }
    printf("%lu texts, none ended the process\n", executed);
    return executed ? 0 : 1;
}
