/* The worth of a feature.
 *
 * Two submissions are asked how improbable it is that they agree by chance. A feature that all have
 * says nothing; one that no other independent submission has, much: -log2 of its share (inverse
 * document frequency: Spärck Jones, 1972). The two that agree are not among the others, so two are
 * taken off the count. The exercise's own kernels stand for a few submissions more: most of them
 * are variants of one solution, so their number counts little, but what they have is known to be
 * near at hand. A feature contains smaller ones, and adds only what these do not say already. */
#include "grader/similarity/index.h"

#include "sandbox/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A share is never 0 or 1: half a submission more has it, half a one has not. */
static const double prior = 0.5;
enum { AGREEING = 2, MOST_OWN = 4 };

struct entry {
    uint64_t key;
    uint32_t document;
};

static int compare_entries(const void *left, const void *right) {
    const struct entry *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->document > b->document) - (a->document < b->document);
}

static struct entry *list_entries(const struct index_document *documents, size_t count,
                                  size_t *entry_count) {
    size_t total = 0, at = 0;
    for (size_t i = 0; i < count; i++)
        total += documents[i].set ? documents[i].set->count : 0;
    struct entry *entries = mem_calloc(total + 1, sizeof *entries);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; documents[i].set && j < documents[i].set->count; j++)
            entries[at++] = (struct entry){documents[i].set->items[j].key, (uint32_t)i};
    if (total)
        qsort(entries, total, sizeof *entries, compare_entries);
    *entry_count = total;
    return entries;
}

/* ---- shares ---------------------------------------------------------------------------------- */

struct counter {
    const struct index_document *documents;
    uint32_t *seen; /* of a group: the last key that counted it */
    uint32_t turn;
    size_t groups, own; /* of all documents */
};

static void open_counter(const struct index_document *documents, size_t count,
                         struct counter *counter) {
    *counter = (struct counter){
        .documents = documents, .seen = mem_calloc(count + 1, sizeof(uint32_t)), .turn = 1};
    for (size_t i = 0; i < count; i++) {
        const struct index_document *document = &documents[i];
        if (!document->set)
            continue;
        counter->own += document->role == INDEX_OF_EXERCISE;
        if (document->role == INDEX_OF_CLASS && counter->seen[document->group] != counter->turn) {
            counter->seen[document->group] = counter->turn;
            counter->groups++;
        }
    }
}

/* Of how many bits it is that a further submission has what these documents have. */
static double bits_of(struct counter *counter, const uint32_t *postings, size_t count) {
    size_t groups = 0, own = 0;
    counter->turn++;
    for (size_t i = 0; i < count; i++) {
        const struct index_document *document = &counter->documents[postings[i]];
        if (document->role == INDEX_SKELETON)
            return 0;
        own += document->role == INDEX_OF_EXERCISE;
        if (document->role == INDEX_OF_CLASS && counter->seen[document->group] != counter->turn) {
            counter->seen[document->group] = counter->turn;
            groups++;
        }
    }
    double others = groups > AGREEING ? (double)(groups - AGREEING) : 0;
    double all = counter->groups > AGREEING ? (double)(counter->groups - AGREEING) : 0;
    double known = counter->own < MOST_OWN ? (double)counter->own : MOST_OWN;
    double near = counter->own ? known * sqrt((double)own / (double)counter->own) : 0;
    return -log2((others + near + prior) / (all + known + 2 * prior));
}

static double most_bits(const struct counter *counter) {
    double all = counter->groups > AGREEING ? (double)(counter->groups - AGREEING) : 0;
    double known = counter->own < MOST_OWN ? (double)counter->own : MOST_OWN;
    return -log2(prior / (all + known + 2 * prior));
}

/* ---- weights --------------------------------------------------------------------------------- */

static const struct feature *find_feature(const struct feature_set *set, uint64_t key) {
    size_t low = 0, high = set->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (set->items[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return &set->items[low];
}

static double weight_of(const struct index *index, const struct index_document *documents,
                        const struct index_key *key) {
    const struct feature_set *set = documents[index->postings[key->posting_start]].set;
    const struct feature *feature = find_feature(set, key->key);
    const struct index_key *before = feature->before ? index_find(index, feature->before) : NULL;
    double said = before ? before->bits : 0;
    for (uint32_t i = 0; i < feature->from_count; i++) {
        const struct index_key *part = index_find(index, set->from[feature->from_start + i]);
        if (part && part->bits > said)
            said = part->bits;
    }
    return key->bits > said ? key->bits - said : 0;
}

static void fill_keys(const struct entry *entries, size_t count, struct counter *counter,
                      struct index *index) {
    for (size_t i = 0; i < count; i++) {
        index->postings[i] = entries[i].document;
        if (!i || entries[i].key != entries[i - 1].key)
            index->keys[index->key_count++] =
                (struct index_key){.key = entries[i].key, .posting_start = i};
        index->keys[index->key_count - 1].posting_count++;
    }
    for (size_t i = 0; i < index->key_count; i++) {
        struct index_key *key = &index->keys[i];
        key->bits = bits_of(counter, index->postings + key->posting_start, key->posting_count);
    }
}

void index_build(const struct index_document *documents, size_t count, double unit,
                 struct index *index) {
    size_t entry_count;
    cleanup_free struct entry *entries = list_entries(documents, count, &entry_count);
    struct counter counter;
    open_counter(documents, count, &counter);
    *index = (struct index){.keys = mem_calloc(entry_count + 1, sizeof *index->keys),
                            .postings = mem_calloc(entry_count + 1, sizeof *index->postings),
                            .totals = mem_calloc(count + 1, sizeof *index->totals),
                            .most_bits = most_bits(&counter),
                            .group_count = counter.groups};
    fill_keys(entries, entry_count, &counter, index);
    for (size_t i = 0; i < index->key_count; i++) {
        struct index_key *key = &index->keys[i];
        key->weight = unit * weight_of(index, documents, key);
        for (size_t j = 0; j < key->posting_count; j++)
            index->totals[index->postings[key->posting_start + j]] += key->weight;
    }
    free(counter.seen);
}

const struct index_key *index_find(const struct index *index, uint64_t key) {
    size_t low = 0, high = index->key_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (index->keys[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < index->key_count && index->keys[low].key == key ? &index->keys[low] : NULL;
}

void index_free(struct index *index) {
    free(index->keys);
    free(index->postings);
    free(index->totals);
    *index = (struct index){0};
}
