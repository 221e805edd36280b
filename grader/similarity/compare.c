/* All pairs of a class, by what they share.
 *
 * For each submission the features' postings are walked and weights added up for everyone met, so
 * that pairs with nothing in common cost nothing. The score is
 *
 *     share * rarity * (1 - 2^(-bits / 16))
 *
 * bits: the weights of what is shared; share: these of what the smaller one has (the overlap
 * coefficient; with weights of information as in Lin, 1998), so that code added to a copy does not
 * hide it; rarity: how far what is shared is from what no one else has, so that a solution that
 * many found is none to be found again; the last factor: a few bits are chance. */
#include "grader/similarity/fingerprint.h"
#include "grader/similarity/index.h"
#include "grader/similarity/match.h"
#include "grader/similarity/source.h"
#include "sandbox/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double chance_bits = 16;   /* half of the score is lost to chance below this */
static const double least_score = 0.05; /* that is kept */
/* Of twins, what the smaller and the larger one share of all that they have. */
static const double twin_least = 0.85, twin_most = 0.6;
enum { MOST_TWINS = 5 }; /* of a small class; of a large one a fortieth */

struct comparison {
    const struct similarity_class *class;
    const struct similarity_options *options;
    struct similarity_result *result;
    struct fingerprint *fingerprints;
    struct index_document *documents;
    struct index graphs, runs, words;
    uint32_t *teams, *students; /* of an item: the first item of the same */
    uint32_t *groups;           /* of an item: whom it counts with as one submission */
    size_t *parents;            /* of an item, for joining items to sets */
    double *shared, *rare;      /* of an item, for the one that is looked at */
};

/* ---- who belongs together -------------------------------------------------------------------- */

struct named {
    const char *name;
    uint32_t item;
};

static int compare_named(const void *left, const void *right) {
    const struct named *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    return order ? order : (a->item > b->item) - (a->item < b->item);
}

/* Of each item the first of the same name; of one without a name, itself. */
static uint32_t *group_by(const struct similarity_class *class, bool by_team) {
    size_t count = class->item_count, used = 0;
    uint32_t *groups = mem_calloc(count + 1, sizeof *groups);
    cleanup_free struct named *named = mem_calloc(count + 1, sizeof *named);
    for (size_t i = 0; i < count; i++) {
        const struct similarity_item *item = &class->items[i];
        const char *name = by_team ? item->team : item->student;
        groups[i] = (uint32_t)i;
        if (name && *name && item->role != SIMILARITY_OWN && item->role != SIMILARITY_SKELETON)
            named[used++] = (struct named){name, (uint32_t)i};
    }
    if (used)
        qsort(named, used, sizeof *named, compare_named);
    for (size_t i = 1; i < used; i++)
        if (strcmp(named[i].name, named[i - 1].name) == 0)
            groups[named[i].item] = groups[named[i - 1].item];
    return groups;
}

static bool are_together(const struct comparison *c, size_t left, size_t right) {
    return c->teams[left] == c->teams[right] || c->students[left] == c->students[right];
}

/* ---- documents ------------------------------------------------------------------------------- */

static enum index_role role_of(enum similarity_role role) {
    return role == SIMILARITY_OWN        ? INDEX_OF_EXERCISE
           : role == SIMILARITY_SKELETON ? INDEX_SKELETON
                                         : INDEX_OF_CLASS;
}

static void build_index(struct comparison *c, size_t offset, double unit, struct index *index) {
    for (size_t i = 0; i < c->class->item_count; i++) {
        const struct feature_set *set = (const void *)((const char *)&c->fingerprints[i] + offset);
        c->documents[i] = (struct index_document){.set = set->count ? set : NULL,
                                                  .role = role_of(c->class->items[i].role),
                                                  .group = c->groups[i]};
    }
    index_build(c->documents, c->class->item_count, unit, index);
}

/* ---- pairs ----------------------------------------------------------------------------------- */

