/* The rule of a fill: its bounds as numbers, the values of its formula, whether they can be stored.
 * Data by a rule are made in the room cases (fill.c). */
#include "grader/exercise/fill_rule.h"

#include "sandbox/base/decimal.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { CHECKED_ELEMENTS = 1 << 16 };

#define LARGEST_WHOLE 9007199254740992.0 /* 2^53: above, doubles leave whole numbers out */
#define LARGEST_BOUND 1e300

const char *const fill_index_names[FILL_INDICES] = {"i", "j", "k"};

/* ---- bounds ---------------------------------------------------------------------------------- */

static enum status whole_bound(const struct expr *expr, const struct exercise_size *sizes,
                               size_t size_count, double *bound, struct error *error) {
    struct expr_name names[FILL_MAX_SIZES];
    size_t count = 0;
    for (; count < size_count && count < FILL_MAX_SIZES; count++)
        names[count] = (struct expr_name){sizes[count].name, sizes[count].value};
    int64_t value;
    if (expr_evaluate(expr, names, count, &value, error) != STATUS_OK)
        return STATUS_INVALID;
    *bound = (double)value;
    if (value < -(INT64_C(1) << 53) || value > INT64_C(1) << 53)
        return error_set(error, STATUS_INVALID,
                         "%" PRId64 ": expected a whole number from -%.0f to %.0f", value,
                         LARGEST_WHOLE, LARGEST_WHOLE);
    return STATUS_OK;
}

static enum status real_bound(const struct expr *expr, const struct exercise_size *sizes,
                              size_t size_count, double *bound, struct error *error) {
    struct expr_column columns[FILL_MAX_SIZES];
    size_t count = 0;
    for (; count < size_count && count < FILL_MAX_SIZES; count++)
        columns[count] =
            (struct expr_column){.name = sizes[count].name, .same = (double)sizes[count].value};
    /* As formulas are: what has no value is not 0, as it is in thresholds. */
    expr_evaluate_columns(expr, columns, count, bound, 1);
    if (!isfinite(*bound))
        return error_set(error, STATUS_INVALID, "%s has no finite value", expr_text(expr));
    return STATUS_OK;
}

enum status fill_resolve(const struct exercise_fill *fill, const struct exercise_size *sizes,
                         size_t size_count, struct exercise_fill *resolved,
                         const struct expr **culprit, struct error *error) {
    *resolved = *fill;
    const struct expr *exprs[] = {fill->low_expr, fill->high_expr};
    double *bounds[] = {&resolved->low, &resolved->high};
    for (size_t i = 0; i < ARRAY_LENGTH(exprs); i++) {
        if (!exprs[i])
            continue;
        enum status status = fill->kind == FILL_SORTED
                                 ? real_bound(exprs[i], sizes, size_count, bounds[i], error)
                                 : whole_bound(exprs[i], sizes, size_count, bounds[i], error);
        if (status != STATUS_OK) {
            *culprit = exprs[i];
            return status;
        }
    }
    return STATUS_OK;
}

/* ---- formulas -------------------------------------------------------------------------------- */

/* Indices come first: where a name is an index and a size, exercise_check() refuses it. */
struct fill_strip *fill_strip_make(const struct fill_place *place) {
    struct fill_strip *strip = mem_alloc(sizeof *strip);
    strip->column_count = 0;
    for (unsigned i = 0; i < place->rank && i < FILL_INDICES; i++)
        strip->columns[strip->column_count++] =
            (struct expr_column){.name = fill_index_names[i], .values = strip->indices[i]};
    for (size_t i = 0; i < place->size_count && i < FILL_MAX_SIZES; i++)
        strip->columns[strip->column_count++] = (struct expr_column){
            .name = place->sizes[i].name, .same = (double)place->sizes[i].value};
    return strip;
}

/* The values of `count` elements from `first` on. */
void fill_strip_evaluate(struct fill_strip *strip, const struct exercise_fill *fill,
                         const struct fill_place *place, uint64_t first, size_t count) {
    uint64_t at[FILL_INDICES] = {0}, rest = first;
    for (unsigned i = place->rank; i-- > 0; rest /= place->shape[i])
        at[i] = rest % place->shape[i];
    for (size_t element = 0; element < count; element++) {
        for (unsigned i = 0; i < place->rank; i++)
            strip->indices[i][element] = (double)at[i];
        for (unsigned i = place->rank; i-- > 0 && ++at[i] == place->shape[i];)
            at[i] = 0;
    }
    expr_evaluate_columns(fill->formula, strip->columns, strip->column_count, strip->values, count);
}

size_t fill_strip_length(uint64_t first, uint64_t count) {
    return count - first < FILL_STRIP ? (size_t)(count - first) : FILL_STRIP;
}

/* ---- whether it can be stored ---------------------------------------------------------------- */

/* What the type holds: of floats, the finite numbers. */
static void type_range(enum element_type type, double *low, double *high) {
    const struct element_info *info = &element_infos[type];
    int bits = (int)info->bytes * 8;
    if (info->is_float) {
        *high = bits == 16 ? 65504 : bits == 32 ? 0x1.fffffep127 : 0x1.fffffffffffffp1023;
        *low = -*high;
        return;
    }
    *low = info->is_signed ? -ldexp(1, bits - 1) : 0;
    *high = ldexp(1, info->is_signed ? bits - 1 : bits) - 1;
}

/* The first whole number that the type cannot tell from its neighbour. */
static double largest_whole(enum element_type type) {
    double low, high;
    type_range(type, &low, &high);
    if (!element_infos[type].is_float)
        return fmin(high, LARGEST_WHOLE);
    return type == ELEMENT_f16 ? 0x1p11 : type == ELEMENT_f32 ? 0x1p24 : LARGEST_WHOLE;
}

