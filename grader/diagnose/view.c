/* See view.h. Which elements are right is compare.h's decision, asked for each. */
#include "grader/diagnose/view.h"

#include "grader/judge/compare.h"
#include "sandbox/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A sixteenth of the error: what another order of summation moves is far less where the mistake is
 * the same, and two mistakes do not agree so well. */
#define SAME_SHARE (1.0 / 16)

static bool is_compared(const struct exercise_param *param) {
    return exercise_param_is_output(param) && param->tolerance.kind != TOLERANCE_NONE;
}

static const void *at(const void *data, const struct plan_launch *launch, size_t index) {
    return (const char *)data + launch->arguments[index].data_offset;
}

/* The comparison of output `index` with what the reference left in `expected`. */
static struct compare_request request_of(const struct view_evidence *evidence, size_t index,
                                         const void *expected) {
    const struct exercise_param *param = &evidence->exercise->params[index];
    const struct plan_launch *reference = evidence->reference_launch;
    size_t magnitude = reference->magnitudes[index];
    return (struct compare_request){
        .type = param->type,
        .actual = at(evidence->after, evidence->launch, index),
        .expected = at(expected, reference, index),
        .magnitude = magnitude == SIZE_MAX ? NULL : at(expected, reference, magnitude),
        .count = evidence->launch->arguments[index].count,
        .tolerance = &param->tolerance,
        .length = evidence->launch->lengths[index],
        .poison = plan_poison(param->type),
        .has_poison = param->role == ROLE_OUT};
}

static struct compare_request element_of(const struct compare_request *request, uint64_t i) {
    const struct element_info *info = &element_infos[request->type];
    struct compare_request one = *request;
    one.actual = (const char *)request->actual + i * info->bytes;
    one.expected =
        (const char *)request->expected + i * (info->is_float ? sizeof(double) : info->bytes);
    one.magnitude = request->magnitude ? request->magnitude + i : NULL;
    one.count = 1;
    return one;
}

static double expected_value(const struct compare_request *request, uint64_t i) {
    if (!element_infos[request->type].is_float)
        return element_to_double(request->type, request->expected, i);
    unsigned char bits[8];
    element_from_double(request->type, bits, 0, ((const double *)request->expected)[i]);
    return element_to_double(request->type, bits, 0);
}

/* ---- making a view --------------------------------------------------------------------------- */

static double *to_doubles(enum element_type type, const void *data, uint64_t count) {
    double *values = mem_calloc(count + 1, sizeof *values);
    for (uint64_t i = 0; i < count; i++)
        values[i] = element_to_double(type, data, i);
    return values;
}

void view_pieces(const struct plan_launch *launch, const struct expr_name *constants,
                 size_t constant_count, int64_t pieces[PIECE_COUNT]) {
    enum { LARGEST = 1 << 20 };
    const struct dim3 *block = &launch->block, *grid = &launch->grid;
    int64_t threads = (int64_t)block->x * block->y * block->z;
    uint64_t blocks = (uint64_t)grid->x * grid->y * grid->z;
    int64_t product = 1;
    memset(pieces, 0, PIECE_COUNT * sizeof *pieces);
    pieces[PIECE_BLOCK_X] = block->x;
    pieces[PIECE_BLOCK_Y] = block->y;
    pieces[PIECE_THREADS] = threads;
    pieces[PIECE_TWICE] = 2 * threads;
    pieces[PIECE_FOUR] = 4 * threads;
    pieces[PIECE_EIGHT] = 8 * threads;
    pieces[PIECE_GRID] = blocks <= LARGEST ? (int64_t)blocks * threads : 0;
    for (size_t i = 0; i < constant_count && i < VIEW_CONSTANTS; i++) {
        int64_t value =
            constants[i].value > 0 && constants[i].value <= 1024 ? constants[i].value : 1;
        product *= value;
        pieces[PIECE_CONSTANT + i] = value;
        pieces[PIECE_PRODUCT + i] = product <= LARGEST ? product : 0;
    }
    for (unsigned i = PIECE_2; i <= PIECE_1024; i++)
        pieces[i] = (int64_t)2 << (i - PIECE_2);
    for (unsigned i = 0; i < PIECE_COUNT; i++)
        pieces[i] = pieces[i] < 2 ? 0 : pieces[i];
}

