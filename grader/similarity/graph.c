/* From PTX to a graph: one node an instruction, edges from what it uses to what made it.
 *
 * NVRTC writes nearly static single assignment: a register has several definitions only where ways
 * meet, and these are an operand's definitions together. Moves and changes of address space name a
 * value and add nothing: edges go through them. */
#include "grader/similarity/graph.h"

#include "grader/similarity/operation.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/mix.h"
#include "sandbox/simgpu/ptx/ptx.h"

#include <stdlib.h>
#include <string.h>

enum {
    NONE = UINT32_MAX,
    MAX_FUNCTIONS = 256,
    MAX_MOVES = 8,
    MAX_STEPS = 64,
    MAX_OPERANDS = 8 * GRAPH_MAX_NODES
};

/* What a value is; begins its hash. */
enum value_kind { VALUE_NUMBER = 1, VALUE_SPECIAL, VALUE_PARAMETER, VALUE_VARIABLE, VALUE_OTHER };

struct reader {
    const struct ptx_module *module;
    const struct ptx_function *function;
    struct graph *graph;
    uint32_t main_file, line;
    /* of the present function: a register's definitions, as a list through its instructions */
    uint32_t *first; /* of a register: an entry of `next`, or NONE */
    struct definition {
        uint32_t node, next;
    } * list;
    size_t list_count, list_capacity;
    uint32_t *moved_from; /* of a node from `base` on: the register that it copies, or NONE */
    size_t base;
    unsigned steps; /* left for the definitions of one operand */
};

static uint64_t hash_text(struct ptx_span span) {
    uint64_t hash = 1469598103934665603u;
    for (uint32_t i = 0; i < span.length; i++)
        hash = (hash ^ (unsigned char)span.start[i]) * 1099511628211u;
    return hash;
}

static uint64_t value_of(enum value_kind kind, uint64_t first, uint64_t second) {
    return mix_word(mix_word(first, kind), second + 1);
}

static const struct ptx_operand *operand_at(const struct reader *reader, uint32_t index) {
    return &reader->module->operands[index];
}

/* ---- values ---------------------------------------------------------------------------------- */

static uint64_t symbol_value(const struct reader *reader, const struct ptx_operand *operand) {
    const struct ptx_function *function = reader->function;
    if (operand->symbol == PTX_NO_SYMBOL)
        return value_of(VALUE_OTHER, 0, 0); /* a label or a function: its name is no evidence */
    if (!operand->global_symbol)
        for (size_t i = 0; i < function->param_count; i++)
            if (function->params[i] == operand->symbol)
                return value_of(VALUE_PARAMETER, i, function->is_entry);
    const struct ptx_variable *variable = operand->global_symbol
                                              ? &reader->module->variables[operand->symbol]
                                              : &function->variables[operand->symbol];
    return value_of(VALUE_VARIABLE, variable->space, variable->bytes);
}

static struct graph_operand *add_operand(struct reader *reader) {
    struct graph *graph = reader->graph;
    graph->nodes[graph->node_count - 1].operand_count++;
    return mem_push(&graph->operands, &graph->operand_count, &graph->operand_capacity);
}

static void add_value(struct reader *reader, uint64_t value) {
    *add_operand(reader) = (struct graph_operand){.is_value = true, .value = value};
}

/* The register's number stands in definition_start until all definitions are known. */
static void add_register(struct reader *reader, int32_t index) {
    *add_operand(reader) = (struct graph_operand){.definition_start = (uint32_t)index};
}

static void add_used(struct reader *reader, const struct ptx_operand *operand) {
    switch (operand->kind) {
    case OPERAND_REGISTER:
        add_register(reader, operand->symbol);
        break;
    case OPERAND_SPECIAL:
        add_value(reader, value_of(VALUE_SPECIAL, hash_text(operand->name), 0));
        break;
    case OPERAND_INTEGER:
    case OPERAND_F32:
    case OPERAND_F64:
        add_value(reader, value_of(VALUE_NUMBER, operand->bits, 0));
        break;
    case OPERAND_SYMBOL:
        add_value(reader, symbol_value(reader, operand));
        break;
    case OPERAND_ADDRESS:
    case OPERAND_LIST:
    case OPERAND_PAIR:
        for (uint32_t i = 0; i < operand->list_count; i++)
            add_used(reader, operand_at(reader, operand->list_start + i));
        break;
    case OPERAND_SINK:
        break;
    }
    if (operand->offset)
        add_value(reader, value_of(VALUE_NUMBER, (uint64_t)operand->offset, 0));
}

/* ---- definitions ----------------------------------------------------------------------------- */

