/* From a graph to features.
 *
 * A label of an instruction says what it does and, step by step further, what made its operands; it
 * knows neither registers nor the place among other instructions. Equal labels stand for equal
 * expressions, and of operations that commute for equal ones up to the order. Loops end after as
 * many steps as there are levels. */
#include "grader/similarity/feature.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/mix.h"

#include <stdlib.h>

enum { LEVELS = 4, MOST_SORTED = 16 };

static const uint64_t any_register = UINT64_C(0x51ab1e0fedc0ffee);

int feature_compare_keys(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

static uint64_t combine(uint64_t hash, uint64_t next) {
    return mix_word(hash, next | 1) ^ next;
}

static uint64_t combine_sorted(uint64_t hash, uint64_t *values, size_t count) {
    if (count)
        qsort(values, count, sizeof *values, feature_compare_keys);
    for (size_t i = 0; i < count; i++)
        hash = combine(hash, values[i]);
    return hash;
}

/* ---- labels ---------------------------------------------------------------------------------- */

struct labeller {
    const struct graph *graph;
    uint64_t *labels[LEVELS]; /* of each node */
};

/* Where values meet that nothing but a way through the program tells apart, their set counts. */
static uint64_t meeting(const struct labeller *labeller, const struct graph_operand *operand,
                        const uint64_t *labels) {
    const uint32_t *nodes = labeller->graph->definitions + operand->definition_start;
    uint64_t values[GRAPH_MAX_DEFINITIONS];
    size_t count = operand->definition_count;
    if (count == 1)
        return labels[nodes[0]];
    for (size_t i = 0; i < count; i++)
        values[i] = labels[nodes[i]];
    return combine_sorted(any_register, values, count);
}

/* The only maker is a leaf: then its value is known at every level. */
static const struct graph_node *leaf_of(const struct graph *graph,
                                        const struct graph_operand *operand) {
    if (operand->is_value || operand->definition_count != 1)
        return NULL;
    const struct graph_node *node = &graph->nodes[graph->definitions[operand->definition_start]];
    return node->is_leaf && graph->operands[node->operand_start].is_value ? node : NULL;
}

static uint64_t operand_label(const struct labeller *labeller, const struct graph_operand *operand,
                              unsigned level) {
    const struct graph *graph = labeller->graph;
    const struct graph_node *leaf = leaf_of(graph, operand);
    if (leaf)
        return graph->operands[leaf->operand_start].value;
    if (operand->is_value)
        return operand->value;
    return level ? meeting(labeller, operand, labeller->labels[level - 1]) : any_register;
}

static uint64_t node_label(const struct labeller *labeller, const struct graph_node *node,
                           unsigned level) {
    const struct graph_operand *operands = labeller->graph->operands + node->operand_start;
    uint64_t hash = node->operation, swapped[MOST_SORTED];
    size_t commutes = node->commutes < node->operand_count ? node->commutes : node->operand_count;
    if (node->is_leaf)
        return operand_label(labeller, operands, level);
    for (size_t i = 0; i < commutes; i++)
        swapped[i] = operand_label(labeller, &operands[i], level);
    hash = combine_sorted(hash, swapped, commutes);
    for (size_t i = commutes; i < node->operand_count; i++)
        hash = combine(hash, operand_label(labeller, &operands[i], level));
    return mix_word(hash, level + 1);
}

/* ---- features -------------------------------------------------------------------------------- */

/* The first feature of a label: others of the same label are numbered from there. */
static uint64_t key_of(uint64_t label) {
    return mix_word(label, 1);
}

static void add_from(struct feature_set *set, uint64_t key) {
    *mem_push(&set->from, &set->from_count, &set->from_capacity) = key;
    set->items[set->count - 1].from_count++;
}

static void add_feature(const struct labeller *labeller, size_t index, unsigned level,
                        struct feature_set *set) {
    const struct graph *graph = labeller->graph;
    const struct graph_node *node = &graph->nodes[index];
    *mem_push(&set->items, &set->count, &set->capacity) =
        (struct feature){.key = labeller->labels[level][index],
                         .line = node->line,
                         .from_start = (uint32_t)set->from_count};
    if (!level)
        return;
    const uint64_t *before = labeller->labels[level - 1];
    add_from(set, key_of(before[index]));
    for (uint32_t i = 0; i < node->operand_count; i++) {
        const struct graph_operand *operand = &graph->operands[node->operand_start + i];
        for (uint32_t j = 0; !operand->is_value && j < operand->definition_count; j++) {
            uint32_t maker = graph->definitions[operand->definition_start + j];
            if (!graph->nodes[maker].is_leaf)
                add_from(set, key_of(before[maker]));
        }
    }
}

void feature_of_graph(const struct graph *graph, struct feature_set *set) {
    struct labeller labeller = {.graph = graph};
    for (unsigned level = 0; level < LEVELS; level++) {
        labeller.labels[level] = mem_calloc(graph->node_count + 1, sizeof(uint64_t));
        for (size_t i = 0; i < graph->node_count; i++)
            labeller.labels[level][i] = node_label(&labeller, &graph->nodes[i], level);
    }
    for (unsigned level = 0; level < LEVELS; level++)
        for (size_t i = 0; i < graph->node_count; i++)
            if (!graph->nodes[i].is_leaf)
                add_feature(&labeller, i, level, set);
    for (unsigned level = 0; level < LEVELS; level++)
        free(labeller.labels[level]);
    feature_set_finish(set, FEATURE_MAX_EQUAL);
}

/* ---- sets ------------------------------------------------------------------------------------ */

static int compare_features(const void *left, const void *right) {
    const struct feature *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->line != b->line ? (a->line < b->line ? -1 : 1)
                              : (a->from_start > b->from_start) - (a->from_start < b->from_start);
}

void feature_set_finish(struct feature_set *set, size_t most_equal) {
    size_t kept = 0, equal = 0;
    if (!set->count)
        return;
    qsort(set->items, set->count, sizeof *set->items, compare_features);
    uint64_t last = 0;
    for (size_t i = 0; i < set->count; i++) {
        equal = i && set->items[i].key == last ? equal + 1 : 1;
        last = set->items[i].key;
        if (equal > most_equal)
            continue;
        set->items[kept] = set->items[i];
        set->items[kept].before = equal > 1 ? mix_word(last, equal - 1) : 0;
        set->items[kept++].key = mix_word(last, equal);
    }
    set->count = kept;
    qsort(set->items, set->count, sizeof *set->items, compare_features);
}

static int compare_key_to_feature(const void *key, const void *feature) {
    uint64_t a = *(const uint64_t *)key, b = ((const struct feature *)feature)->key;
    return a < b ? -1 : a > b;
}

bool feature_set_has(const struct feature_set *set, uint64_t key) {
    return set->count &&
           bsearch(&key, set->items, set->count, sizeof *set->items, compare_key_to_feature);
}

void feature_set_free(struct feature_set *set) {
    free(set->items);
    free(set->from);
    *set = (struct feature_set){0};
}
