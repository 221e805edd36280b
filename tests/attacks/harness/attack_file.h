/* What an attack's file says about itself: directives in the comment at its head.
 *
 *     aim: the one sentence that says what the attacker is after
 *     defence: the one sentence that says what stands in the way
 *     verdict: crash          every case of the attack's submission has this verdict; `none` where
 *                             the file is refused before it is graded
 *     says: TEXT|TEXT         what is printed holds one of them (repeatable; $SOURCE and $WORK are
 *                             put in): without a pids cgroup the kernel refuses silently
 *     never: TEXT             nothing that leaves the program holds TEXT (repeatable)
 *     exercise: saxpy         and `cases: GLOB`: what it is graded for
 *     options: ...            further options of `warpgrade grade`
 *     within: SECONDS         the whole run's time on an idle machine
 *     name: TEXT              the submission's file name; \xHH and \n are put in
 *     setup: COMMAND          run by the shell in the work folder before grading; $FILE names the
 *                             submission, $SOURCE the tree
 *     needs: THING            skipped, with the reason, where the machine has it not: nvcc;
 *                             plain-build: one without a sanitizer;
 *                             counted-processes: namespaces or cgroups
 *     once: yes               not a second time as a plain user: it takes long
 *     role: build|tools|sim|batch   of .c: which worker is compromised; the attack of a simulator
 *                             (sim) also meets the one for several launches, that of batch this
 *                             alone
 *     stage: sealed|started   of .c: after the worker has sealed itself (the default), or before
 *     submission: right|wrong|host   of .c: what else the submission is: attacker/NAME.cu.in
 *     bare: succeeds|leaves|no REASON   of .c: what the same attack does without a jail: that it
 *                             reaches its aim shows that it is an attack at all
 *     landlock: fails|REASON  of .cu: it is tried against the jail without namespaces as well, as
 *                             every .c is; of both: that jail does not cover it, and why
 *     sim: ARGUMENTS          of .ptx: the arguments of `warpgrade sim`
 *     exit: CODE              of .ptx, and where it does not follow from the verdict
 *
 * An .e2e file is a case of tests/e2e/runner.c with these directives after #. */
#ifndef WARPGRADE_TESTS_ATTACKS_HARNESS_ATTACK_FILE_H
#define WARPGRADE_TESTS_ATTACKS_HARNESS_ATTACK_FILE_H

#include <stdbool.h>
#include <stddef.h>

enum attack_kind { ATTACK_CUDA, ATTACK_PTX, ATTACK_NATIVE, ATTACK_CASE };

enum { ATTACK_MAX_TEXTS = 12 };

struct attack_file {
    enum attack_kind kind;
    char *path, *name, *topic; /* of topic/name.cu */
    char *text;
    size_t length;
    const char *aim, *defence, *verdict, *exercise, *cases, *options, *file_name, *setup, *needs;
    const char *role, *stage, *submission, *bare, *sim, *once, *landlock;
    const char *says[ATTACK_MAX_TEXTS], *never[ATTACK_MAX_TEXTS];
    size_t says_count, never_count;
    double within_seconds;
    int exit_code; /* -1: follows from the verdict */
    char *head;    /* owns the strings */
};

/* False, with what is wrong on standard error, where the file is no attack. */
bool attack_file_read(const char *path, struct attack_file *attack);
void attack_file_free(struct attack_file *attack);

/* A Markdown table of the attacks on standard output, by topic. */
bool attack_table_print(char **paths, size_t count);

#endif
