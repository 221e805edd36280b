/* See experiment.h. One table says which cause a change shows, what it may be made to, and how it
 * is called; a function makes it. */
#include "grader/diagnose/experiment.h"

#include "reports/message.h"

#include "sandbox/base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum change_form {
    FORM_AXIS,   /* of a buffer, along each axis */
    FORM_PIECES, /* the same, for each size of a piece */
    FORM_TILES,  /* of a matrix, for each size of a piece */
    FORM_WHOLE,  /* of a buffer as a whole */
    FORM_VALUE,  /* of a buffer or a scalar */
    FORM_SWAP,
    FORM_STRIDE,
    FORM_SIZE,
    FORM_SIZE_PIECES,
};

struct change_info {
    enum cause cause;
    enum change_form form;
    bool floats_only;
    const char *words, *chinese; /* %s: the parameter; %n is the piece, %a the axis' noun */
};

static const struct change_info changes[CHANGE_COUNT] = {
    [CHANGE_LAST] = {CAUSE_LAST_LEFT_OUT, FORM_AXIS, false, "the last %a of %s is 0",
                     "%s 的最后一%a是 0"},
    [CHANGE_FIRST_ONE] = {CAUSE_FIRST_LEFT_OUT, FORM_AXIS, false, "the first %a of %s is 0",
                          "%s 的第一%a是 0"},
    [CHANGE_TAIL] = {CAUSE_TAIL, FORM_PIECES, false,
                     "the %as of %s after the last multiple of %n are 0",
                     "%s 中最后一个 %n 的整数倍之后的各%a都是 0"},
    [CHANGE_LAST_PIECE] = {CAUSE_LAST_LEFT_OUT, FORM_PIECES, false,
                           "the last piece of %n %as of %s is 0", "%s 的最后 %n %a都是 0"},
    [CHANGE_FIRST] = {CAUSE_FIRST_PIECE, FORM_PIECES, false, "all %as of %s but the first %n are 0",
                      "%s 除了前 %n %a以外都是 0"},
    [CHANGE_END] = {CAUSE_RESTARTS, FORM_PIECES, false,
                    "all %as of %s before the last piece of %n are 0", "%s 最后 %n %a之前的都是 0"},
    [CHANGE_LOW] = {CAUSE_INCOMPLETE_REDUCTION, FORM_PIECES, false,
                    "of each %n %as of %s the second half is 0", "%s 每 %n %a的后一半是 0"},
    [CHANGE_HIGH] = {CAUSE_INCOMPLETE_REDUCTION, FORM_PIECES, false,
                     "of each %n %as of %s the first half is 0", "%s 每 %n %a的前一半是 0"},
    [CHANGE_ONE] = {CAUSE_INCOMPLETE_REDUCTION, FORM_PIECES, false,
                    "of each %n %as of %s all but the first are 0",
                    "%s 每 %n %a中除第一个以外都是 0"},
    [CHANGE_WARP] = {CAUSE_INCOMPLETE_REDUCTION, FORM_PIECES, false,
                     "of each %n %as of %s all but the first 32 are 0",
                     "%s 每 %n %a中除前 32 个以外都是 0"},
    [CHANGE_TILES] = {CAUSE_TRANSPOSED, FORM_TILES, false,
                      "each tile of %n by %n elements of %s is transposed",
                      "%s 的每个 %n × %n 的分块都被转置"},
    [CHANGE_REVERSE_AXIS] = {CAUSE_REVERSED, FORM_AXIS, false,
                             "the %as of %s are read in reversed order", "%s 的各%a按逆序读取"},
    [CHANGE_REPEAT] = {CAUSE_BLOCK_INDEX, FORM_PIECES, false,
                       "the first %n %as of %s stand in place of all others",
                       "%s 的前 %n %a代替了其余全部数据"},
    [CHANGE_TRANSPOSE] = {CAUSE_TRANSPOSED, FORM_WHOLE, false, "%s is read by columns",
                          "%s 按列读取"},
    [CHANGE_REVERSE] = {CAUSE_REVERSED, FORM_WHOLE, false, "%s is read from its end",
                        "%s 从末尾开始读取"},
    [CHANGE_NEXT] = {CAUSE_SHIFTED, FORM_AXIS, false, "each %a of %s is the next one's",
                     "%s 的每%a都是下一%a的值"},
    [CHANGE_BEFORE] = {CAUSE_SHIFTED, FORM_AXIS, false, "each %a of %s is the one before",
                       "%s 的每%a都是前一%a的值"},
    [CHANGE_ZERO] = {CAUSE_INPUT_IGNORED, FORM_VALUE, false, "%s is 0", "%s 是 0"},
    [CHANGE_ONES] = {CAUSE_INPUT_IGNORED, FORM_VALUE, false, "%s is 1", "%s 是 1"},
    [CHANGE_HALF] = {CAUSE_HALF, FORM_VALUE, true, "%s is rounded to half precision",
                     "%s 舍入到半精度"},
    [CHANGE_WHOLE] = {CAUSE_INTEGER, FORM_VALUE, true, "%s has lost its fractions",
                      "%s 失去了小数部分"},
    [CHANGE_NEGATE] = {CAUSE_SIGN, FORM_VALUE, true, "%s has the other sign", "%s 取相反的符号"},
    [CHANGE_DOUBLE] = {CAUSE_COUNTED_TWICE, FORM_VALUE, true, "%s counts twice", "%s 算了两次"},
    [CHANGE_STRIDE] = {CAUSE_STRIDE, FORM_STRIDE, false, "%s is read in rows of %o elements",
                       "%s 按每行 %o 个元素读取"},
    [CHANGE_SWAP] = {CAUSE_INPUTS_SWAPPED, FORM_SWAP, false, "%s has changed places with %o",
                     "%s 与 %o 互换"},
    [CHANGE_SIZE_LESS] = {CAUSE_LAST_LEFT_OUT, FORM_SIZE, false, "%s is one less", "%s 减少 1"},
    [CHANGE_SIZE_WHOLE] = {CAUSE_TAIL, FORM_SIZE_PIECES, false,
                           "%s is rounded down to a multiple of %n", "%s 向下取整到 %n 的倍数"},
    [CHANGE_SIZE_FIRST] = {CAUSE_FIRST_PIECE, FORM_SIZE_PIECES, false, "%s is %n", "%s 是 %n"},
};