static void define(struct reader *reader, const struct ptx_operand *operand, uint32_t node) {
    if (operand->kind == OPERAND_REGISTER) {
        uint32_t *first = &reader->first[operand->symbol];
        *mem_push(&reader->list, &reader->list_count, &reader->list_capacity) =
            (struct definition){node, *first};
        *first = (uint32_t)(reader->list_count - 1);
    } else if (operand->kind == OPERAND_LIST || operand->kind == OPERAND_PAIR) {
        for (uint32_t i = 0; i < operand->list_count; i++)
            define(reader, operand_at(reader, operand->list_start + i), node);
    }
}

static bool defines(const struct ptx_instruction *instruction) {
    static const char *const others[] = {"st",    "red",  "bar",  "barrier",  "bra",      "brx",
                                         "ret",   "exit", "call", "membar",   "fence",    "trap",
                                         "brkpt", "cp",   "wmma", "prefetch", "prefetchu"};
    cleanup_free char *name =
        mem_strndup(instruction->mnemonic.start, instruction->mnemonic.length);
    char *dot = strchr(name, '.');
    bool store = strncmp(name, "wmma.store", 10) == 0;
    if (strncmp(name, "wmma", 4) == 0)
        return !store;
    if (dot)
        *dot = '\0';
    for (size_t i = 0; i < ARRAY_LENGTH(others); i++)
        if (strcmp(name, others[i]) == 0)
            return false;
    return true;
}

/* ---- instructions ---------------------------------------------------------------------------- */

/* Instructions of headers stand at the line that the compiler gave last. */
static uint32_t line_of(struct reader *reader, int32_t index) {
    if (index < 0 || (size_t)index >= reader->module->location_count)
        return reader->line;
    const struct ptx_location *location = &reader->module->locations[index];
    if (location->file == reader->main_file && location->line)
        reader->line = location->line;
    else if (location->inlined && location->inlined_file == reader->main_file)
        reader->line = location->inlined_line;
    return reader->line;
}

/* a > 31 is a >= 32: of whole numbers the bound alone counts. */
static void use_comparison(struct reader *reader, const struct operation *operation,
                           const struct ptx_operand *left, const struct ptx_operand *right) {
    if (!operation->is_swapped) {
        add_used(reader, left);
        add_used(reader, right);
    } else if (right->kind == OPERAND_INTEGER) {
        add_used(reader, left);
        add_value(reader, value_of(VALUE_NUMBER, right->bits + 1, 0));
    } else {
        add_used(reader, right);
        add_used(reader, left);
    }
}

static void read_operands(struct reader *reader, const struct ptx_instruction *instruction,
                          const struct operation *operation, uint32_t node) {
    uint32_t at = instruction->operand_start, end = at + instruction->operand_count;
    if (at < end && defines(instruction))
        define(reader, operand_at(reader, at++), node);
    if (operation->is_ordered && end - at >= 2) {
        use_comparison(reader, operation, operand_at(reader, at), operand_at(reader, at + 1));
        at += 2;
    }
    for (; at < end && !operation->is_branch; at++)
        add_used(reader, operand_at(reader, at));
    if (instruction->guard >= 0)
        add_register(reader, instruction->guard);
}

static void read_instruction(struct reader *reader, const struct ptx_instruction *instruction) {
    struct graph *graph = reader->graph;
    struct operation operation = operation_read(instruction->mnemonic);
    uint32_t node = (uint32_t)graph->node_count;
    bool plain = instruction->guard < 0;
    *mem_push(&graph->nodes, &graph->node_count, &graph->node_capacity) = (struct graph_node){
        .operation = hash_text((struct ptx_span){operation.name, (uint32_t)strlen(operation.name)}),
        .commutes = operation.commutes,
        .line = line_of(reader, instruction->location),
        .operand_start = (uint32_t)graph->operand_count};
    read_operands(reader, instruction, &operation, node);
    struct graph_node *made = &graph->nodes[node];
    made->is_leaf =
        plain && (operation.is_move || operation.is_parameter) && made->operand_count == 1;
    const struct graph_operand *only = &graph->operands[made->operand_start];
    reader->moved_from[node - reader->base] =
        made->is_leaf && !only->is_value ? only->definition_start : NONE;
}

/* ---- edges ----------------------------------------------------------------------------------- */

static void add_definitions(struct reader *reader, struct graph_operand *operand, uint32_t source,
                            unsigned depth) {
    struct graph *graph = reader->graph;
    for (uint32_t i = reader->first[source]; i != NONE; i = reader->list[i].next) {
        if (!reader->steps)
            return;
        reader->steps--;
        uint32_t node = reader->list[i].node, from = reader->moved_from[node - reader->base];
        if (from != NONE && depth < MAX_MOVES) {
            add_definitions(reader, operand, from, depth + 1);
        } else if (operand->definition_count < GRAPH_MAX_DEFINITIONS) {
            *mem_push(&graph->definitions, &graph->definition_count, &graph->definition_capacity) =
                node;
            operand->definition_count++;
        }
        if (operand->definition_count == GRAPH_MAX_DEFINITIONS)
            return;
    }
}

