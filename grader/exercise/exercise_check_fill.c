/* Whether the data of every case can be made: names and bounds of the fills.
 *
 * Data depends on sizes alone. A constant is the student's choice, and would let it choose the
 * data, so that its name is refused here. Sizes, shapes and launches were checked before
 * (exercise_check.c); the values of each case are checked by what writes them (fill.c). */
#include "grader/exercise/exercise_check.h"

#include "grader/exercise/exercise_schema.h"
#include "grader/exercise/fill_rule.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <string.h>

enum { MAX_NAMES = 64 };

/* The sizes of one case, and the fills that it has of its own. */
struct one_case {
    const char *label; /* "the case tiny" */
    const struct exercise_size *sizes;
    size_t size_count;
    const struct exercise_fill *fills; /* NULL: the params' */
    const struct yaml_node *fill_nodes;
};

/* ---- names ----------------------------------------------------------------------------------- */

struct fill_name_search {
    const struct check *check;
    unsigned rank; /* this many indices have a value; 0 in bounds */
    const char *wrong, *why;
    unsigned column;
};

static bool is_size(const struct exercise *exercise, const char *name) {
    for (size_t i = 0; i < exercise->param_count; i++)
        if (exercise->params[i].role == ROLE_SIZE && strcmp(exercise->params[i].name, name) == 0)
            return true;
    return false;
}

static const char *name_fault(const struct fill_name_search *search, const char *name) {
    const struct exercise *exercise = search->check->exercise;
    bool size = is_size(exercise, name);
    for (unsigned i = 0; i < FILL_INDICES; i++) {
        if (strcmp(fill_index_names[i], name) != 0)
            continue;
        if (i < search->rank)
            return size ? "is an index and a size here: give the size another name" : NULL;
        if (!size)
            return search->rank ? "is an index that this shape does not have"
                                : "is an index, which only the formula of a buffer has";
    }
    if (size)
        return NULL;
    for (size_t i = 0; i < exercise->constant_count; i++)
        if (strcmp(exercise->constants[i].name, name) == 0)
            return "is a constant of the submission, which data cannot depend on";
    return search->rank ? "is neither an index nor a size" : "is not a size";
}

static void find_wrong(const char *name, unsigned column, void *context) {
    struct fill_name_search *search = context;
    if (search->wrong)
        return;
    search->why = name_fault(search, name);
    if (!search->why)
        return;
    search->wrong = name;
    search->column = column;
}

