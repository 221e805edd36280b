/* One attack, carried out: the folders it gets, the commands, and what they said. */
#ifndef WARPGRADE_TESTS_ATTACKS_HARNESS_RUN_H
#define WARPGRADE_TESTS_ATTACKS_HARNESS_RUN_H

#include "sandbox/base/text.h"
#include "tests/attacks/harness/attack_file.h"

#include <sys/types.h>

enum { RUN_MAX_SAID = 40 };

/* The text of everything that left the program: standard output, standard error, reports. */
struct said {
    char *name; /* "standard output", "report.csv" */
    struct text text;
};

struct run {
    const struct attack_file *attack;
    bool bare;   /* with --unsafe-no-jail */
    bool second; /* with --jail landlock */
    char token[20], secret[20];
    char *scratch, *work, *reports, *other; /* other: somebody else's submission */
    char *submission;                       /* its file name, as the program is given it */
    struct text source;                     /* its text */
    int port;                               /* on which the harness listens, on this machine */
    int exit_code;                          /* 128 + N: by signal N; -1: had to be stopped */
    double seconds, time_scale;
    struct said said[RUN_MAX_SAID];
    size_t said_count;
    unsigned failures;
};

__attribute__((format(printf, 2, 3))) void run_fail(struct run *run, const char *format, ...);

/* Makes the folders and the submission. False where the harness itself does not work. */
bool run_prepare(struct run *run);
/* Puts into its cache what no attack takes part in, where $WARPGRADE_ATTACK_SEED has it. */
void run_seed(struct run *run);
/* Runs the program on the attack and, in the same run, on a submission that is right. */
void run_attack(struct run *run);
/* How much longer things take than on an idle machine, by the load of the last minute: at least 1.
 */
double run_load(void);
/* Does what left the program hold the text? */
bool run_says(const struct run *run, const char *text);
/* ... other than where it quotes the submission? */
bool run_leaks(const struct run *run, const char *text);
/* $SOURCE, $WORK, $OTHER, $TOKEN in a directive. Caller frees. */
char *run_expand(const struct run *run, const char *text);
void run_finish(struct run *run);

#endif