static bool has_values(const struct exercise_param *param) {
    return param->role == ROLE_IN || param->role == ROLE_INOUT;
}

enum cause experiment_cause(const struct exercise *exercise, const struct experiment *experiment) {
    bool replaces = experiment->change == CHANGE_ZERO && experiment->param != EXPERIMENT_ALL &&
                    exercise->params[experiment->param].role == ROLE_INOUT;
    return replaces ? CAUSE_OVERWRITTEN : changes[experiment->change].cause;
}

/* ---- the list -------------------------------------------------------------------------------- */

struct list {
    struct experiment *items;
    size_t count, capacity;
};

static void add(struct list *list, struct experiment experiment) {
    *mem_push(&list->items, &list->count, &list->capacity) = experiment;
}

static bool has_piece(enum experiment_change change) {
    enum change_form form = changes[change].form;
    return form == FORM_PIECES || form == FORM_TILES || form == FORM_SIZE_PIECES;
}

static void add_axes(struct list *list, const struct exercise_param *param,
                     struct experiment experiment) {
    for (experiment.axis = 0; experiment.axis < param->rank; experiment.axis++)
        add(list, experiment);
}

/* What can change places, or be taken for an input. */
static bool is_input(const struct exercise_param *param) {
    return has_values(param) || param->role == ROLE_SCALAR;
}

