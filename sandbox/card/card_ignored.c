/* Does the program read what a call returns? An error that nobody looked at is a finding only where
 * that is certain: where the instructions after the call overwrite the result, %eax, before
 * anything has read it. A function that returns it as it is hands the question to its own caller.
 *
 * objdump(1) takes the program apart, in a jail; here its text is read, which is hostile. What is
 * not understood counts as read. */
#include "sandbox/card/card_lines.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"
#include "sandbox/isolation/jail.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char reader[] = "/usr/bin/objdump";

static const struct jail_limits limits = {
    .wall_seconds = 20, .memory_bytes = (uint64_t)1 << 30, .output_bytes = 1 << 20};

enum { AFTER = 96 /* bytes that are looked at */ };

static bool names_result(const char *text, const char *end) {
    static const char *const names[] = {"%eax", "%rax", "%ax", "%al", "%ah"};
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
        const char *found = memmem(text, (size_t)(end - text), names[i], strlen(names[i]));
        if (found && !isalnum((unsigned char)found[strlen(names[i])]))
            return true;
    }
    return false;
}

static bool starts_with(const char *text, const char *end, const char *start) {
    size_t length = strlen(start);
    return (size_t)(end - text) >= length && memcmp(text, start, length) == 0;
}

/* Those that read no register but those they name. */
static bool is_plain(const char *text, const char *end) {
    static const char *const plain[] = {
        "mov", "lea", "push", "pop", "add", "sub",  "xor",   "and", "or",    "test",   "cmp",
        "shl", "shr", "sar",  "inc", "dec", "pxor", "leave", "nop", "endbr", "cs nop", "data16"};
    for (size_t i = 0; i < ARRAY_LENGTH(plain); i++)
        if (starts_with(text, end, plain[i]))
            return true;
    return false;
}

/* Is the last operand all of the result, and does nothing before it name it? */
static bool overwrites(const char *text, const char *end) {
    const char *last = memrchr(text, ',', (size_t)(end - text));
    if (starts_with(text, end, "xor    %eax,%eax"))
        return true;
    return last && (starts_with(last, end, ",%eax") || starts_with(last, end, ",%rax")) &&
           end - last == 5 && !names_result(text, last) &&
           (starts_with(text, end, "mov") || starts_with(text, end, "lea"));
}

enum result_use result_use_of(const char *text, size_t length) {
    const char *end = text + length, *comment = memchr(text, '#', length);
    end = comment ? comment : end;
    while (end > text && isspace((unsigned char)end[-1]))
        end--;
    bool names = names_result(text, end);
    if (starts_with(text, end, "call"))
        return names ? RESULT_READ : RESULT_LOST;
    if (starts_with(text, end, "ret"))
        return RESULT_RETURNED;
    if (names)
        return overwrites(text, end) ? RESULT_LOST : RESULT_READ;
    return is_plain(text, end) ? RESULT_KEPT : RESULT_READ;
}

/* "    1234:<tab>mov    %eax,%ebx": the first one that decides. */
enum result_use result_use_in(const char *text, size_t length) {
    const char *end = text + length;
    while (text < end) {
        const char *line_end = memchr(text, '\n', (size_t)(end - text));
        line_end = line_end ? line_end : end;
        const char *tab = memchr(text, '\t', (size_t)(line_end - text));
        bool is_instruction = tab && tab > text && tab[-1] == ':' && isspace((unsigned char)*text);
        enum result_use use =
            is_instruction ? result_use_of(tab + 1, (size_t)(line_end - tab - 1)) : RESULT_KEPT;
        if (use != RESULT_KEPT)
            return use;
        text = line_end < end ? line_end + 1 : end;
    }
    return RESULT_READ;
}

/* From the address on to which the call returns. */
static enum result_use use_after(const char *program, uint64_t address) {
    char start[48], stop[48];
    const char *const argv[] = {reader, "-d", "--no-show-raw-insn", start, stop, program, NULL};
    const char *const shown[] = {program, NULL};
    snprintf(start, sizeof start, "--start-address=0x%" PRIx64, address);
    snprintf(stop, sizeof stop, "--stop-address=0x%" PRIx64, address + AFTER);
    const struct jail_spec spec = {.profile = JAIL_HOST_CODE,
                                   .program = reader,
                                   .argv = argv,
                                   .request = "",
                                   .data_fd = -1,
                                   .shown = shown,
                                   .limits = limits};
    struct jail_result result;
    struct error error;
    enum result_use use = RESULT_READ;
    if (jail_run(&spec, &result, &error) == STATUS_OK)
        use = result_use_in(text_string(&result.response), result.response.length);
    jail_result_free(&result);
    return use;
}

static bool is_ignored(const char *program, const struct named_site *site) {
    enum result_use use = RESULT_RETURNED;
    for (size_t i = 0; i < site->count && use == RESULT_RETURNED; i++)
        use = use_after(program, site->frames[i] + 1); /* a frame is its call's last byte */
    return use == RESULT_LOST;
}

static bool stands(const char *program, const struct named_site *sites, size_t site_count,
                   const struct hazard *hazard) {
    for (size_t i = 0; i < site_count; i++)
        if (sites[i].number == hazard->site)
            return is_ignored(program, &sites[i]);
    return false;
}

size_t hazards_ignored(const char *program, const struct named_site *sites, size_t site_count,
                       struct hazard *hazards, size_t hazard_count) {
    enum { MOST = 16 }; /* objdump takes 20 ms */
    bool is_there = access(reader, X_OK) == 0;
    size_t kept = 0, asked = 0;
    for (size_t i = 0; i < hazard_count; i++) {
        bool asks = hazards[i].unless_read;
        if (asks &&
            (!is_there || asked++ >= MOST || !stands(program, sites, site_count, &hazards[i])))
            continue;
        hazards[kept++] = hazards[i];
    }
    return kept;
}