static void walk(struct comparison *c, const struct index *index, const struct feature_set *set) {
    memset(c->shared, 0, c->class->item_count * sizeof *c->shared);
    memset(c->rare, 0, c->class->item_count * sizeof *c->rare);
    for (size_t i = 0; i < set->count; i++) {
        const struct index_key *key = index_find(index, set->items[i].key);
        if (!key || key->weight <= 0)
            continue;
        double rare = key->weight * key->bits / index->most_bits;
        for (size_t j = 0; j < key->posting_count; j++) {
            uint32_t other = index->postings[key->posting_start + j];
            c->shared[other] += key->weight;
            c->rare[other] += rare;
        }
    }
}

static bool is_compared(const struct comparison *c, size_t left, size_t right) {
    enum similarity_role a = c->class->items[left].role, b = c->class->items[right].role;
    if (a != SIMILARITY_SUBMISSION || are_together(c, left, right))
        return false;
    return b == SIMILARITY_EARLIER || (b == SIMILARITY_SUBMISSION && right > left);
}

static void keep_pair(struct comparison *c, const struct index *index, size_t left, size_t right,
                      bool by_tokens) {
    double bits = c->shared[right];
    double least = fmin(index->totals[left], index->totals[right]);
    struct similarity_pair pair = {
        .left = left, .right = right, .bits = bits, .by_tokens = by_tokens};
    c->result->compared++;
    if (bits > 0 && least > 0) {
        pair.share = fmin(1, bits / least);
        pair.rarity = c->rare[right] / bits;
        pair.score = pair.share * pair.rarity * (1 - exp2(-bits / chance_bits));
    }
    c->result->found += pair.score >= c->options->threshold;
    if (c->options->keep_all || pair.score >= fmin(least_score, c->options->threshold))
        *mem_push(&c->result->pairs, &c->result->pair_count, &c->result->pair_capacity) = pair;
}

typedef void visit(struct comparison *c, const struct index *index, size_t left, size_t right,
                   bool by_tokens);

/* Everything that a submission is compared with, by `tokens` or by graphs where both compile. */
static void compare_one(struct comparison *c, size_t left, bool by_tokens, visit *see) {
    const struct fingerprint *own = &c->fingerprints[left];
    const struct index *index = by_tokens ? &c->runs : &c->graphs;
    if (c->class->items[left].role != SIMILARITY_SUBMISSION || (!by_tokens && !own->has_graph))
        return;
    walk(c, index, by_tokens ? &own->runs : &own->graph);
    for (size_t right = 0; right < c->class->item_count; right++) {
        bool graphs = own->has_graph && c->fingerprints[right].has_graph;
        if (graphs != by_tokens && is_compared(c, left, right))
            see(c, index, left, right, by_tokens);
    }
}

/* ---- groups of copies ------------------------------------------------------------------------ */

static size_t find_root(size_t *parents, size_t item) {
    while (parents[item] != item)
        item = parents[item] = parents[parents[item]];
    return item;
}

/* Nearly the same: both have little that the other has not. */
static void join_twins(struct comparison *c, const struct index *index, size_t left, size_t right,
                       bool by_tokens) {
    double least = fmin(index->totals[left], index->totals[right]);
    double most = fmax(index->totals[left], index->totals[right]);
    double bits = c->shared[right];
    if (!by_tokens && bits >= chance_bits && bits >= twin_least * least && bits >= twin_most * most)
        c->parents[find_root(c->parents, right)] = find_root(c->parents, left);
}

/* Three that are the same make what they share look usual to each two of them, and so would hide a
 * group of copies where the class is small. A few nearly equal submissions count as two, the two
 * that are asked about; many are a solution that is easily found. */