static void add_swaps(struct list *list, const struct exercise *exercise,
                      struct experiment experiment) {
    const struct exercise_param *param = &exercise->params[experiment.param];
    for (experiment.other = experiment.param + 1; experiment.other < exercise->param_count;
         experiment.other++) {
        const struct exercise_param *other = &exercise->params[experiment.other];
        if (is_input(other) && has_values(other) == has_values(param) &&
            other->type == param->type && other->rank == param->rank)
            add(list, experiment);
    }
}

static void add_strides(struct list *list, const struct exercise *exercise,
                        struct experiment experiment) {
    for (experiment.other = 0; experiment.other < exercise->param_count; experiment.other++)
        if (exercise->params[experiment.other].role == ROLE_SIZE)
            add(list, experiment);
}

/* Steps of a reduction are halves of few groups, and only a block repeats itself. */
static bool is_likely(enum experiment_change change, enum view_piece piece) {
    bool group =
        piece < PIECE_PRODUCT || piece == PIECE_2 || piece == PIECE_32 || piece == PIECE_32 + 1;
    switch (change) {
    case CHANGE_LOW:
    case CHANGE_HIGH:
    case CHANGE_ONE:
    case CHANGE_WARP:
        return group;
    case CHANGE_REPEAT:
        return piece < PIECE_PRODUCT;
    default:
        return true;
    }
}

static void add_changes(struct list *list, const struct exercise *exercise,
                        struct experiment experiment) {
    const struct exercise_param *param = &exercise->params[experiment.param];
    const struct change_info *info = &changes[experiment.change];
    bool is_matrix = has_values(param) && param->rank == 2;
    if (info->floats_only && !element_infos[param->type].is_float)
        return;
    switch (info->form) {
    case FORM_AXIS:
    case FORM_PIECES:
        if (has_values(param))
            add_axes(list, param, experiment);
        break;
    case FORM_TILES:
        if (is_matrix)
            add(list, experiment);
        break;
    case FORM_WHOLE:
        if (experiment.change == CHANGE_TRANSPOSE ? is_matrix : has_values(param))
            add(list, experiment);
        break;
    case FORM_VALUE:
        if (is_input(param))
            add(list, experiment);
        break;
    case FORM_SWAP:
        if (is_input(param))
            add_swaps(list, exercise, experiment);
        break;
    case FORM_STRIDE:
        if (is_matrix)
            add_strides(list, exercise, experiment);
        break;
    case FORM_SIZE:
    case FORM_SIZE_PIECES:
        if (param->role == ROLE_SIZE)
            add(list, experiment);
        break;
    }
}

/* Those without pieces first, then piece by piece: where not all can be made, the likely ones are.
 */
struct experiment *experiment_list(const struct exercise *exercise, size_t *count) {
    struct list list = {0};
    add(&list, (struct experiment){.change = CHANGE_HALF, .param = EXPERIMENT_ALL});
    for (unsigned piece = 0; piece <= PIECE_COUNT; piece++)
        for (unsigned change = 0; change < CHANGE_COUNT; change++)
            for (size_t param = 0; param < exercise->param_count; param++)
                if (has_piece((enum experiment_change)change) == (piece != 0) &&
                    (!piece ||
                     is_likely((enum experiment_change)change, (enum view_piece)(piece - 1))))
                    add_changes(
                        &list, exercise,
                        (struct experiment){.change = (enum experiment_change)change,
                                            .param = param,
                                            .piece = (enum view_piece)(piece ? piece - 1 : 0)});
    *count = list.count;
    return list.items;
}

/* ---- a change -------------------------------------------------------------------------------- */

static uint64_t coordinate(const struct engine_argument *argument, uint64_t flat, unsigned axis) {
    unsigned rank = argument->rank ? argument->rank : 1;
    for (unsigned i = rank; i-- > axis + 1;)
        flat /= argument->shape[i];
    return axis ? flat % argument->shape[axis] : flat;
}

static uint64_t extent(const struct engine_argument *argument, unsigned axis) {
    return argument->rank ? argument->shape[axis] : argument->count;
}

