/* What a program reads and prints, as text. The numbers that it prints are its results: each must
 * be one that a kernel computed, to as many digits as are printed. */
#include "grader/grade/program/grade_program.h"

#include "reports/message.h"
#include "sandbox/base/decimal.h"
#include "sandbox/base/memory.h"
#include "sandbox/card/card.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what it reads ----------------------------------------------------------------------------
 */

static void append_element(enum element_type type, const void *bytes, struct text *out) {
    const struct element_info *info = &element_infos[type];
    uint64_t bits = 0;
    memcpy(&bits, bytes, info->bytes);
    if (type == ELEMENT_f64) {
        text_append(out, decimal(element_to_double(type, bytes, 0), 17).text);
    } else if (info->is_float) {
        text_append(out, decimal(element_to_double(type, bytes, 0), 9).text);
    } else if (info->is_signed) {
        unsigned unused = 64 - 8 * info->bytes;
        text_printf(out, "%" PRId64, (int64_t)(bits << unused) >> unused);
    } else {
        text_printf(out, "%" PRIu64, bits);
    }
}

static void append_buffer(const struct engine_argument *argument, const char *data,
                          struct text *out) {
    unsigned bytes = element_infos[argument->type].bytes;
    uint64_t row = argument->rank ? argument->shape[argument->rank - 1] : argument->count;
    for (uint64_t i = 0; i < argument->count; i++) {
        append_element(argument->type, data + argument->data_offset + i * bytes, out);
        text_append_char(out, row && (i + 1) % row == 0 ? '\n' : ' ');
    }
}

char *grade_program_input(const struct exercise *exercise, const struct engine_launch *launch) {
    struct text out = {0};
    for (size_t i = 0; i < exercise->program.input_count; i++) {
        const struct engine_argument *argument = &launch->arguments[exercise->program.inputs[i]];
        if (argument->is_buffer) {
            append_buffer(argument, launch->data, &out);
        } else {
            append_element(argument->type, &argument->scalar, &out);
            text_append_char(&out, '\n');
        }
    }
    return out.length ? text_steal(&out) : mem_strdup("");
}

static const struct engine_argument *find_argument(const struct exercise *exercise,
                                                   const struct engine_launch *launch,
                                                   const char *name, size_t length) {
    for (size_t i = 0; i < exercise->param_count; i++)
        if (strlen(exercise->params[i].name) == length &&
            memcmp(exercise->params[i].name, name, length) == 0)
            return &launch->arguments[i];
    return NULL;
}

char *grade_program_word(const struct exercise *exercise, const char *word,
                         const struct engine_launch *launch) {
    struct text out = {0};
    while (*word) {
        size_t length = *word == '{' ? strcspn(word + 1, "}") : 0;
        const struct engine_argument *argument =
            length ? find_argument(exercise, launch, word + 1, length) : NULL;
        if (!length) {
            text_append_char(&out, *word++);
            continue;
        }
        if (argument)
            append_element(argument->type, &argument->scalar, &out);
        else
            text_append(&out, strncmp(word + 1, "input", length) == 0 ? "/proc/self/fd/0"
                                                                      : "/proc/self/fd/1");
        word += length + 2;
    }
    return out.length ? text_steal(&out) : mem_strdup("");
}

/* ---- what it prints ---------------------------------------------------------------------------
 */

struct number {
    double value;
    int64_t whole; /* where it is one */
    uint64_t word;
    bool is_whole, is_negative;
    double half_digit; /* half a unit of the last digit that is printed */
};

static bool is_separator(char c) {
    return isspace((unsigned char)c) || c == ',' || c == ';';
}

/* Half a unit of the last digit: of "1.50e-3" 0.5e-5. */
static double half_digit_of(const char *word) {
    int digits = 0, exponent = 0;
    bool fraction = false;
    for (; *word; word++) {
        if (*word == '.')
            fraction = true;
        else if (*word == 'e' || *word == 'E')
            exponent = (int)strtol(word + 1, NULL, 10);
        if (*word == 'e' || *word == 'E')
            break;
        digits += fraction && isdigit((unsigned char)*word);
    }
    return 0.5 * pow(10, exponent - digits);
}

static bool read_number(char *word, struct number *out) {
    char *end, *whole_end;
    *out = (struct number){0};
    if (!*word || strpbrk(word, "xXpP("))
        return false;
    out->value = strtod(word, &end);
    errno = 0;
    out->whole = strtoll(word, &whole_end, 10);
    out->is_negative = *word == '-';
    if (!*whole_end && errno == ERANGE && !out->is_negative) {
        errno = 0;
        out->word = strtoull(word, &whole_end, 10);
    } else {
        out->word = (uint64_t)out->whole;
    }
    out->is_whole = end != word && !*whole_end && errno == 0;
    out->half_digit = half_digit_of(word);
    return end != word && !*end;
}