static enum status check_names(const struct check *check, const struct yaml_node *node,
                               const struct expr *expr, unsigned rank) {
    struct fill_name_search search = {.check = check, .rank = rank};
    if (expr)
        expr_visit_names(expr, find_wrong, &search);
    if (!search.wrong)
        return STATUS_OK;
    const char *names[MAX_NAMES];
    size_t count = 0;
    for (size_t i = 0; i < check->exercise->param_count; i++)
        if (check->exercise->params[i].role == ROLE_SIZE)
            names[count++] = check->exercise->params[i].name;
    error_set(check->error, STATUS_INVALID, "%s %s", search.wrong, search.why);
    if (check->error)
        check->error->column = search.column;
    const char *closest = text_closest(search.wrong, names, count);
    if (closest)
        error_hint(check->error, "did you mean %s?", closest);
    schema_place_expression(check->document, node, check->error);
    return STATUS_INVALID;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* The place of one of the fill's expressions in the file. */
static const struct yaml_node *
expr_node(const struct yaml_node *node, const struct exercise_fill *fill, const struct expr *expr) {
    if (node->kind != YAML_MAPPING)
        return node;
    const struct yaml_node *value = node->items[0];
    return value->kind == YAML_SEQUENCE ? value->items[expr == fill->high_expr] : value;
}

static enum status check_form(const struct check *check, const struct yaml_node *node,
                              const struct exercise_param *param,
                              const struct exercise_fill *fill) {
    if (node->kind == YAML_SCALAR && fill->kind == FILL_UNIFORM &&
        !element_infos[param->type].is_float) {
        enum status status = FAIL(check, node, "%s: integers need a range here", param->name);
        error_hint(check->error, "for example fill: {integers: [0, 99]}");
        return status;
    }
    const struct expr *exprs[] = {fill->low_expr, fill->high_expr, fill->formula};
    for (size_t i = 0; i < ARRAY_LENGTH(exprs); i++) {
        enum status status = check_names(check, expr_node(node, fill, exprs[i]), exprs[i],
                                         exprs[i] == fill->formula ? param->rank : 0);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

/* Shapes have a value in every case: exercise_check.c made sure. */
static void find_shape(const struct exercise *exercise, const struct exercise_param *param,
                       const struct one_case *one, uint64_t shape[3], uint64_t *count) {
    struct expr_name names[2 * MAX_NAMES];
    size_t name_count = 0;
    for (size_t i = 0; i < one->size_count; i++)
        names[name_count++] = (struct expr_name){one->sizes[i].name, one->sizes[i].value};
    for (size_t i = 0; i < exercise->constant_count; i++)
        names[name_count++] =
            (struct expr_name){exercise->constants[i].name, exercise->constants[i].fallback};
    *count = 1;
    for (unsigned i = 0; i < param->rank; i++) {
        int64_t extent = 0;
        expr_evaluate(param->shape[i], names, name_count, &extent, NULL);
        shape[i] = (uint64_t)extent;
        *count *= shape[i];
    }
}

static enum status check_data(const struct check *check, const struct yaml_node *node,
                              const struct exercise_param *param, const struct exercise_fill *fill,
                              const struct one_case *one) {
    struct exercise_fill resolved;
    const struct expr *culprit = NULL;
    struct error inner = {0};
    uint64_t shape[3] = {0}, count;
    find_shape(check->exercise, param, one, shape, &count);
    const struct fill_place place = {param->type, shape,      param->rank,
                                     count,       one->sizes, one->size_count};
    enum status status =
        fill_resolve(fill, one->sizes, one->size_count, &resolved, &culprit, &inner);
    if (status == STATUS_OK)
        status = fill_check(&resolved, &place, &inner);
    if (status == STATUS_OK)
        return status;
    error_set(check->error, STATUS_INVALID, "%s in %s: %.800s", param->name, one->label,
              inner.message);
    error_hint(check->error, "%s", inner.hint);
    if (check->error)
        check->error->column = culprit ? inner.column : 0;
    const struct yaml_node *at = culprit ? expr_node(node, fill, culprit) : node;
    if (culprit)
        schema_place_expression(check->document, at, check->error);
    else if (check->error)
        error_place(check->error, check->document->file, at->line, at->column,
                    check->document->source, check->document->source_length);
    return STATUS_INVALID;
}

static enum status check_case(const struct check *check, const struct one_case *one) {
    const struct exercise *exercise = check->exercise;
    const struct yaml_node *params = root_get(check, "params");
    for (size_t i = 0; i < exercise->param_count; i++) {
        const struct exercise_param *param = &exercise->params[i];
        const struct yaml_node *own = yaml_get(one->fill_nodes, param->name);
        const struct yaml_node *node = own ? own : yaml_get(params->items[i], "fill");
        const struct exercise_fill *fill = own ? &one->fills[i] : &param->fill;
        enum status status = node ? check_form(check, node, param, fill) : STATUS_OK;
        if (status == STATUS_OK && node)
            status = check_data(check, node, param, fill, one);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

/* ---- all cases ------------------------------------------------------------------------------- */

static enum status check_given(const struct check *check) {
    const struct exercise *exercise = check->exercise;
    size_t index_in_group[GROUP_COUNT] = {0};
    for (size_t i = 0; i < exercise->case_count; i++) {
        const struct exercise_case *entry = &exercise->cases[i];
        const struct yaml_node *group =
            yaml_get(root_get(check, "cases"), case_group_names[entry->group]);
        const struct yaml_node *node = group->items[index_in_group[entry->group]++];
        cleanup_free char *label = mem_printf("the case %s", entry->name);
        const struct one_case one = {label, entry->sizes, entry->size_count, entry->fills,
                                     yaml_get(node, "fill")};
        enum status status = check_case(check, &one);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

static enum status check_generated(const struct check *check) {
    const struct exercise *exercise = check->exercise;
    for (unsigned high = 0; high < 2 && exercise->generated_count; high++) {
        struct exercise_size sizes[MAX_NAMES];
        for (size_t i = 0; i < exercise->generated_range_count; i++)
            sizes[i] = (struct exercise_size){exercise->generated[i].name,
                                              high ? exercise->generated[i].high
                                                   : exercise->generated[i].low};
        const struct one_case one = {high ? "the largest generated case"
                                          : "the smallest generated case",
                                     sizes, exercise->generated_range_count, NULL, NULL};
        enum status status = check_case(check, &one);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

enum status exercise_check_fills(const struct yaml_document *document,
                                 const struct exercise *exercise, struct error *error) {
    const struct check check = {document, exercise, error};
    const struct one_case speed = {"the speed case", exercise->speed_sizes,
                                   exercise->speed_size_count, exercise->speed_fills,
                                   yaml_get(root_get(&check, "speed"), "fill")};
    struct one_case modelled = speed; /* on the simulated device */
    modelled.label = "the modelled speed case";
    modelled.sizes = exercise->modelled_sizes;
    modelled.size_count = exercise->modelled_size_count;
    struct one_case measured = speed; /* on a GPU */
    measured.label = "the measured speed case";
    measured.sizes = exercise->measured.sizes;
    measured.size_count = exercise->measured.size_count;
    enum status status = check_given(&check);
    if (status == STATUS_OK)
        status = check_generated(&check);
    if (status == STATUS_OK && exercise->threshold_count)
        status = check_case(&check, &speed);
    if (status == STATUS_OK && exercise->threshold_count)
        status = check_case(&check, &modelled);
    return status == STATUS_OK && exercise->threshold_count ? check_case(&check, &measured)
                                                            : status;
}