static void merge_twins(struct comparison *c) {
    size_t count = c->class->item_count, most = count / 40 > MOST_TWINS ? count / 40 : MOST_TWINS;
    cleanup_free size_t *sizes = mem_calloc(count + 1, sizeof *sizes);
    cleanup_free uint32_t *second = mem_calloc(count + 1, sizeof *second);
    for (size_t i = 0; i < count; i++)
        c->parents[i] = i;
    for (size_t i = 0; i < count; i++)
        compare_one(c, i, false, join_twins);
    for (size_t i = 0; i < count; i++)
        sizes[find_root(c->parents, i)] += c->groups[i] == i;
    for (size_t i = 0; i < count; i++) {
        size_t root = find_root(c->parents, i);
        if (sizes[root] < 3 || sizes[root] > most || c->groups[i] != i || i == root)
            continue;
        if (!second[root])
            second[root] = (uint32_t)i + 1;
        c->groups[i] = second[root] - 1;
    }
    for (size_t i = 0; i < count; i++) /* the rest of a team goes with its first */
        c->groups[i] = c->groups[c->groups[i]];
}

static int compare_pairs(const void *left, const void *right) {
    const struct similarity_pair *a = left, *b = right;
    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    if (a->left != b->left)
        return a->left < b->left ? -1 : 1;
    return (a->right > b->right) - (a->right < b->right);
}

/* ---- what the class looks like --------------------------------------------------------------- */