/* Whether the element becomes 0. */
static bool is_dropped(enum experiment_change change, uint64_t at, uint64_t end, uint64_t piece) {
    switch (change) {
    case CHANGE_LAST:
        return at + 1 == end;
    case CHANGE_FIRST_ONE:
        return at == 0;
    case CHANGE_LAST_PIECE:
        return at >= (end - 1) / piece * piece;
    case CHANGE_WARP:
        return at % piece >= 32;
    case CHANGE_TAIL:
        return at >= end / piece * piece;
    case CHANGE_FIRST:
        return at >= piece;
    case CHANGE_END:
        return at < (end - 1) / piece * piece;
    case CHANGE_LOW:
        return at % piece >= piece / 2;
    case CHANGE_HIGH:
        return at % piece < piece / 2;
    case CHANGE_ONE:
        return at % piece != 0;
    default:
        return false;
    }
}

/* The distance in elements from one coordinate of the axis to the next. */
static uint64_t stride_of(const struct engine_argument *argument, unsigned axis) {
    uint64_t stride = 1;
    for (unsigned i = axis + 1; i < argument->rank; i++)
        stride *= argument->shape[i];
    return stride;
}

/* The mirrored element; `count` where it is outside of the matrix. */
static uint64_t mirrored_in_tile(const struct engine_argument *argument, uint64_t side,
                                 uint64_t i) {
    uint64_t rows = argument->shape[0], columns = argument->shape[1];
    uint64_t row = i / columns, column = i % columns;
    uint64_t from_row = row - row % side + column % side;
    uint64_t from_column = column - column % side + row % side;
    return from_row < rows && from_column < columns ? from_row * columns + from_column
                                                    : argument->count;
}

/* The element that is here where rows are `length` elements apart; `count`: none is. */
static uint64_t element_of_stride(const struct engine_argument *argument, uint64_t length,
                                  uint64_t i) {
    uint64_t columns = argument->shape[1], from = i / columns * length + i % columns;
    return from < argument->count ? from : argument->count;
}

/* The element whose value comes here. */
static uint64_t source_of(const struct experiment *experiment, uint64_t piece,
                          const struct engine_argument *argument, uint64_t i) {
    uint64_t end = extent(argument, experiment->axis),
             at = coordinate(argument, i, experiment->axis);
    uint64_t stride = stride_of(argument, experiment->axis);
    switch (experiment->change) {
    case CHANGE_REPEAT:
        return i - (at - at % piece) * stride;
    case CHANGE_TILES:
        return mirrored_in_tile(argument, piece, i);
    case CHANGE_STRIDE:
        return element_of_stride(argument, piece, i);
    case CHANGE_REVERSE_AXIS:
        return i - at * stride + (end - 1 - at) * stride;
    case CHANGE_TRANSPOSE:
        return i % argument->shape[1] * argument->shape[0] + i / argument->shape[1];
    case CHANGE_REVERSE:
        return argument->count - 1 - i;
    case CHANGE_NEXT:
        return at + 1 < end ? i + stride : i;
    case CHANGE_BEFORE:
        return at ? i - stride : i;
    default:
        return i;
    }
}

static double changed_value(enum experiment_change change, double value) {
    unsigned char bits[8];
    switch (change) {
    case CHANGE_ZERO:
        return 0;
    case CHANGE_ONES:
        return 1;
    case CHANGE_NEGATE:
        return -value;
    case CHANGE_DOUBLE:
        return 2 * value;
    case CHANGE_HALF:
        element_from_double(ELEMENT_f16, bits, 0, value);
        return element_to_double(ELEMENT_f16, bits, 0);
    case CHANGE_WHOLE:
        return trunc(value);
    default:
        return value;
    }
}

static void change_values(const struct experiment *experiment,
                          const struct engine_argument *argument, char *values) {
    for (uint64_t i = 0; i < argument->count; i++)
        element_from_double(
            argument->type, values, i,
            changed_value(experiment->change, element_to_double(argument->type, values, i)));
}

