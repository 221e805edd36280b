/* A student's text as a message (RFC 5322), to be sent or to be opened in a mail program.
 *
 * Headers are where a name could add a header or a second receiver. So an address is taken only
 * where it is a plain one (a dot-atom, RFC 5322 3.4.1, in ASCII), and a name or a subject that is
 * more than letters, digits and spaces is an encoded word (RFC 2047), of which every byte that
 * could end a line or a quoted string is written as a number. The body is quoted-printable
 * (RFC 2045 6.7): ASCII in lines of at most 76. */
#include "reports/class/class_text.h"

#include "sandbox/base/decimal.h"

#include <ctype.h>
#include <string.h>
#include <time.h>

enum {
    MOST_ADDRESS = 254, /* RFC 5321 4.5.3.1.3, without the brackets */
    MOST_LOCAL = 64,
    MOST_WORD =
        45, /* bytes of text in an encoded word: with "Subject: " its line has less than 76 */
    MOST_HEADER_COLUMNS = 60,
    MOST_LINE = 76,
};

/* ---- addresses ------------------------------------------------------------------------------- */

static bool is_dot_atom(const char *string, size_t length, const char *others) {
    if (!length || string[0] == '.' || string[length - 1] == '.')
        return false;
    for (size_t i = 0; i < length; i++) {
        bool plain = (string[i] >= '0' && string[i] <= '9') ||
                     (string[i] >= 'a' && string[i] <= 'z') ||
                     (string[i] >= 'A' && string[i] <= 'Z');
        if (!plain && !strchr(others, string[i]))
            return false;
        if (string[i] == '.' && string[i + 1] == '.')
            return false;
    }
    return true;
}

static bool is_address(const char *address) {
    const char *at = class_is_set(address) ? strrchr(address, '@') : NULL;
    if (!at || strlen(address) > MOST_ADDRESS || at - address > MOST_LOCAL)
        return false;
    return is_dot_atom(address, (size_t)(at - address), ".!#$%&'*+/=?^_`{|}~-") && at[1] != '-' &&
           is_dot_atom(at + 1, strlen(at + 1), ".-");
}

/* ---- headers --------------------------------------------------------------------------------- */

static bool is_plain(const char *string) {
    size_t length = strlen(string);
    bool spaced = length && (string[0] == ' ' || string[length - 1] == ' ');
    for (const char *c = string; *c; c++)
        if (!(isalnum((unsigned char)*c) && (unsigned char)*c < 0x80) && *c != ' ')
            return false;
    return length && length <= MOST_WORD && !spaced;
}

static size_t encoded_length(unsigned char byte) {
    return isalnum(byte) && byte < 0x80 ? 1 : byte == ' ' ? 1 : 3;
}

static void append_encoded(struct text *out, unsigned char byte) {
    if (byte == ' ')
        text_append_char(out, '_');
    else if (encoded_length(byte) == 1)
        text_append_char(out, (char)byte);
    else
        text_printf(out, "=%02X", byte);
}

/* Bytes of the character that begins here; the string is valid UTF-8. */
static size_t character_bytes(const char *string) {
    size_t length = 1;
    while (((unsigned char)string[length] & 0xc0) == 0x80)
        length++;
    return length;
}

static size_t word_bytes(const char *string, size_t length) {
    size_t bytes = 0;
    for (size_t i = 0; i < length; i++)
        bytes += encoded_length((unsigned char)string[i]);
    return bytes;
}

/* As many encoded words as it takes, one a line; none ends within a character. */
static void append_words(struct text *out, const char *string) {
    if (is_plain(string)) {
        text_append(out, string);
        return;
    }
    for (size_t used = 0; *string; used = 0) {
        text_append(out, "=?UTF-8?Q?");
        while (*string) {
            size_t length = character_bytes(string), bytes = word_bytes(string, length);
            if (used && used + bytes > MOST_WORD)
                break;
            used += bytes;
            for (; length; length--)
                append_encoded(out, (unsigned char)*string++);
        }
        text_append(out, *string ? "?=\r\n " : "?=");
    }
}

