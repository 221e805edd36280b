/* Comments in the PTX for what the optimiser took out of it.
 *
 * NVRTC warns of a store to constant memory, with its line, and ends the block there with a trap
 * that has no line of its own: it would pass for a failed assert at the line before. The optimiser
 * keeps the order of statements mostly, so that the trap belongs to the first warning at or after
 * the last line before it. A trap of the source is inline assembly and is left as it is. */
#include "sandbox/build/source_notes.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/source_note.h"
#include "sandbox/build/source_text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- lines with a `return` ------------------------------------------------------------------- */

void source_notes_returns(const char *source, struct text *ptx) {
    static const char word[] = "return";
    cleanup_text struct text lines = {0};
    unsigned line = 1, last = 0;
    if (!strstr(text_string(ptx), "bar"))
        return;
    for (const char *at = source; *at;) {
        const char *end = source_skip_no_code(at);
        bool starts = at == source || !text_is_symbol_character(at[-1]);
        if (end == at && starts && strncmp(at, word, sizeof word - 1) == 0 &&
            !text_is_symbol_character(at[sizeof word - 1]) && line != last) {
            text_printf(&lines, " %u", line);
            last = line;
        }
        for (end += end == at; at < end; at++)
            line += *at == '\n';
    }
    text_printf(ptx, "\n" RETURNS_COMMENT "%s\n", text_string(&lines));
}

/* ---- stores to constant memory --------------------------------------------------------------- */

static bool is_store_warning(const struct build_diagnostic *diagnostic) {
    return strstr(diagnostic->text, "Cannot store to pointer that points to constant memory");
}

/* The line of the store whose trap follows `line`; 0: not known. */
static unsigned find_line(const struct build_diagnostic *diagnostics, size_t count,
                          const char *file_name, unsigned line) {
    unsigned best = 0, last = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned at = diagnostics[i].line;
        if (!is_store_warning(&diagnostics[i]) || strcmp(diagnostics[i].file, file_name) != 0)
            continue;
        last = at > last ? at : last;
        best = at >= line && (!best || at < best) ? at : best;
    }
    return best ? best : last;
}

/* The number of the submission's file in .loc; one more than all others where it has none. */
static unsigned find_file(const char *ptx, const char *file_name, bool *found) {
    unsigned number, most = 0;
    char path[1024];
    *found = false;
    for (const char *at = strstr(ptx, "\t.file\t"); at; at = strstr(at + 1, "\t.file\t")) {
        if (sscanf(at, " .file %u \"%1023[^\"\n]", &number, path) != 2)
            continue;
        if (strcmp(file_base_name(path), file_name) == 0) {
            *found = true;
            return number;
        }
        most = number > most ? number : most;
    }
    return most + 1;
}

static bool starts_with(const char *line, const char *prefix) {
    return strncmp(line, prefix, strlen(prefix)) == 0;
}

void source_notes_constant_stores(const struct build_diagnostic *diagnostics, size_t count,
                                  const char *file_name, struct text *ptx) {
    size_t warnings = 0;
    for (size_t i = 0; i < count; i++)
        warnings += is_store_warning(&diagnostics[i]);
    if (!warnings)
        return;
    bool has_file, in_assembly = false, needs_file = false;
    unsigned file = find_file(text_string(ptx), file_name, &has_file), line = 0;
    struct text marked = {0};
    for (const char *at = text_string(ptx), *end; *at; at = end) {
        size_t length = strcspn(at, "\n");
        end = at + length + (at[length] == '\n');
        const char *first = at + strspn(at, " \t");
        unsigned in_file, number;
        if (starts_with(first, "// begin inline asm"))
            in_assembly = true;
        else if (starts_with(first, "// end inline asm"))
            in_assembly = false;
        else if (starts_with(at, ".visible") || starts_with(at, ".func"))
            line = 0;
        else if (sscanf(first, ".loc %u %u", &in_file, &number) == 2 && in_file == file && number)
            line = number;
        else if (starts_with(first, "trap;") && !in_assembly) {
            unsigned store = find_line(diagnostics, count, file_name, line);
            if (store)
                text_printf(&marked, "\t.loc\t%u %u 0\n", file, store);
            text_append(&marked, "\t" CONSTANT_STORE_COMMENT "\n");
            needs_file |= store && !has_file;
        }
        text_append_bytes(&marked, at, (size_t)(end - at));
    }
    if (needs_file)
        text_printf(&marked, "\t.file\t%u \"%s\"\n", file, file_name);
    text_free(ptx);
    *ptx = marked;
}
