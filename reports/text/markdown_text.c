/* The Markdown that statements and pages are written in, for a terminal.
 *
 * A paragraph or an item of a list is gathered line by line and filled again at the terminal's
 * width; lines of Chinese are joined without a space. Code stays as it is. Where there are colours
 * strong text and code lose their marks; without, code keeps its backticks, so that a name can
 * still be told from a word. A table takes the columns it needs; where it is too wide its widest
 * column is filled in lines of its own. */
#include "reports/text/markdown_text.h"

#include "reports/escape.h"
#include "reports/utf8.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { CODE_INDENT = 4, MAX_COLUMNS = 8, NARROWEST_COLUMN = 12 };

struct markdown {
    const struct terminal *t;
    struct text block; /* what has been gathered of a paragraph, an item or a table */
    size_t indent;     /* of the item's first line; its text hangs below the first word */
    size_t hang;       /* columns of the indent and "- " or "1. "; 0: a paragraph */
    bool is_table;
    bool in_list; /* lines that are indented go on with the item */
    bool in_fence, after_blank;
};

/* ---- inline ---------------------------------------------------------------------------------- */

static bool is_space(char c) {
    return c == ' ' || c == '\n' || c == '\0';
}

/* "2 * n" is a product, "*this*" is emphasis: an opening mark stands before a word and after none,
 * and the closing one follows. Gives its place, 0 where there is none. */
static size_t closing(const char *string, size_t at, size_t length, const char *mark) {
    size_t size = strlen(mark);
    bool begins = !at || is_space(string[at - 1]) || string[at - 1] == '(' || string[at - 1] & 0x80;
    if (!begins || is_space(string[at + size]))
        return 0;
    for (size_t i = at + size; i + size <= length; i++) {
        if (string[i] == '`')
            return 0;
        if (strncmp(string + i, mark, size) == 0 && !is_space(string[i - 1]))
            return i;
    }
    return 0;
}

static size_t code_end(const char *string, size_t at, size_t length) {
    const char *end = memchr(string + at + 1, '`', length - at - 1);
    return end ? (size_t)(end - string) : 0;
}

/* Chinese sets no space before strong text: there two asterisks open wherever a pair of them is. */
static size_t strong_end(const char *string, size_t at, size_t length) {
    const char *end = memmem(string + at + 2, length - at - 2, "**", 2);
    return end && !is_space(string[at + 2]) && !is_space(end[-1]) ? (size_t)(end - string) : 0;
}

/* The text with marks for terminal_wrap_marked(). */
static void append_inline(struct text *out, bool color, const char *string, size_t length) {
    cleanup_text struct text escaped = {0};
    escape_terminal(&escaped, string, length, false);
    const char *s = text_string(&escaped);
    size_t strong = 0, emphasis = 0;
    for (size_t i = 0; i < escaped.length; i++) {
        size_t end;
        if (s[i] == '`' && (end = code_end(s, i, escaped.length)) != 0) {
            text_append_char(out, color ? TERMINAL_CODE : '`');
            text_append_bytes(out, s + i + 1, end - i - 1);
            text_append_char(out, color ? TERMINAL_CODE : '`');
            i = end;
        } else if (strong && i == strong) {
            text_append_char(out, TERMINAL_STRONG);
            strong = 0;
            i++;
        } else if (strncmp(s + i, "**", 2) == 0 && !strong && !emphasis &&
                   (strong = strong_end(s, i, escaped.length)) != 0) {
            text_append_char(out, TERMINAL_STRONG);
            i++;
        } else if (emphasis && i == emphasis) {
            text_append_char(out, TERMINAL_STRONG);
            emphasis = 0;
        } else if (s[i] == '*' && s[i + 1] != '*' && !strong && !emphasis &&
                   (emphasis = closing(s, i, escaped.length, "*")) != 0) {
            text_append_char(out, TERMINAL_STRONG);
        } else {
            text_append_char(out, s[i]);
        }
    }
}

/* ---- tables ---------------------------------------------------------------------------------- */

struct table {
    size_t widths[MAX_COLUMNS];
    size_t columns;
};

/* The next cell of a row, without the blanks around it; false at its end. */
static bool next_cell(const char **at, const char *end, const char **cell, size_t *length) {
    if (*at >= end)
        return false;
    *cell = *at;
    while (*at < end && (**at != '|' || (*at > *cell && (*at)[-1] == '\\')))
        ++*at;
    *length = (size_t)(*at - *cell);
    ++*at;
    while (*length && **cell == ' ') {
        ++*cell;
        --*length;
    }
    while (*length && (*cell)[*length - 1] == ' ')
        --*length;
    return true;
}