static void take_inputs(const struct view_evidence *evidence, struct view *view) {
    const struct exercise *exercise = evidence->exercise;
    view->inputs = mem_calloc(exercise->param_count + 1, sizeof *view->inputs);
    for (size_t i = 0; i < exercise->param_count; i++) {
        const struct engine_argument *argument = &evidence->launch->arguments[i];
        if (!argument->is_buffer || exercise->params[i].role == ROLE_OUT ||
            argument->count > VIEW_MAX_ELEMENTS)
            continue;
        view->inputs[view->input_count++] = (struct view_input){
            .name = exercise->params[i].name,
            .values = to_doubles(argument->type, at(evidence->before, evidence->launch, i),
                                 argument->count),
            .count = argument->count};
    }
}

/* What is expected of the other outputs that this one could be mistaken for. */
static void take_others(const struct view_evidence *evidence, size_t index, struct view *view) {
    const struct exercise *exercise = evidence->exercise;
    view->others = mem_calloc(exercise->param_count + 1, sizeof *view->others);
    for (size_t i = 0; i < exercise->param_count; i++) {
        const struct exercise_param *param = &exercise->params[i];
        if (i == index || !is_compared(param) || param->type != view->type ||
            evidence->launch->arguments[i].count != view->count)
            continue;
        struct compare_request request = request_of(evidence, i, evidence->expected);
        double *values = mem_calloc(view->count + 1, sizeof *values);
        for (uint64_t j = 0; j < view->count; j++)
            values[j] = expected_value(&request, j);
        view->others[view->other_count++] =
            (struct view_input){.name = param->name, .values = values, .count = view->count};
    }
}

/* What an element held before it may hold again by chance, where the poison has one byte or is a
 * value as any other: then all wrong elements are untouched, or none is. */
static void take_elements(const struct view_evidence *evidence, size_t index,
                          const struct compare_request *request, struct view *view) {
    bool is_inout = evidence->exercise->params[index].role == ROLE_INOUT;
    view->actual = to_doubles(request->type, request->actual, request->count);
    view->expected = mem_calloc(request->count + 1, sizeof *view->expected);
    view->state = mem_calloc(request->count + 1, sizeof *view->state);
    if (request->magnitude)
        view->magnitude = mem_dup(request->magnitude, request->count * sizeof *view->magnitude);
    if (is_inout)
        view->initial = to_doubles(request->type, at(evidence->before, evidence->launch, index),
                                   request->count);
    for (uint64_t i = 0; i < request->count; i++) {
        view->expected[i] = expected_value(request, i);
        struct compare_request one = element_of(request, i);
        struct compare_result found = compare_elements(&one);
        bool untouched = is_inout ? view->actual[i] == view->initial[i] : found.unwritten != 0;
        view->state[i] = !found.differing ? VIEW_RIGHT : untouched ? VIEW_UNTOUCHED : VIEW_WRONG;
        view->scale = fmax(view->scale, isfinite(view->expected[i]) ? fabs(view->expected[i]) : 0);
        view->wrong += found.differing;
        view->untouched += found.differing && untouched;
    }
    bool by_chance = is_inout || element_infos[request->type].bytes < 4;
    for (uint64_t i = 0; i < request->count && by_chance && view->untouched < view->wrong; i++)
        if (view->state[i] == VIEW_UNTOUCHED)
            view->state[i] = VIEW_WRONG;
    view->untouched = by_chance && view->untouched < view->wrong ? 0 : view->untouched;
}