static void drop_elements(const struct experiment *experiment, uint64_t piece,
                          const struct engine_argument *argument, char *values) {
    unsigned bytes = element_infos[argument->type].bytes;
    uint64_t end = extent(argument, experiment->axis);
    for (uint64_t i = 0; i < argument->count; i++)
        if (is_dropped(experiment->change, coordinate(argument, i, experiment->axis), end, piece))
            memset(values + i * bytes, 0, bytes);
}

static void move_elements(const struct experiment *experiment, uint64_t piece,
                          const struct engine_argument *argument, char *values) {
    unsigned bytes = element_infos[argument->type].bytes;
    /* What comes from outside is 0. */
    cleanup_free char *before = mem_zalloc((argument->count + 1) * bytes);
    memcpy(before, values, argument->count * bytes);
    for (uint64_t i = 0; i < argument->count; i++)
        memcpy(values + i * bytes, before + source_of(experiment, piece, argument, i) * bytes,
               bytes);
}

static bool drops(enum experiment_change change) {
    return change == CHANGE_LAST || change == CHANGE_FIRST_ONE ||
           (changes[change].form == FORM_PIECES && change != CHANGE_REPEAT);
}

static bool change_buffer(const struct experiment *experiment, uint64_t piece,
                          const struct engine_argument *argument, void *data) {
    size_t length = argument->count * element_infos[argument->type].bytes;
    char *values = (char *)data + argument->data_offset;
    cleanup_free char *before = mem_alloc(length + 1);
    memcpy(before, values, length);
    if (changes[experiment->change].form == FORM_VALUE)
        change_values(experiment, argument, values);
    else if (drops(experiment->change))
        drop_elements(experiment, piece, argument, values);
    else
        move_elements(experiment, piece, argument, values);
    return memcmp(before, values, length) != 0;
}

/* One may be of doubles where it is an inout of floats. */
static bool swap_buffers(const struct engine_argument *first, const struct engine_argument *second,
                         void *data) {
    char *a = (char *)data + first->data_offset, *b = (char *)data + second->data_offset;
    bool changed = false;
    if (first->count != second->count || memcmp(first->shape, second->shape, sizeof first->shape))
        return false;
    for (uint64_t i = 0; i < first->count; i++) {
        double one = element_to_double(first->type, a, i);
        double other = element_to_double(second->type, b, i);
        element_from_double(first->type, a, i, other);
        element_from_double(second->type, b, i, one);
        changed |= one != other;
    }
    return changed;
}

static bool swap_scalars(struct engine_argument *first, struct engine_argument *second) {
    uint64_t scalar = first->scalar;
    first->scalar = second->scalar;
    second->scalar = scalar;
    return first->scalar != scalar;
}

static bool change_scalar(const struct experiment *experiment, int64_t piece,
                          struct engine_argument *argument) {
    uint64_t bits = 0;
    double value = element_to_double(argument->type, &argument->scalar, 0);
    int64_t size = (int64_t)value;
    switch (experiment->change) {
    case CHANGE_SIZE_LESS:
        value = size > 0 ? (double)(size - 1) : 0;
        break;
    case CHANGE_SIZE_WHOLE:
        value = (double)(size / piece * piece);
        break;
    case CHANGE_SIZE_FIRST:
        value = (double)(size < piece ? size : piece);
        break;
    default:
        value = changed_value(experiment->change, value);
        break;
    }
    element_from_double(argument->type, &bits, 0, value);
    bool changed = bits != argument->scalar;
    argument->scalar = bits;
    return changed;
}

bool experiment_leaves_out(const struct experiment *experiment) {
    enum change_form form = changes[experiment->change].form;
    return drops(experiment->change) || form == FORM_SIZE || form == FORM_SIZE_PIECES;
}

/* The length of a piece, or of a row; 0: there is none. */
static int64_t piece_of(const struct experiment *experiment, const int64_t pieces[PIECE_COUNT],
                        const struct engine_argument *arguments) {
    if (experiment->change != CHANGE_STRIDE)
        return has_piece(experiment->change) ? pieces[experiment->piece] : 1;
    const struct engine_argument *size = &arguments[experiment->other];
    double length = element_to_double(size->type, &size->scalar, 0);
    return length >= 1 && length <= VIEW_MAX_ELEMENTS ? (int64_t)length : 0;
}

