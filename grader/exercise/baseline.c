/* See baseline.h.
 *
 * An exercise names a routine and no operands: they follow from its parameters, in their order, by
 * role and rank. That is strict on purpose. A matrix too many, a beta, another type: all that would
 * make the routine compute something else than the exercise asks for is refused here, and what is
 * left (a transposed operand of a square case) shows on the card, where the routine's results are
 * compared with the reference's like those of submissions. */
#include "grader/exercise/baseline.h"

#include "sandbox/base/memory.h"

#include <inttypes.h>
#include <limits.h>

const char *const baseline_names[BASELINE_COUNT] = {
    [BASELINE_SGEMM] = "cublas:sgemm", [BASELINE_SGEMV] = "cublas:sgemv",
    [BASELINE_SDOT] = "cublas:sdot",   [BASELINE_SAXPY] = "cublas:saxpy",
    [BASELINE_SGEAM] = "cublas:sgeam",
};

/* How often an exercise has what; ranks of inputs in order, and of the one result. */
static const struct routine {
    unsigned inputs, ranks[2], result_rank;
    enum exercise_role result_role;
    bool has_alpha;
    const char *takes;
} routines[BASELINE_COUNT] = {
    [BASELINE_SGEMM] = {2, {2, 2}, 2, ROLE_OUT, false, "two matrices in and one out"},
    [BASELINE_SGEMV] = {2, {2, 1}, 1, ROLE_OUT, false, "a matrix and a vector in and a vector out"},
    [BASELINE_SDOT] = {2, {1, 1}, 1, ROLE_OUT, false, "two vectors in and one element out"},
    [BASELINE_SAXPY] = {1, {1}, 1, ROLE_INOUT, true, "a vector in, one inout and a scalar"},
    [BASELINE_SGEAM] = {1, {2}, 2, ROLE_OUT, false, "a matrix in and one out"},
};

/* ---- operands -------------------------------------------------------------------------------- */

/* A result that blocks add to begins with 0, and is then as good as one that is written. */
static bool is_result(const struct routine *routine, const struct exercise_param *param) {
    bool adds = param->role == ROLE_INOUT && param->fill.kind == FILL_ZERO;
    return param->role == routine->result_role || (routine->result_role == ROLE_OUT && adds);
}

struct operands {
    size_t inputs[2], input_count, result, result_count, alpha, alpha_count;
    bool fits;
};

static void take_param(const struct routine *routine, const struct exercise_param *param,
                       size_t index, struct operands *found) {
    if (param->role == ROLE_SIZE)
        return;
    found->fits &= param->type == ELEMENT_f32;
    if (param->role == ROLE_SCALAR) {
        found->alpha = index;
        found->alpha_count++;
    } else if (param->role == ROLE_IN) {
        found->fits &= found->input_count < routine->inputs &&
                       param->rank == routine->ranks[found->input_count];
        if (found->input_count < 2)
            found->inputs[found->input_count++] = index;
    } else {
        found->fits &= is_result(routine, param) && param->rank == routine->result_rank;
        found->result = index;
        found->result_count++;
    }
}

enum status baseline_resolve(const struct exercise *exercise, struct exercise_baseline *baseline,
                             struct error *error) {
    const struct routine *routine = &routines[baseline->routine];
    struct operands found = {.fits = true};
    for (size_t i = 0; i < exercise->param_count; i++)
        take_param(routine, &exercise->params[i], i, &found);
    if (!found.fits || found.input_count != routine->inputs || found.result_count != 1 ||
        found.alpha_count != routine->has_alpha) {
        error_set(error, STATUS_INVALID, "%s takes %s, all of f32, beside sizes",
                  baseline_names[baseline->routine], routine->takes);
        error_hint(error, "Leave the baseline out where no routine does what the exercise asks.");
        return STATUS_INVALID;
    }
    baseline->a = found.inputs[0];
    baseline->b = routine->inputs == 2 ? found.inputs[1] : SIZE_MAX;
    baseline->c = found.result;
    baseline->alpha = routine->has_alpha ? found.alpha : SIZE_MAX;
    return STATUS_OK;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

/* Rows and columns as mathematics counts them, whatever the storage; a vector is a column. */
struct extents {
    int64_t rows, columns;
};

static enum status evaluate_extents(const struct exercise *exercise, size_t index,
                                    const struct expr_name *names, size_t name_count,
                                    struct extents *extents, struct error *error) {
    const struct exercise_param *param = &exercise->params[index];
    int64_t shape[2] = {1, 1};
    for (unsigned i = 0; i < param->rank && i < 2; i++) {
        enum status status = expr_evaluate(param->shape[i], names, name_count, &shape[i], error);
        if (status != STATUS_OK)
            return status;
    }
    bool swapped = param->rank == 2 && exercise->measured.baseline.column_major;
    *extents = (struct extents){shape[swapped], shape[!swapped]};
    return STATUS_OK;
}

static bool is_product(struct extents a, struct extents b, struct extents c) {
    return a.columns == b.rows && c.rows == a.rows && c.columns == b.columns;
}

static bool is_fitting(enum baseline_routine routine, struct extents a, struct extents b,
                       struct extents c) {
    switch (routine) {
    case BASELINE_SGEMM:
    case BASELINE_SGEMV:
        return is_product(a, b, c);
    case BASELINE_SDOT:
        return a.rows == b.rows && c.rows == 1;
    case BASELINE_SAXPY:
        return a.rows == c.rows;
    case BASELINE_SGEAM:
        return a.rows == c.columns && a.columns == c.rows;
    default:
        return false;
    }
}

enum status baseline_measure(const struct exercise *exercise, const struct expr_name *names,
                             size_t name_count, struct baseline_sizes *sizes, struct error *error) {
    const struct exercise_baseline *baseline = &exercise->measured.baseline;
    const size_t operands[] = {baseline->a, baseline->b, baseline->c};
    struct extents extents[3] = {{1, 1}, {1, 1}, {1, 1}};
    for (unsigned i = 0; i < ARRAY_LENGTH(operands); i++) {
        enum status status =
            operands[i] == SIZE_MAX
                ? STATUS_OK
                : evaluate_extents(exercise, operands[i], names, name_count, &extents[i], error);
        if (status != STATUS_OK)
            return status;
        if (extents[i].rows < 1 || extents[i].columns < 1 || extents[i].rows > INT_MAX ||
            extents[i].columns > INT_MAX)
            return error_set(error, STATUS_INVALID, "%s: BLAS takes extents from 1 to %d",
                             exercise->params[operands[i]].name, INT_MAX);
    }
    const struct extents a = extents[0], c = extents[2];
    if (!is_fitting(baseline->routine, a, extents[1], c))
        return error_set(error, STATUS_INVALID,
                         "%s: the shapes of its operands do not go together (%" PRId64 " x %" PRId64
                         ", %" PRId64 " x %" PRId64 " -> %" PRId64 " x %" PRId64 ")",
                         baseline_names[baseline->routine], a.rows, a.columns, extents[1].rows,
                         extents[1].columns, c.rows, c.columns);
    bool is_dot = baseline->routine == BASELINE_SDOT;
    *sizes = (struct baseline_sizes){c.rows, c.columns, is_dot ? a.rows : a.columns};
    return STATUS_OK;
}