static enum status check_bounds(const struct exercise_fill *fill, const struct fill_place *place,
                                struct error *error) {
    const struct element_info *type = &element_infos[place->type];
    double low, high;
    type_range(place->type, &low, &high);
    if (fill->low > fill->high)
        return error_set(error, STATUS_INVALID, "expected [low, high], but %s is above %s",
                         decimal(fill->low, 10).text, decimal(fill->high, 10).text);
    bool stored = fill->low >= low && fill->high <= high;
    bool whole = fill->low == floor(fill->low) && fill->high == floor(fill->high);
    if (!type->is_float && (!stored || !whole))
        return error_set(error, STATUS_INVALID,
                         "the values of an %s are whole numbers from %.0f to %.0f", type->name, low,
                         high);
    if (fabs(fill->low) > LARGEST_BOUND || fabs(fill->high) > LARGEST_BOUND)
        return error_set(error, STATUS_INVALID, "%s to %s: expected numbers from %s to %s",
                         decimal(fill->low, 10).text, decimal(fill->high, 10).text,
                         decimal(-LARGEST_BOUND, 10).text, decimal(LARGEST_BOUND, 10).text);
    return STATUS_OK;
}

static enum status check_offsets(const struct exercise_fill *fill, const struct fill_place *place,
                                 struct error *error) {
    if (element_infos[place->type].is_float)
        return error_set(error, STATUS_INVALID, "offsets are whole numbers: the type is %s",
                         element_infos[place->type].name);
    if (fill->high < 0 || fill->high > largest_whole(place->type))
        return error_set(error, STATUS_INVALID, "the last offset is %s: an %s holds 0 to %.0f",
                         decimal(fill->high, 10).text, element_infos[place->type].name,
                         largest_whole(place->type));
    if (place->count == 0 || (place->count == 1 && fill->high > 0)) {
        error_set(error, STATUS_INVALID,
                  "%" PRIu64 " offsets cannot begin with 0 and end with %.0f", place->count,
                  fill->high);
        error_hint(error, "One offset more than rows: shape: [rows + 1]");
        return STATUS_INVALID;
    }
    return STATUS_OK;
}

static enum status check_permutation(const struct fill_place *place, struct error *error) {
    double largest = largest_whole(place->type);
    if (place->count > 0 && (double)(place->count - 1) > largest)
        return error_set(error, STATUS_INVALID,
                         "%" PRIu64 " different whole numbers do not fit into the type %s",
                         place->count, element_infos[place->type].name);
    return STATUS_OK;
}

static char *place_text(const struct fill_place *place, uint64_t element) {
    struct text out = {0};
    uint64_t at[FILL_INDICES] = {0};
    for (unsigned i = place->rank; i-- > 0; element /= place->shape[i])
        at[i] = element % place->shape[i];
    for (unsigned i = 0; i < place->rank; i++)
        text_printf(&out, "%s%s = %" PRIu64, i ? ", " : "at ", fill_index_names[i], at[i]);
    return text_steal(&out);
}

static enum status check_value(const struct fill_place *place, uint64_t element, double value,
                               struct error *error) {
    const struct element_info *type = &element_infos[place->type];
    double low, high;
    type_range(place->type, &low, &high);
    bool stored = value >= low && value <= high;
    if (stored && (type->is_float || value == floor(value)))
        return STATUS_OK;
    cleanup_free char *where = place_text(place, element);
    if (isnan(value))
        return error_set(error, STATUS_INVALID, "%s%sthe formula has no value", where,
                         place->rank ? " " : "");
    error_set(error, STATUS_INVALID, "%s%sthe formula is %s: no %s holds that", where,
              place->rank ? " " : "", decimal(value, 10).text, type->name);
    if (stored)
        error_hint(error, "Integers need a whole number: floor(...)");
    return STATUS_INVALID;
}

static enum status check_formula(const struct exercise_fill *fill, const struct fill_place *place,
                                 struct error *error) {
    cleanup_free struct fill_strip *strip = fill_strip_make(place);
    uint64_t last = place->count ? (place->count - 1) / FILL_STRIP * FILL_STRIP : 0;
    for (uint64_t first = 0; first < place->count; first += FILL_STRIP) {
        if (first >= CHECKED_ELEMENTS)
            first = last;
        size_t count = fill_strip_length(first, place->count);
        fill_strip_evaluate(strip, fill, place, first, count);
        for (size_t i = 0; i < count; i++)
            if (check_value(place, first + i, strip->values[i], error) != STATUS_OK)
                return STATUS_INVALID;
    }
    return STATUS_OK;
}

enum status fill_check(const struct exercise_fill *fill, const struct fill_place *place,
                       struct error *error) {
    bool ordered =
        fill->kind == FILL_SORTED || fill->kind == FILL_OFFSETS || fill->kind == FILL_PERMUTATION;
    if (ordered && place->rank == 0)
        return error_set(error, STATUS_INVALID, "a scalar has one value, not several in an order");
    switch (fill->kind) {
    case FILL_FORMULA:
        return check_formula(fill, place, error);
    case FILL_OFFSETS:
        return check_offsets(fill, place, error);
    case FILL_PERMUTATION:
        return check_permutation(place, error);
    default:
        /* An empty buffer may have an empty range: [0, columns - 1] of a matrix without columns. */
        return place->count ? check_bounds(fill, place, error) : STATUS_OK;
    }
}