static void connect(struct reader *reader, size_t first_operand) {
    struct graph *graph = reader->graph;
    for (size_t i = first_operand; i < graph->operand_count; i++) {
        struct graph_operand *operand = &graph->operands[i];
        if (operand->is_value)
            continue;
        uint32_t source = operand->definition_start;
        operand->definition_start = (uint32_t)graph->definition_count;
        reader->steps = MAX_STEPS;
        add_definitions(reader, operand, source, 0);
    }
}

/* ---- functions ------------------------------------------------------------------------------- */

static enum status refuse(struct error *error) {
    return error_set(error, STATUS_INVALID,
                     "the kernel has more than %d instructions, too many to be compared",
                     GRAPH_MAX_NODES);
}

static enum status read_function(struct reader *reader, const struct ptx_function *function,
                                 struct error *error) {
    struct graph *graph = reader->graph;
    if (function->instruction_count > GRAPH_MAX_NODES - graph->node_count)
        return refuse(error);
    size_t first_operand = graph->operand_count;
    reader->function = function;
    reader->base = graph->node_count;
    reader->list_count = 0;
    reader->first = mem_alloc((function->register_count + 1) * sizeof *reader->first);
    memset(reader->first, 0xff, (function->register_count + 1) * sizeof *reader->first);
    reader->moved_from = mem_calloc(function->instruction_count + 1, sizeof *reader->moved_from);
    for (size_t i = 0; i < function->instruction_count; i++)
        if (function->instructions[i].mnemonic.length && graph->operand_count < MAX_OPERANDS)
            read_instruction(reader, &function->instructions[i]);
    connect(reader, first_operand);
    free(reader->first);
    free(reader->moved_from);
    return graph->operand_count < MAX_OPERANDS ? STATUS_OK : refuse(error);
}

struct reached {
    const struct ptx_function *functions[MAX_FUNCTIONS];
    size_t count;
};

static void reach(struct reached *reached, const struct ptx_function *function) {
    if (!function || !function->has_body || reached->count == MAX_FUNCTIONS)
        return;
    for (size_t i = 0; i < reached->count; i++)
        if (reached->functions[i] == function)
            return;
    reached->functions[reached->count++] = function;
}

static void reach_called(struct reached *reached, const struct ptx_module *module,
                         const struct ptx_function *function) {
    for (size_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        for (uint32_t j = 0; j < instruction->operand_count; j++) {
            const struct ptx_operand *operand = &module->operands[instruction->operand_start + j];
            bool calls = instruction->mnemonic.length >= 4 &&
                         memcmp(instruction->mnemonic.start, "call", 4) == 0;
            if (calls && operand->kind == OPERAND_SYMBOL && operand->symbol == PTX_NO_SYMBOL)
                reach(reached, ptx_find_function(module, operand->name));
        }
    }
}

static uint32_t main_file(const struct ptx_module *module, const char *file) {
    size_t length = strlen(file);
    for (size_t i = 0; i < module->file_count; i++) {
        struct ptx_span path = module->files[i].path;
        if (length && path.length >= length &&
            memcmp(path.start + path.length - length, file, length) == 0 &&
            (path.length == length || path.start[path.length - length - 1] == '/'))
            return module->files[i].number;
    }
    return module->file_count ? module->files[0].number : 0;
}

enum status graph_read(const char *ptx, size_t length, const char *lowered, const char *file,
                       struct graph *graph, struct error *error) {
    struct ptx_module *module = NULL;
    *graph = (struct graph){0};
    enum status status = ptx_parse(ptx, length, &module, error);
    if (status != STATUS_OK)
        return status;
    struct reader reader = {
        .module = module, .graph = graph, .main_file = main_file(module, file_base_name(file))};
    struct reached reached = {.count = 0};
    for (size_t i = 0; i < module->function_count; i++)
        if (module->functions[i].is_entry &&
            (!lowered || ptx_span_is(module->functions[i].name, lowered)))
            reach(&reached, &module->functions[i]);
    for (size_t i = 0; i < reached.count && status == STATUS_OK; i++) {
        reach_called(&reached, module, reached.functions[i]);
        status = read_function(&reader, reached.functions[i], error);
    }
    free(reader.list);
    ptx_module_free(module);
    return status;
}

void graph_free(struct graph *graph) {
    free(graph->nodes);
    free(graph->operands);
    free(graph->definitions);
    *graph = (struct graph){0};
}
