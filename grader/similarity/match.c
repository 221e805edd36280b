/* Which lines of two sources say the same: the compiler's line table knows from which line each
 * instruction comes, and a shared feature is a vote for its two lines. A line goes with the line
 * that most votes are for, where its own best is that one, too. */
#include "grader/similarity/match.h"

#include "sandbox/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double least_vote = 0.25; /* bits, else lines that everyone has are marked */
static const double least_part = 0.4;  /* of what the line has: else it only resembles the other */
enum { MAX_LINE = 1 << 20 };

struct vote {
    uint32_t left, right;
    double weight;
};

struct votes {
    struct vote *items;
    size_t count, capacity;
};

static int compare_places(const void *left, const void *right) {
    const struct vote *a = left, *b = right;
    if (a->left != b->left)
        return a->left < b->left ? -1 : 1;
    return (a->right > b->right) - (a->right < b->right);
}

static int compare_weights(const void *left, const void *right) {
    const struct vote *a = left, *b = right;
    return a->weight != b->weight ? (a->weight > b->weight ? -1 : 1) : compare_places(left, right);
}

static void merge(struct votes *votes) {
    size_t kept = 0;
    if (!votes->count)
        return;
    qsort(votes->items, votes->count, sizeof *votes->items, compare_places);
    for (size_t i = 0; i < votes->count; i++)
        if (kept && compare_places(&votes->items[i], &votes->items[kept - 1]) == 0)
            votes->items[kept - 1].weight += votes->items[i].weight;
        else
            votes->items[kept++] = votes->items[i];
    votes->count = kept;
    qsort(votes->items, votes->count, sizeof *votes->items, compare_weights);
}

/* Keys of a set that another has, in one walk over both. */
static void collect(const struct index *index, const struct feature_set *left,
                    const struct feature_set *right, struct votes *votes) {
    for (size_t i = 0, j = 0; i < left->count && j < right->count;) {
        const struct feature *a = &left->items[i], *b = &right->items[j];
        if (a->key != b->key) {
            a->key < b->key ? i++ : j++;
            continue;
        }
        const struct index_key *key = index_find(index, a->key);
        if (key && key->weight > 0 && a->line && b->line && a->line < MAX_LINE &&
            b->line < MAX_LINE)
            *mem_push(&votes->items, &votes->count, &votes->capacity) =
                (struct vote){a->line, b->line, key->weight};
        i++;
        j++;
    }
}

static uint32_t last_line(const struct votes *votes) {
    uint32_t last = 0;
    for (size_t i = 0; i < votes->count; i++) {
        last = votes->items[i].left > last ? votes->items[i].left : last;
        last = votes->items[i].right > last ? votes->items[i].right : last;
    }
    return last;
}

/* What each line up to the last has of its own. */
static double *weigh_lines(const struct index *index, const struct feature_set *set,
                           uint32_t last) {
    double *weights = mem_calloc((size_t)last + 1, sizeof *weights);
    for (size_t i = 0; i < set->count; i++) {
        const struct index_key *key = index_find(index, set->items[i].key);
        if (key && set->items[i].line <= last)
            weights[set->items[i].line] += key->weight;
    }
    return weights;
}

static int compare_lines(const void *left, const void *right) {
    const struct similarity_lines *a = left, *b = right;
    return (a->left > b->left) - (a->left < b->left);
}

void match_lines(const struct index *index, const struct feature_set *left,
                 const struct feature_set *right, struct similarity_pair *pair) {
    struct votes votes = {0};
    size_t count = 0, capacity = 0;
    collect(index, left, right, &votes);
    merge(&votes);
    uint32_t last = last_line(&votes);
    cleanup_free bool *taken = mem_calloc(2 * ((size_t)last + 1), sizeof *taken);
    cleanup_free double *lefts = weigh_lines(index, left, last);
    cleanup_free double *rights = weigh_lines(index, right, last);
    for (size_t i = 0; i < votes.count; i++) {
        const struct vote *vote = &votes.items[i];
        bool *left_taken = &taken[2 * (size_t)vote->left];
        bool *right_taken = &taken[2 * (size_t)vote->right + 1];
        double whole = fmax(lefts[vote->left], rights[vote->right]);
        if (vote->weight < fmax(least_vote, least_part * whole) || *left_taken || *right_taken)
            continue;
        *left_taken = *right_taken = true;
        *mem_push(&pair->lines, &count, &capacity) =
            (struct similarity_lines){vote->left, vote->right};
    }
    pair->line_count = count;
    free(votes.items);
    if (count)
        qsort(pair->lines, count, sizeof *pair->lines, compare_lines);
}

/* ---- words ----------------------------------------------------------------------------------- */

static const double telling_bits = 1.5; /* of a word; what is more usual is none */

static void show_word(const char *text, const struct feature *left, const struct feature *right,
                      struct similarity_pair *pair) {
    if (pair->word_count == SIMILARITY_MAX_WORDS)
        return;
    if (!pair->words)
        pair->words = mem_calloc(SIMILARITY_MAX_WORDS, sizeof *pair->words);
    struct similarity_word *word = &pair->words[pair->word_count++];
    snprintf(word->text, sizeof word->text, "%.*s", (int)left->length, text + left->offset);
    word->left_line = left->line;
    word->right_line = right->line;
}

void match_words(const struct index *index, const char *text, const struct feature_set *left,
                 const struct feature_set *right, struct similarity_pair *pair) {
    for (size_t i = 0, j = 0; i < left->count && j < right->count;) {
        const struct feature *a = &left->items[i], *b = &right->items[j];
        if (a->key != b->key) {
            a->key < b->key ? i++ : j++;
            continue;
        }
        const struct index_key *key = index_find(index, a->key);
        if (key && key->bits >= telling_bits) {
            pair->word_bits += key->weight;
            pair->words_shared++;
            show_word(text, a, b, pair);
        }
        i++;
        j++;
    }
}