static const char *row_start(const char *line) {
    return line + (*line == '|');
}

static const char *row_end(const char *line) {
    const char *end = strchrnul(line, '\n');
    while (end > line && (end[-1] == ' ' || end[-1] == '|'))
        end--;
    return end;
}

static bool is_rule(const char *line) {
    size_t length = strcspn(line, "\n");
    return memchr(line, '-', length) && strspn(line, "|-: ") >= length;
}

static struct table measure(const char *rows) {
    struct table table = {0};
    for (const char *line = rows; *line; line = strchrnul(line, '\n') + 1) {
        const char *at = row_start(line), *cell;
        size_t length;
        for (size_t i = 0;
             !is_rule(line) && i < MAX_COLUMNS && next_cell(&at, row_end(line), &cell, &length);
             i++) {
            cleanup_text struct text shown = {0};
            append_inline(&shown, false, cell, length);
            size_t columns = terminal_marked_columns(text_string(&shown), shown.length);
            table.widths[i] = columns > table.widths[i] ? columns : table.widths[i];
            table.columns = i + 1 > table.columns ? i + 1 : table.columns;
        }
        if (!*strchrnul(line, '\n'))
            break;
    }
    return table;
}

/* The widest column gives what is missing. */
static void squeeze(struct table *table, size_t room) {
    size_t total = 0, widest = 0;
    for (size_t i = 0; i < table->columns; i++) {
        total += table->widths[i] + (i ? 2 : 0);
        widest = table->widths[i] > table->widths[widest] ? i : widest;
    }
    if (total <= room)
        return;
    size_t over = total - room, width = table->widths[widest];
    table->widths[widest] = width > over + NARROWEST_COLUMN ? width - over : NARROWEST_COLUMN;
}

/* A row of cells that take several lines: line by line, until none of them has one left. */
static void print_row(const struct terminal *t, enum pen pen, const struct table *table,
                      const char *line) {
    struct text cells[MAX_COLUMNS] = {0};
    const char *at = row_start(line), *cell, *rest[MAX_COLUMNS];
    size_t length, count = 0;
    while (count < table->columns && next_cell(&at, row_end(line), &cell, &length)) {
        cleanup_text struct text marked = {0};
        const struct terminal narrow = {.out = &cells[count],
                                        .width = (unsigned)table->widths[count]};
        append_inline(&marked, false, cell, length);
        terminal_wrap_marked(&narrow, PEN_PLAIN, text_string(&marked), marked.length, 0, 0);
        rest[count] = text_string(&cells[count]);
        count++;
    }
    for (bool more = true; more;) {
        more = false;
        terminal_indent(t, 2);
        for (size_t i = 0; i < count; i++) {
            size_t size = strcspn(rest[i], "\n");
            cleanup_free char *shown = mem_strndup(rest[i], size);
            terminal_printf(t, pen, "%s", shown);
            size_t used = utf8_columns(shown, size);
            if (i + 1 < count)
                terminal_indent(t, table->widths[i] -
                                       (used < table->widths[i] ? used : table->widths[i]) + 2);
            rest[i] += size + (rest[i][size] != '\0');
            more |= *rest[i] != '\0';
        }
        text_append_char(t->out, '\n');
    }
    for (size_t i = 0; i < count; i++)
        text_free(&cells[i]);
}

static void print_rule(const struct terminal *t, const struct table *table) {
    terminal_indent(t, 2);
    for (size_t i = 0; i < table->columns; i++) {
        terminal_indent(t, i ? 2 : 0);
        for (size_t j = 0; j < table->widths[i]; j++)
            terminal_print(t, PEN_PLAIN, "\u2500");
    }
    text_append_char(t->out, '\n');
}

