/* Reading what Slurm's programs print. A job's name, its reason and its nodes are other people's
 * words, and a site may have a wrapper in place of each program: nothing is taken on trust. */
#include "grader/cluster/slurm.h"

#include "sandbox/base/memory.h"

#include <string.h>

enum { FIELDS = 5, MOST_ROWS = 100000, LONGEST_LINE = 1024 };

/* States of `squeue`'s manual in which a task will run or is running; every other one is an end. */
static const char *const pending_words[] = {"PENDING", "REQUEUED", "REQUEUE_FED"};
static const char *const running_words[] = {"RUNNING",   "COMPLETING", "CONFIGURING", "SUSPENDED",
                                            "STAGE_OUT", "SIGNALING",  "RESIZING",    "STOPPED"};

static bool is_one_of(const char *word, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

/* Slurm's own holds, which an administrator ends; one that the user set ends with the user. */
static bool is_held(const char *reason) {
    return strstr(reason, "launch failed") != NULL || strstr(reason, "MaxRequeue") != NULL;
}

static enum slurm_state state_of(const char *word, const char *reason) {
    if (is_one_of(word, pending_words, ARRAY_LENGTH(pending_words)))
        return is_held(reason) ? SLURM_ENDED : SLURM_PENDING;
    return is_one_of(word, running_words, ARRAY_LENGTH(running_words)) ? SLURM_RUNNING
                                                                       : SLURM_ENDED;
}

static bool read_number(const char *text, size_t length, uint64_t most, uint64_t *number) {
    *number = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9' || *number > most / 10)
            return false;
        *number = *number * 10 + (uint64_t)(text[i] - '0');
    }
    return length > 0 && *number <= most;
}

static void read_word(char *out, size_t size, const char *text, size_t length) {
    size_t used = 0;
    for (size_t i = 0; i < length && used + 1 < size; i++)
        out[used++] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
    out[used] = '\0';
}

static bool read_row(const char *line, size_t length, struct slurm_row *row) {
    const char *fields[FIELDS];
    size_t lengths[FIELDS], count = 0;
    for (size_t start = 0; count < FIELDS; count++) {
        const char *bar = memchr(line + start, '|', length - start);
        fields[count] = line + start;
        lengths[count] = bar ? (size_t)(bar - line) - start : length - start;
        start += lengths[count] + (bar != NULL);
        if (!bar) {
            count++;
            break;
        }
    }
    uint64_t index;
    if (count != FIELDS || !read_number(fields[0], lengths[0], UINT64_MAX / 16, &row->job) ||
        !read_number(fields[1], lengths[1], UINT32_MAX / 2, &index))
        return false;
    row->index = (unsigned)index;
    read_word(row->word, sizeof row->word, fields[2], lengths[2]);
    read_word(row->reason, sizeof row->reason, fields[3], lengths[3]);
    read_word(row->node, sizeof row->node, fields[4], lengths[4]);
    if (strcmp(row->reason, "None") == 0)
        row->reason[0] = '\0';
    row->state = state_of(row->word, row->reason);
    return true;
}

void slurm_read_queue(const char *text, size_t length, struct slurm_rows *rows) {
    for (size_t at = 0; at < length && rows->count < MOST_ROWS;) {
        const char *end = memchr(text + at, '\n', length - at);
        size_t line = end ? (size_t)(end - text) - at : length - at;
        struct slurm_row row = {0};
        if (line <= LONGEST_LINE && read_row(text + at, line, &row))
            *mem_push(&rows->rows, &rows->count, &rows->capacity) = row;
        at += line + 1;
    }
}

bool slurm_read_job(const char *text, size_t length, uint64_t *job) {
    size_t end = 0;
    while (end < length && text[end] != ';' && text[end] != '\n')
        end++;
    return read_number(text, end, UINT64_MAX / 16, job) && *job > 0;
}

bool slurm_asks_for_cards(const char *const *options, size_t count) {
    static const char *const prefixes[] = {"--gres=gpu", "--gpus", "-G"};
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < ARRAY_LENGTH(prefixes); k++)
            if (strncmp(options[i], prefixes[k], strlen(prefixes[k])) == 0)
                return true;
    return false;
}