/* The next word that is a number; false: there is none. */
static bool next_number(const char **at, const char *end, struct number *out) {
    while (*at < end) {
        while (*at < end && is_separator(**at))
            (*at)++;
        const char *begin = *at;
        while (*at < end && !is_separator(**at))
            (*at)++;
        char word[64];
        size_t length = (size_t)(*at - begin);
        if (length && strchr(".:", begin[length - 1]) && length > 1)
            length--; /* the end of a sentence */
        if (!length || length >= sizeof word)
            continue;
        memcpy(word, begin, length);
        word[length] = '\0';
        if (read_number(word, out))
            return true;
    }
    return false;
}

/* False where the type does not hold it. */
static bool store(enum element_type type, const struct number *number, void *to) {
    const struct element_info *info = &element_infos[type];
    if (info->is_float) {
        element_from_double(type, to, 0, number->value);
        return true;
    }
    if (!number->is_whole || (number->is_negative && !info->is_signed))
        return false;
    memcpy(to, &number->word, info->bytes);
    return true;
}

/* ---- whether kernels computed it --------------------------------------------------------------
 */

struct values {
    double *items;
    size_t count;
};

static int compare_doubles(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void add_value(struct values *values, double value) {
    if (!isnan(value))
        values->items[values->count++] = value;
}

/* Whatever type they have there: a sum may be computed in double and printed as float. */
static struct values collect_values(const struct text *computed) {
    size_t words = computed->length / 4;
    struct values values = {.items = mem_calloc(words * 3 + 1, sizeof(double))};
    const char *bytes = text_string(computed);
    for (size_t i = 0; i < words; i++) {
        float single;
        double wide;
        int32_t whole;
        int64_t whole_wide;
        memcpy(&single, bytes + 4 * i, sizeof single);
        memcpy(&whole, bytes + 4 * i, sizeof whole);
        add_value(&values, single);
        add_value(&values, whole);
        if (i % 2 == 1)
            continue;
        memcpy(&wide, bytes + 4 * i, sizeof wide);
        memcpy(&whole_wide, bytes + 4 * i, sizeof whole_wide);
        add_value(&values, wide);
        add_value(&values, (double)whole_wide);
    }
    qsort(values.items, values.count, sizeof *values.items, compare_doubles);
    return values;
}

static bool is_among(const struct values *values, const struct number *number) {
    double slack = number->half_digit * 1.000001 + fabs(number->value) * 1e-15;
    size_t low = 0, high = values->count;
    if (isnan(number->value))
        return true; /* right only where it is expected */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (values->items[middle] < number->value - slack)
            low = middle + 1;
        else
            high = middle;
    }
    return low < values->count &&
           (isinf(number->value) ? values->items[low] == number->value
                                 : values->items[low] <= number->value + slack);
}

/* Types that are smaller than a word, or unsigned, are searched as bytes. */
static bool is_small_computed(enum element_type type, const void *element,
                              const struct text *computed) {
    unsigned bytes = element_infos[type].bytes;
    for (size_t i = 0; i + bytes <= computed->length; i += bytes)
        if (memcmp(computed->data + i, element, bytes) == 0)
            return true;
    return false;
}

static bool is_computed(const struct exercise_param *param, const struct number *number,
                        const void *element, const struct values *values,
                        const struct text *computed) {
    return param->computed_by_host || is_among(values, number) ||
           is_small_computed(param->type, element, computed);
}

bool grade_program_read(const struct exercise *exercise, const struct text *printed,
                        const struct text *computed, enum language language,
                        const struct engine_launch *launch, char *message, size_t size) {
    const char *at = text_string(printed), *end = at + printed->length;
    struct values values = collect_values(computed);
    cleanup_free double *owned = values.items;
    struct number number;
    uint64_t count = 0;
    for (size_t i = 0; i < exercise->program.output_count; i++) {
        const struct exercise_param *param = &exercise->params[exercise->program.outputs[i]];
        const struct engine_argument *argument = &launch->arguments[exercise->program.outputs[i]];
        char *to = (char *)launch->data + argument->data_offset;
        for (uint64_t j = 0; j < argument->count; j++, to += element_infos[param->type].bytes) {
            if (!next_number(&at, end, &number)) {
                snprintf(message, size, WORDS(language, program_prints_too_few), count, param->name,
                         j);
                return false;
            }
            count++;
            if (!store(param->type, &number, to))
                continue; /* it stays unwritten */
            if (!is_computed(param, &number, to, &values, computed)) {
                snprintf(message, size, WORDS(language, program_not_computed), number.value, count,
                         param->name, j);
                return false;
            }
        }
    }
    if (!next_number(&at, end, &number))
        return true;
    snprintf(message, size, WORDS(language, program_prints_too_many), count);
    return false;
}
