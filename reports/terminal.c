/* The pens and the paragraph filler of everything that a person reads in a terminal.
 *
 * Untrusted text is escaped first and measured afterwards, so that widths count what is really
 * shown. A pen is switched off again after each piece, and never spans a newline: a pager or a log
 * that shows half of the output stays readable. Colours are the sixteen that every theme defines.
 */
#include "reports/terminal.h"

#include "reports/escape.h"
#include "reports/utf8.h"

#include <string.h>

static const char *const pens[PEN_COUNT] = {
    [PEN_BOLD] = "\x1b[1m",           [PEN_DIM] = "\x1b[2m",
    [PEN_RED] = "\x1b[31m",           [PEN_GREEN] = "\x1b[32m",
    [PEN_YELLOW] = "\x1b[33m",        [PEN_CYAN] = "\x1b[36m",
    [PEN_BOLD_RED] = "\x1b[1;31m",    [PEN_BOLD_GREEN] = "\x1b[1;32m",
    [PEN_BOLD_YELLOW] = "\x1b[1;33m",
};

static void pen_down(const struct terminal *t, enum pen pen) {
    if (t->color && pens[pen])
        text_append(t->out, pens[pen]);
}

static void pen_up(const struct terminal *t, enum pen pen) {
    if (t->color && pens[pen])
        text_append(t->out, "\x1b[0m");
}

/* A pen is put down again for each line. */
static void print_lines(const struct terminal *t, enum pen pen, const char *string) {
    while (*string) {
        size_t length = strcspn(string, "\n");
        if (length) {
            pen_down(t, pen);
            text_append_bytes(t->out, string, length);
            pen_up(t, pen);
        }
        string += length;
        if (*string) {
            text_append_char(t->out, '\n');
            string++;
        }
    }
}

void terminal_print(const struct terminal *t, enum pen pen, const char *string) {
    print_lines(t, pen, string);
}

void terminal_printf(const struct terminal *t, enum pen pen, const char *format, ...) {
    cleanup_text struct text text = {0};
    va_list arguments;
    va_start(arguments, format);
    text_vprintf(&text, format, arguments);
    va_end(arguments);
    print_lines(t, pen, text_string(&text));
}

void terminal_foreign_bytes(const struct terminal *t, enum pen pen, const char *string,
                            size_t length) {
    pen_down(t, pen);
    escape_terminal(t->out, string, length, true);
    pen_up(t, pen);
}

void terminal_foreign(const struct terminal *t, enum pen pen, const char *string) {
    if (string)
        terminal_foreign_bytes(t, pen, string, strlen(string));
}

size_t terminal_columns(const char *string) {
    cleanup_text struct text escaped = {0};
    escape_terminal(&escaped, string, strlen(string), true);
    return utf8_columns(text_string(&escaped), escaped.length);
}

void terminal_indent(const struct terminal *t, size_t columns) {
    text_append_repeated(t->out, ' ', columns);
}

void terminal_cell(const struct terminal *t, enum pen pen, const char *string, unsigned columns) {
    cleanup_text struct text escaped = {0};
    escape_terminal(&escaped, string, strlen(string), true);
    const char *data = text_string(&escaped);
    size_t used = utf8_columns(data, escaped.length), end = escaped.length;
    if (used > columns) {
        end = used = 0;
        while (end < escaped.length) {
            struct utf8_char c = utf8_decode(data + end, escaped.length - end);
            if (used + utf8_width(c.code) + 1 > columns)
                break;
            used += utf8_width(c.code);
            end += c.length;
        }
    }
    pen_down(t, pen);
    text_append_bytes(t->out, data, end);
    if (end < escaped.length) {
        text_append(t->out, "\u2026");
        used++;
    }
    pen_up(t, pen);
    terminal_indent(t, columns > used ? columns - used : 0);
}

void terminal_cut(const struct terminal *t, enum pen pen, const char *string, unsigned columns) {
    size_t needed = terminal_columns(string);
    terminal_cell(t, pen, string, needed < columns ? (unsigned)needed : columns);
}

void terminal_path_cell(const struct terminal *t, enum pen pen, const char *path,
                        unsigned columns) {
    cleanup_text struct text escaped = {0};
    escape_terminal(&escaped, path, strlen(path), true);
    const char *data = text_string(&escaped);
    size_t used = utf8_columns(data, escaped.length), start = 0;
    bool cut = used > columns;
    while (cut && start < escaped.length && used + 1 > columns) {
        struct utf8_char c = utf8_decode(data + start, escaped.length - start);
        used -= utf8_width(c.code);
        start += c.length;
    }
    pen_down(t, pen);
    text_append(t->out, cut ? "\u2026" : "");
    text_append_bytes(t->out, data + start, escaped.length - start);
    pen_up(t, pen);
    used += cut;
    terminal_indent(t, columns > used ? columns - used : 0);
}

