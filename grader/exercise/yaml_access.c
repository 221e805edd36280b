/* The accessors of yaml.h: types, ranges and key names, with errors that say what was expected.
 *
 * YAML 1.1 would read `yes`, `010` and `1:30` as a boolean, eight and ninety. Here a boolean is
 * true or false, an integer is decimal without leading zeros, and everything else is refused by
 * name. */
#include "grader/exercise/yaml.h"
#include "sandbox/base/decimal.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum status yaml_error(const struct yaml_document *document, const struct yaml_node *node,
                       struct error *error, const char *format, ...) {
    if (!error)
        return STATUS_INVALID;
    *error = (struct error){0};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    if (node)
        error_place(error, document->file, node->line, node->column, document->source,
                    document->source_length);
    else
        error_place(error, document->file, 0, 0, NULL, 0);
    return STATUS_INVALID;
}

bool yaml_is_nothing(const struct yaml_node *node) {
    return node->kind == YAML_SCALAR && node->plain &&
           (node->text[0] == '\0' || strcmp(node->text, "~") == 0 ||
            strcmp(node->text, "null") == 0);
}

const char *yaml_describe(const struct yaml_node *node, char buffer[YAML_DESCRIPTION_BYTES]) {
    if (node->kind == YAML_SEQUENCE)
        return "a list";
    if (node->kind == YAML_MAPPING)
        return "a mapping of keys to values";
    if (yaml_is_nothing(node))
        return "nothing";
    /* Cut at the end of a line and never inside a UTF-8 character. */
    size_t length = strcspn(node->text, "\n");
    const size_t room = YAML_DESCRIPTION_BYTES - 32;
    bool cut = node->text[length] != '\0';
    if (length > room) {
        length = room;
        cut = true;
        while (length && ((unsigned char)node->text[length] & 0xc0) == 0x80)
            length--;
    }
    snprintf(buffer, YAML_DESCRIPTION_BYTES, "%s\"%.*s%s\"", node->plain ? "" : "the quoted text ",
             (int)length, node->text, cut ? "..." : "");
    return buffer;
}

const struct yaml_node *yaml_get(const struct yaml_node *mapping, const char *key) {
    if (!mapping || mapping->kind != YAML_MAPPING)
        return NULL;
    for (size_t i = 0; i < mapping->count; i++)
        if (strcmp(mapping->keys[i]->text, key) == 0)
            return mapping->items[i];
    return NULL;
}

enum status yaml_expect(const struct yaml_document *document, const struct yaml_node *node,
                        enum yaml_kind kind, const char *what, struct error *error) {
    static const char *const names[] = {"a single value", "a list", "a mapping of keys to values"};
    char found[YAML_DESCRIPTION_BYTES];
    if (node->kind == kind && !(kind == YAML_SCALAR && yaml_is_nothing(node)))
        return STATUS_OK;
    return yaml_error(document, node, error, "%s: expected %s, found %s", what, names[kind],
                      yaml_describe(node, found));
}

enum status yaml_require(const struct yaml_document *document, const struct yaml_node *mapping,
                         const char *what, const char *key, const struct yaml_node **value,
                         struct error *error) {
    enum status status = yaml_expect(document, mapping, YAML_MAPPING, what, error);
    if (status != STATUS_OK)
        return status;
    *value = yaml_get(mapping, key);
    if (*value)
        return STATUS_OK;
    return yaml_error(document, mapping, error, "%s: the key %s is missing", what, key);
}

enum status yaml_check_keys(const struct yaml_document *document, const struct yaml_node *mapping,
                            const char *what, const char *const *names, size_t name_count,
                            struct error *error) {
    enum status status = yaml_expect(document, mapping, YAML_MAPPING, what, error);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < mapping->count; i++) {
        const struct yaml_node *key = mapping->keys[i];
        bool known = false;
        for (size_t j = 0; j < name_count && !known; j++)
            known = strcmp(key->text, names[j]) == 0;
        if (known)
            continue;
        status = yaml_error(document, key, error, "%s: unknown key %.80s", what, key->text);
        const char *closest = text_closest(key->text, names, name_count);
        if (closest) {
            error_hint(error, "did you mean %s?", closest);
            return status;
        }
        struct text list = {0};
        for (size_t j = 0; j < name_count; j++)
            text_printf(&list, "%s%s", j ? ", " : "", names[j]);
        error_hint(error, "known keys: %s", text_string(&list));
        text_free(&list);
        return status;
    }
    return STATUS_OK;
}

enum status yaml_string(const struct yaml_document *document, const struct yaml_node *node,
                        const char *what, const char **value, struct error *error) {
    char found[YAML_DESCRIPTION_BYTES];
    if (node->kind != YAML_SCALAR || yaml_is_nothing(node))
        return yaml_error(document, node, error, "%s: expected text, found %s", what,
                          yaml_describe(node, found));
    *value = node->text;
    return STATUS_OK;
}