static void append_foreign(struct text *out, const char *string) {
    cleanup_text struct text line = {0};
    class_text_foreign(&line, string, MOST_HEADER_COLUMNS);
    append_words(out, text_string(&line));
}

static void write_subject(const struct class_report *report, const struct class_student *student,
                          struct text *out) {
    cleanup_text struct text course = {0}, subject = {0};
    if (class_is_set(report->course))
        class_text_foreign(&course, report->course, MOST_HEADER_COLUMNS);
    else
        class_fill(report->language, &course, CLASS_SAY_NO_NAME, NULL);
    class_fill(report->language, &subject,
               student->max_total > 0 ? CLASS_SAY_MAIL_SUBJECT_TOTAL : CLASS_SAY_MAIL_SUBJECT,
               text_string(&course), decimal_points(student->total).text,
               decimal_points(student->max_total).text, NULL);
    text_append(out, "Subject: ");
    append_words(out, text_string(&subject));
    text_append(out, "\r\n");
}

/* Names of days and months are English in every language (RFC 5322 3.3). */
static void write_date(struct class_time time, struct text *out) {
    static const char days[] = "SunMonTueWedThuFriSat",
                      months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    cleanup_text struct text shown = {0};
    class_append_time(&shown, time);
    if (!shown.length)
        return;
    struct tm parts;
    time_t utc = (time_t)time.at;
    gmtime_r(&utc, &parts);
    text_printf(out, "Date: %.3s, %d %.3s %d %02d:%02d:%02d +0000\r\n", days + 3 * parts.tm_wday,
                parts.tm_mday, months + 3 * parts.tm_mon, parts.tm_year + 1900, parts.tm_hour,
                parts.tm_min, parts.tm_sec);
}

/* ---- the body -------------------------------------------------------------------------------- */

/* What a server could take for something else at the beginning of a line is none, nor a space that
 * one could cut off at its end. */
static bool is_literal(const char *at, size_t column, bool ends_line) {
    if (column == 0 && (*at == '.' || strncmp(at, "From ", 5) == 0))
        return false;
    return *at >= ' ' && *at <= '~' && *at != '=' && !(*at == ' ' && ends_line);
}

static void append_body(struct text *out, const char *body) {
    size_t column = 0;
    for (const char *c = body; *c; c++) {
        if (*c == '\n') {
            text_append(out, "\r\n");
            column = 0;
            continue;
        }
        bool ends_line = c[1] == '\n' || !c[1];
        size_t most =
            (size_t)MOST_LINE - !ends_line; /* with room for the = of a line that goes on */
        bool literal = is_literal(c, column, ends_line);
        if (column + (literal ? 1 : 3) > most) {
            text_append(out, "=\r\n");
            column = 0;
            literal = is_literal(c, column, ends_line);
        }
        if (literal)
            text_append_char(out, *c);
        else
            text_printf(out, "=%02X", (unsigned)(unsigned char)*c);
        column += literal ? 1 : 3;
    }
}

bool class_report_mail(const struct class_report *report, size_t student, const char *sender,
                       struct text *out) {
    const struct class_student *row = &report->students[student];
    cleanup_text struct text body = {0};
    if (!is_address(row->mail))
        return false;
    if (is_address(sender))
        text_printf(out, "From: %s\r\n", sender);
    text_append(out, "To: ");
    append_foreign(out, class_student_name(row));
    text_printf(out, "\r\n <%s>\r\n", row->mail);
    write_subject(report, row, out);
    write_date(report->made, out);
    text_append(out, "MIME-Version: 1.0\r\n"
                     "Content-Type: text/plain; charset=utf-8\r\n"
                     "Content-Transfer-Encoding: quoted-printable\r\n"
                     "X-Unsent: 1\r\n\r\n"); /* mail programs open it as a draft */
    class_report_student(report, student, &body);
    append_body(out, text_string(&body));
    return true;
}