bool view_make(const struct view_evidence *evidence, struct view *view) {
    *view = (struct view){.depends_on_order = evidence->depends_on_order,
                          .language = evidence->language,
                          .has_host_code = exercise_has_host_code(evidence->exercise)};
    for (size_t i = 0; i < evidence->exercise->param_count; i++) {
        const struct exercise_param *param = &evidence->exercise->params[i];
        if (!is_compared(param))
            continue;
        const struct engine_argument *argument = &evidence->launch->arguments[i];
        struct compare_request request = request_of(evidence, i, evidence->expected);
        if (!compare_elements(&request).differing)
            continue;
        if (argument->count > VIEW_MAX_ELEMENTS)
            return false;
        view->name = param->name;
        view->type = param->type;
        view->rank = argument->rank ? argument->rank : 1;
        for (unsigned axis = 0; axis < view->rank; axis++)
            view->shape[axis] = argument->rank ? argument->shape[axis] : argument->count;
        view->count = argument->count;
        view->terms = evidence->launch->lengths[i];
        view->grid = evidence->launch->grid;
        view->block = evidence->launch->block;
        view_pieces(evidence->launch, evidence->constants, evidence->constant_count, view->pieces);
        take_inputs(evidence, view);
        take_others(evidence, i, view);
        take_elements(evidence, i, &request, view);
        return true;
    }
    return false;
}

void view_free(struct view *view) {
    for (size_t i = 0; i < view->input_count; i++)
        free(view->inputs[i].values);
    for (size_t i = 0; i < view->other_count; i++)
        free(view->others[i].values);
    free(view->others);
    free(view->inputs);
    free(view->expected);
    free(view->actual);
    free(view->magnitude);
    free(view->initial);
    free(view->state);
    *view = (struct view){0};
}

/* ---- beside another launch ------------------------------------------------------------------- */

/* What the reference left unwritten holds the poison of a double. */
static bool both_unwritten(const struct compare_request *request, uint64_t i) {
    const struct element_info *info = &element_infos[request->type];
    enum element_type wide = info->is_float ? ELEMENT_f64 : request->type;
    uint64_t mine = 0, its = 0;
    memcpy(&mine, (const char *)request->actual + i * info->bytes, info->bytes);
    memcpy(&its, (const char *)request->expected + i * element_infos[wide].bytes,
           element_infos[wide].bytes);
    return request->has_poison && mine == request->poison && its == plan_poison(wide);
}

static bool output_is_explained(const struct compare_request *request) {
    if (compare_elements(request).differing == 0)
        return true;
    for (uint64_t i = 0; i < request->count; i++) {
        struct compare_request one = element_of(request, i);
        if (!both_unwritten(request, i) && compare_elements(&one).differing)
            return false;
    }
    return true;
}

bool view_is_explained(const struct view_evidence *evidence, const void *reference_after) {
    for (size_t i = 0; i < evidence->exercise->param_count; i++) {
        if (!is_compared(&evidence->exercise->params[i]))
            continue;
        struct compare_request request = request_of(evidence, i, reference_after);
        if (!output_is_explained(&request))
            return false;
    }
    return true;
}

static bool element_is_the_same(const struct compare_request *mine,
                                const struct compare_request *its, uint64_t i) {
    unsigned bytes = element_infos[mine->type].bytes;
    struct compare_request mine_one = element_of(mine, i), its_one = element_of(its, i);
    bool mine_wrong = compare_elements(&mine_one).differing != 0;
    bool its_wrong = compare_elements(&its_one).differing != 0;
    if (!mine_wrong || !its_wrong)
        return mine_wrong == its_wrong;
    if (memcmp(mine_one.actual, its_one.actual, bytes) == 0)
        return true;
    double y = element_to_double(mine->type, mine_one.actual, 0);
    double z = element_to_double(mine->type, its_one.actual, 0);
    if (isnan(y) || isnan(z))
        return isnan(y) && isnan(z);
    return element_infos[mine->type].is_float &&
           fabs(y - z) <= SAME_SHARE * fabs(y - expected_value(mine, i));
}

bool view_is_the_same(const struct view_evidence *evidence, const struct plan_launch *other,
                      const void *other_after) {
    bool any = false;
    for (size_t i = 0; i < evidence->exercise->param_count; i++) {
        if (!is_compared(&evidence->exercise->params[i]))
            continue;
        if (other->arguments[i].count != evidence->launch->arguments[i].count)
            return false;
        struct compare_request mine = request_of(evidence, i, evidence->expected);
        struct compare_request its = mine;
        its.actual = at(other_after, other, i);
        any |= compare_elements(&mine).differing != 0;
        for (uint64_t j = 0; j < mine.count; j++)
            if (!element_is_the_same(&mine, &its, j))
                return false;
    }
    return any;
}