static void print_table(const struct terminal *t, const char *rows) {
    struct table table = measure(rows);
    squeeze(&table, t->width > 2 ? t->width - 2 : t->width);
    bool head = true;
    for (const char *line = rows; *line;) {
        const char *end = strchrnul(line, '\n');
        if (is_rule(line))
            print_rule(t, &table);
        else
            print_row(t, head ? PEN_BOLD : PEN_PLAIN, &table, line);
        head = false;
        line = *end ? end + 1 : end;
    }
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void flush(struct markdown *m) {
    if (!m->block.length)
        return;
    if (m->is_table) {
        print_table(m->t, text_string(&m->block));
    } else {
        cleanup_text struct text marked = {0};
        append_inline(&marked, m->t->color, m->block.data, m->block.length);
        terminal_indent(m->t, m->indent);
        terminal_wrap_marked(m->t, PEN_PLAIN, text_string(&marked), marked.length, m->indent,
                             m->hang);
    }
    text_clear(&m->block);
    m->is_table = false;
    m->indent = m->hang = 0;
}

static uint32_t last_code(const struct text *text) {
    size_t at = text->length;
    while (at && ((unsigned char)text->data[at - 1] & 0xc0) == 0x80)
        at--;
    return at ? utf8_decode(text->data + at - 1, text->length - at + 1).code : 0;
}

/* A line goes on with the block. */
static void gather(struct markdown *m, const char *line, size_t length) {
    if (m->block.length && m->is_table) {
        text_append_char(&m->block, '\n');
    } else if (m->block.length && length) {
        uint32_t before = last_code(&m->block), after = utf8_decode(line, length).code;
        bool wide = utf8_width(before) == 2 && utf8_width(after) == 2;
        bool punctuation =
            before >= 0x3000 && utf8_width(before) == 2 && (before < 0x3040 || before >= 0xff00);
        if (!wide && !punctuation)
            text_append_char(&m->block, ' ');
    }
    text_append_bytes(&m->block, line, length);
}

/* Columns of "- " or "12. " at the start of a line; 0: it begins no item. */
static size_t item_marker(const char *line, size_t length) {
    size_t digits = 0;
    if (length > 2 && (line[0] == '-' || line[0] == '*') && line[1] == ' ')
        return 2;
    while (digits < length && line[digits] >= '0' && line[digits] <= '9')
        digits++;
    bool item = digits > 0 && digits < 4 && digits + 1 < length && line[digits] == '.' &&
                line[digits + 1] == ' ';
    return item ? digits + 2 : 0;
}

static void print_code(const struct markdown *m, const char *line, size_t length) {
    terminal_indent(m->t, length ? CODE_INDENT : 0);
    terminal_foreign_bytes(m->t, PEN_CYAN, line, length);
    text_append_char(m->t->out, '\n');
}

static void print_heading(struct markdown *m, const char *line, size_t length) {
    size_t level = strspn(line, "#");
    cleanup_text struct text marked = {0};
    append_inline(&marked, false, line + level + 1, length - level - 1);
    flush(m);
    terminal_wrap_marked(m->t, PEN_BOLD, text_string(&marked), marked.length, 0, 0);
    if (level > 1)
        return;
    size_t columns = terminal_marked_columns(text_string(&marked), marked.length);
    for (size_t i = 0; i < columns && i < m->t->width; i++)
        terminal_print(m->t, PEN_DIM, "\u2550");
    text_append_char(m->t->out, '\n');
}

static bool is_heading(const char *line, size_t length) {
    size_t level = strspn(line, "#");
    return level > 0 && level <= 6 && level + 1 < length && line[level] == ' ';
}

static void take_text(struct markdown *m, const char *line, size_t length) {
    size_t spaces = 0;
    while (spaces < length && line[spaces] == ' ')
        spaces++;
    size_t marker = item_marker(line + spaces, length - spaces);
    if (spaces >= CODE_INDENT && !m->in_list && !m->block.length) {
        print_code(m, line + CODE_INDENT, length - CODE_INDENT);
        return;
    }
    if (marker && (m->in_list || !m->block.length || m->hang)) {
        flush(m);
        m->in_list = true;
        m->indent = spaces;
        m->hang = spaces + marker;
    } else if (line[spaces] == '|' && !m->block.length) {
        m->is_table = true;
    } else if (spaces == 0 && m->after_blank) {
        m->in_list = false;
    } else if (m->in_list && !m->block.length) { /* a further paragraph of an item */
        m->indent = m->hang = spaces;
    }
    gather(m, line + spaces, length - spaces);
}

static void take_line(struct markdown *m, const char *line, size_t length) {
    if (length && line[length - 1] == '\r')
        length--;
    if (strncmp(line, "```", 3) == 0) {
        flush(m);
        m->in_fence = !m->in_fence;
    } else if (m->in_fence) {
        print_code(m, line, length);
    } else if (strspn(line, " ") >= length) {
        flush(m);
        text_append_char(m->t->out, '\n');
        m->after_blank = true;
        return;
    } else if (is_heading(line, length)) {
        m->in_list = false;
        print_heading(m, line, length);
    } else {
        take_text(m, line, length);
    }
    m->after_blank = false;
}

void markdown_text(const struct terminal *t, const char *markdown) {
    struct markdown m = {.t = t, .after_blank = true};
    for (const char *line = markdown; *line;) {
        const char *end = strchrnul(line, '\n');
        take_line(&m, line, (size_t)(end - line));
        line = *end ? end + 1 : end;
    }
    flush(&m);
    text_free(&m.block);
}