static int compare_numbers(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* What sets the median submission apart, in bits. */
static void judge_size(struct comparison *c) {
    size_t count = 0;
    struct similarity_result *result = c->result;
    cleanup_free double *totals = mem_calloc(c->class->item_count + 1, sizeof *totals);
    for (size_t i = 0; i < c->class->item_count; i++) {
        if (c->class->items[i].role != SIMILARITY_SUBMISSION)
            continue;
        result->submissions++;
        result->students += c->students[i] == i;
        if (c->fingerprints[i].has_graph)
            totals[count++] = c->graphs.totals[i];
    }
    if (!count)
        return;
    qsort(totals, count, sizeof *totals, compare_numbers);
    result->typical_bits = totals[count / 2];
    result->too_small = result->typical_bits < chance_bits;
}

/* Groups that pairs above the threshold connect, numbered as they appear in the ranking. */
static void find_clusters(struct comparison *c) {
    struct similarity_result *result = c->result;
    size_t count = c->class->item_count;
    size_t *parents = c->parents;
    cleanup_free size_t *numbers = mem_calloc(count + 1, sizeof *numbers);
    result->clusters = mem_calloc(count + 1, sizeof *result->clusters);
    for (size_t i = 0; i < count; i++)
        parents[i] = i;
    for (size_t i = 0; i < result->pair_count; i++)
        if (result->pairs[i].score >= c->options->threshold)
            parents[find_root(parents, result->pairs[i].left)] =
                find_root(parents, result->pairs[i].right);
    for (size_t i = 0; i < result->pair_count; i++) {
        struct similarity_pair *pair = &result->pairs[i];
        if (pair->score < c->options->threshold)
            continue;
        size_t *number = &numbers[find_root(parents, pair->left)];
        if (!*number)
            *number = ++result->cluster_count;
        pair->cluster = *number;
        result->clusters[pair->left] = result->clusters[pair->right] = *number;
    }
}

static void describe_pairs(struct comparison *c) {
    for (size_t i = 0; i < c->result->pair_count; i++) {
        struct similarity_pair *pair = &c->result->pairs[i];
        const struct similarity_item *left = &c->class->items[pair->left];
        const struct similarity_item *right = &c->class->items[pair->right];
        const struct fingerprint *a = &c->fingerprints[pair->left],
                                 *b = &c->fingerprints[pair->right];
        pair->same_bytes =
            left->length == right->length && memcmp(left->text, right->text, left->length) == 0;
        match_words(&c->words, left->text, &a->words, &b->words, pair);
        if (pair->by_tokens)
            match_lines(&c->runs, &a->runs, &b->runs, pair);
        else
            match_lines(&c->graphs, &a->graph, &b->graph, pair);
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void rank(struct comparison *c) {
    struct similarity_result *result = c->result;
    for (size_t i = 0; i < c->class->item_count; i++) {
        compare_one(c, i, false, keep_pair);
        compare_one(c, i, true, keep_pair);
    }
    if (result->pair_count)
        qsort(result->pairs, result->pair_count, sizeof *result->pairs, compare_pairs);
    find_clusters(c);
    if (c->options->limit && result->pair_count > c->options->limit)
        result->pair_count = c->options->limit;
    judge_size(c);
    describe_pairs(c);
}

static void take_problems(struct comparison *c) {
    c->result->problems = mem_calloc(c->class->item_count + 1, sizeof *c->result->problems);
    for (size_t i = 0; i < c->class->item_count; i++)
        c->result->problems[i] = steal_pointer(&c->fingerprints[i].problem);
}

enum status similarity_compare(const struct similarity_class *class,
                               const struct similarity_options *options,
                               struct similarity_result *result, struct error *error) {
    *result = (struct similarity_result){0};
    size_t count = class->item_count;
    if (count > SIMILARITY_MAX_ITEMS)
        return error_set(error, STATUS_INVALID, "%s has %zu submissions; at most %d are compared",
                         class->exercise, count, SIMILARITY_MAX_ITEMS);
    struct comparison c = {.class = class,
                           .options = options,
                           .result = result,
                           .fingerprints = mem_calloc(count + 1, sizeof *c.fingerprints),
                           .documents = mem_calloc(count + 1, sizeof *c.documents),
                           .teams = group_by(class, true),
                           .students = group_by(class, false),
                           .groups = mem_calloc(count + 1, sizeof *c.groups),
                           .parents = mem_calloc(count + 1, sizeof *c.parents),
                           .shared = mem_calloc(count + 1, sizeof *c.shared),
                           .rare = mem_calloc(count + 1, sizeof *c.rare)};
    enum status status = fingerprint_class(class, options->jobs, c.fingerprints, error);
    if (status == STATUS_OK) {
        for (size_t i = 0; i < count; i++)
            c.groups[i] = c.students[c.teams[i]];
        build_index(&c, offsetof(struct fingerprint, graph), 1, &c.graphs);
        merge_twins(&c);
        index_free(&c.graphs);
        build_index(&c, offsetof(struct fingerprint, graph), 1, &c.graphs);
        build_index(&c, offsetof(struct fingerprint, runs), 1.0 / SOURCE_RUN, &c.runs);
        build_index(&c, offsetof(struct fingerprint, words), 1, &c.words);
        rank(&c);
        take_problems(&c);
        index_free(&c.graphs);
        index_free(&c.runs);
        index_free(&c.words);
    }
    for (size_t i = 0; i < count; i++)
        fingerprint_free(&c.fingerprints[i]);
    free(c.fingerprints);
    free(c.documents);
    free(c.teams);
    free(c.students);
    free(c.groups);
    free(c.parents);
    free(c.shared);
    free(c.rare);
    return status;
}

void similarity_result_free(const struct similarity_class *class,
                            struct similarity_result *result) {
    for (size_t i = 0; i < result->pair_count; i++) {
        free(result->pairs[i].lines);
        free(result->pairs[i].words);
    }
    for (size_t i = 0; i < class->item_count && result->problems; i++)
        free(result->problems[i]);
    free(result->pairs);
    free(result->clusters);
    free(result->problems);
    *result = (struct similarity_result){0};
}

struct similarity_item *similarity_add(struct similarity_class *class) {
    return mem_push(&class->items, &class->item_count, &class->item_capacity);
}

void similarity_class_free(struct similarity_class *class) {
    for (size_t i = 0; i < class->item_count; i++) {
        struct similarity_item *item = &class->items[i];
        free(item->student);
        free(item->team);
        free(item->origin);
        free(item->file);
        free(item->text);
    }
    free(class->items);
    free(class->exercise);
    *class = (struct similarity_class){0};
}