bool experiment_apply(const struct exercise *exercise, const struct experiment *experiment,
                      const int64_t pieces[PIECE_COUNT], struct engine_argument *arguments,
                      void *data) {
    bool changed = false;
    int64_t piece = piece_of(experiment, pieces, arguments);
    if (piece < 1)
        return false;
    if (experiment->param != EXPERIMENT_ALL) {
        struct engine_argument *argument = &arguments[experiment->param];
        struct engine_argument *other = &arguments[experiment->other];
        if (experiment->change == CHANGE_SWAP)
            return argument->is_buffer ? swap_buffers(argument, other, data)
                                       : swap_scalars(argument, other);
        return argument->is_buffer
                   ? argument->count && change_buffer(experiment, (uint64_t)piece, argument, data)
                   : change_scalar(experiment, piece, argument);
    }
    for (size_t i = 0; i < exercise->param_count; i++) {
        const struct exercise_param *param = &exercise->params[i];
        /* In the reference's launch an inout of floats is one of doubles. */
        if (has_values(param) && element_infos[param->type].is_float && param->type != ELEMENT_f16)
            changed |= change_buffer(experiment, 1, &arguments[i], data);
    }
    return changed;
}

bool experiment_is_telling(const struct experiment *experiment, const int64_t pieces[PIECE_COUNT],
                           const struct engine_argument *arguments) {
    if (experiment->param == EXPERIMENT_ALL)
        return true;
    const struct engine_argument *argument = &arguments[experiment->param];
    uint64_t piece = has_piece(experiment->change) ? (uint64_t)pieces[experiment->piece] : 1;
    uint64_t end = argument->is_buffer
                       ? extent(argument, experiment->axis)
                       : (uint64_t)element_to_double(argument->type, &argument->scalar, 0);
    switch (experiment->change) {
    case CHANGE_LAST_PIECE: /* a last piece that is not whole is what CHANGE_TAIL drops */
        return end > piece && end % piece == 0;
    case CHANGE_TAIL:
    case CHANGE_LAST:
    case CHANGE_FIRST_ONE:
    case CHANGE_SIZE_LESS:
    case CHANGE_SIZE_WHOLE:
        return end > piece;
    case CHANGE_HIGH:
        return end > piece / 2;
    default:
        return true;
    }
}

/* ---- words ----------------------------------------------------------------------------------- */

static const char *axis_noun(const struct exercise_param *param, unsigned axis,
                             enum language language) {
    if (param->rank <= 1)
        return WORDS(language, element);
    return axis + 1 == param->rank   ? WORDS(language, column)
           : axis + 2 == param->rank ? WORDS(language, row)
                                     : WORDS(language, plane);
}

void experiment_describe(const struct exercise *exercise, const struct experiment *experiment,
                         const int64_t pieces[PIECE_COUNT], enum language language,
                         struct text *out) {
    const struct change_info *change = &changes[experiment->change];
    text_append(out, WORDS(language, same_where));
    if (experiment->param == EXPERIMENT_ALL) {
        text_append(out, WORDS(language, every_input_half));
        return;
    }
    const struct exercise_param *param = &exercise->params[experiment->param];
    for (const char *at = language == LANGUAGE_EN ? change->words : change->chinese; *at; at++) {
        char kind = *at == '%' ? *++at : '\0';
        if (kind == 's')
            text_append(out, param->name);
        else if (kind == 'o')
            text_append(out, exercise->params[experiment->other].name);
        else if (kind == 'a')
            text_append(out, axis_noun(param, experiment->axis, language));
        else if (kind == 'n')
            text_printf(out, "%" PRId64, pieces[experiment->piece]);
        else
            text_append_char(out, *at);
    }
}