/* Decimal digits with single underscores between them, no leading zero. */
static bool parse_integer(const char *text, int64_t *value) {
    char digits[32];
    size_t length = 0;
    const char *next = text;
    if (*next == '-' || *next == '+')
        digits[length++] = *next++;
    if (*next < '0' || *next > '9' || (next[0] == '0' && next[1] != '\0'))
        return false;
    for (; *next; next++) {
        if (*next == '_' && next[1] >= '0' && next[1] <= '9')
            continue;
        if (*next < '0' || *next > '9' || length + 1 >= sizeof digits)
            return false;
        digits[length++] = *next;
    }
    digits[length] = '\0';
    errno = 0;
    *value = strtoll(digits, NULL, 10);
    return errno == 0;
}

enum status yaml_integer(const struct yaml_document *document, const struct yaml_node *node,
                         const char *what, int64_t minimum, int64_t maximum, int64_t *value,
                         struct error *error) {
    char found[YAML_DESCRIPTION_BYTES];
    int64_t parsed;
    if (node->kind == YAML_SCALAR && node->plain && parse_integer(node->text, &parsed) &&
        parsed >= minimum && parsed <= maximum) {
        *value = parsed;
        return STATUS_OK;
    }
    char range[64];
    if (minimum == INT64_MIN && maximum == INT64_MAX)
        snprintf(range, sizeof range, "a whole number");
    else if (maximum == INT64_MAX)
        snprintf(range, sizeof range, "a whole number of at least %" PRId64, minimum);
    else
        snprintf(range, sizeof range, "a whole number from %" PRId64 " to %" PRId64, minimum,
                 maximum);
    enum status status = yaml_error(document, node, error, "%s: expected %s, found %s", what, range,
                                    yaml_describe(node, found));
    if (node->kind == YAML_SCALAR && !node->plain && parse_integer(node->text, &parsed))
        error_hint(error, "Remove the quotes: a quoted value is text.");
    return status;
}

static bool parse_number(const char *text, double *value) {
    /* strtod alone would also take "inf", "nan", "0x1p3" and leading blanks. */
    if (text[0] == '\0' || text[strspn(text, "+-.0123456789eE")] != '\0')
        return false;
    char *end;
    *value = strtod(text, &end);
    return *end == '\0' && isfinite(*value);
}

enum status yaml_number(const struct yaml_document *document, const struct yaml_node *node,
                        const char *what, double minimum, double maximum, double *value,
                        struct error *error) {
    char found[YAML_DESCRIPTION_BYTES];
    double parsed;
    int64_t integer;
    if (node->kind == YAML_SCALAR && node->plain) {
        bool valid = parse_number(node->text, &parsed);
        if (!valid && parse_integer(node->text, &integer)) { /* 1_000 */
            parsed = (double)integer;
            valid = true;
        }
        if (valid && parsed >= minimum && parsed <= maximum) {
            *value = parsed;
            return STATUS_OK;
        }
    }
    char range[128];
    if (minimum == -INFINITY && maximum == INFINITY)
        snprintf(range, sizeof range, "a number");
    else if (maximum == INFINITY)
        snprintf(range, sizeof range, "a number of at least %s", decimal(minimum, 9).text);
    else
        snprintf(range, sizeof range, "a number from %s to %s", decimal(minimum, 9).text,
                 decimal(maximum, 9).text);
    return yaml_error(document, node, error, "%s: expected %s, found %s", what, range,
                      yaml_describe(node, found));
}

enum status yaml_boolean(const struct yaml_document *document, const struct yaml_node *node,
                         const char *what, bool *value, struct error *error) {
    char found[YAML_DESCRIPTION_BYTES];
    if (node->kind == YAML_SCALAR && node->plain && strcmp(node->text, "true") == 0) {
        *value = true;
        return STATUS_OK;
    }
    if (node->kind == YAML_SCALAR && node->plain && strcmp(node->text, "false") == 0) {
        *value = false;
        return STATUS_OK;
    }
    return yaml_error(document, node, error, "%s: expected true or false, found %s", what,
                      yaml_describe(node, found));
}

enum status yaml_choice(const struct yaml_document *document, const struct yaml_node *node,
                        const char *what, const char *const *names, size_t name_count,
                        size_t *index, struct error *error) {
    if (node->kind == YAML_SCALAR)
        for (size_t i = 0; i < name_count; i++)
            if (strcmp(node->text, names[i]) == 0) {
                *index = i;
                return STATUS_OK;
            }
    struct text list = {0};
    for (size_t i = 0; i < name_count; i++)
        text_printf(&list, "%s%s", i == 0 ? "" : i + 1 < name_count ? ", " : " or ", names[i]);
    char found[YAML_DESCRIPTION_BYTES];
    enum status status = yaml_error(document, node, error, "%s: expected %s, found %s", what,
                                    text_string(&list), yaml_describe(node, found));
    text_free(&list);
    const char *closest =
        node->kind == YAML_SCALAR ? text_closest(node->text, names, name_count) : NULL;
    if (closest)
        error_hint(error, "did you mean %s?", closest);
    return status;
}