/* The state of filling a paragraph. A piece is what must not be broken: a word, coordinates, code,
 * or one wide character with the punctuation that may not begin a line. */
struct filler {
    const struct terminal *t;
    enum pen pen;  /* of the paragraph */
    enum pen down; /* the one that writes now */
    size_t column, indent;
    size_t spaces; /* between the last piece and the next one */
    bool line_empty;
    bool in_code, strong;
};

static void filler_use(struct filler *f, enum pen pen) {
    if (f->down == pen)
        return;
    pen_up(f->t, f->down);
    pen_down(f->t, pen);
    f->down = pen;
}

static void filler_break(struct filler *f) {
    filler_use(f, PEN_PLAIN);
    text_append_char(f->t->out, '\n');
    terminal_indent(f->t, f->indent);
    f->column = f->indent;
    f->spaces = 0;
    f->line_empty = true;
}

static bool is_mark(char c) {
    return c == TERMINAL_STRONG || c == TERMINAL_CODE;
}

size_t terminal_marked_columns(const char *data, size_t length) {
    size_t marks = 0;
    for (size_t i = 0; i < length; i++)
        marks += is_mark(data[i]);
    return utf8_columns(data, length) - marks;
}

static enum pen filler_pen(const struct filler *f) {
    return f->in_code ? PEN_CYAN : f->strong ? PEN_BOLD : f->pen;
}

static void filler_put(struct filler *f, const char *piece, size_t length) {
    size_t columns = terminal_marked_columns(piece, length);
    if (!f->line_empty && f->column + f->spaces + columns > f->t->width)
        filler_break(f);
    terminal_indent(f->t, f->spaces);
    for (size_t i = 0; i < length; i++) {
        if (piece[i] == TERMINAL_STRONG) {
            f->strong = !f->strong;
            continue;
        }
        if (piece[i] == '`' || piece[i] == TERMINAL_CODE)
            f->in_code = !f->in_code;
        if (piece[i] == TERMINAL_CODE)
            continue;
        filler_use(f, piece[i] == '`' ? f->pen : filler_pen(f));
        text_append_char(f->t->out, piece[i]);
    }
    f->column += f->spaces + columns;
    f->spaces = 0;
    f->line_empty = false;
}

/* Closing punctuation of East Asian text, which may not begin a line. */
static bool sticks_to_previous(uint32_t code) {
    return code == 0x3001 || code == 0x3002 || code == 0xff0c || code == 0xff1a || code == 0xff1b ||
           code == 0xff01 || code == 0xff1f || code == 0xff09 || code == 0x300d || code == 0x300f ||
           code == 0x201d;
}

/* Coordinates and commands read badly in two halves: "(0, 0, 0)" and `warpgrade explain trap`. */
static size_t unbroken_length(const char *string, size_t length) {
    size_t most = length < 60 ? length : 60;
    if (string[0] == '(')
        for (size_t i = 1; i < most && strchr("0123456789, )", string[i]); i++)
            if (string[i] == ')')
                return i + 1;
    if (string[0] == '`' || string[0] == TERMINAL_CODE)
        for (size_t i = 1; i < most && string[i] != '\n'; i++)
            if (string[i] == string[0])
                return i + 1;
    return 0;
}

static size_t piece_length(const char *string, size_t length) {
    size_t i = unbroken_length(string, length);
    bool ends = false; /* only what may not begin a line belongs to it, too */
    while (i < length && string[i] != ' ' && string[i] != '\n' && string[i] != '\t') {
        struct utf8_char c = utf8_decode(string + i, length - i);
        bool sticks = sticks_to_previous(c.code), wide = utf8_width(c.code) == 2;
        if (!sticks && (ends || (wide && i > 0)))
            break;
        i += c.length;
        ends |= sticks || wide;
    }
    return i;
}

void terminal_wrap_marked(const struct terminal *t, enum pen pen, const char *data, size_t length,
                          size_t column, size_t indent) {
    while (length && (data[length - 1] == '\n' || data[length - 1] == ' '))
        length--;
    struct filler f = {.t = t, .pen = pen, .column = column, .indent = indent, .line_empty = true};
    for (size_t i = 0; i < length;) {
        if (data[i] == '\n') {
            filler_break(&f);
            i++;
        } else if (data[i] == ' ' || data[i] == '\t') {
            f.spaces++;
            i++;
        } else {
            size_t piece = piece_length(data + i, length - i);
            filler_put(&f, data + i, piece);
            i += piece;
        }
    }
    filler_use(&f, PEN_PLAIN);
    text_append_char(t->out, '\n');
}

void terminal_wrap(const struct terminal *t, enum pen pen, const char *string, size_t column,
                   size_t indent) {
    cleanup_text struct text escaped = {0};
    escape_terminal(&escaped, string, strlen(string), false);
    terminal_wrap_marked(t, pen, text_string(&escaped), escaped.length, column, indent);
}
