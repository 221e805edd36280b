/* What must hold after an attack. */
#ifndef WARPGRADE_TESTS_ATTACKS_HARNESS_CHECKS_H
#define WARPGRADE_TESTS_ATTACKS_HARNESS_CHECKS_H

#include "tests/attacks/harness/run.h"

/* Of the attack's own directives: exit code, time, verdict, words; that the right submission, which
 * was graded in the same run, passed. */
void checks_verdict(struct run *run);
/* Of every run: nothing that leaves the program steers a terminal, a CI log, a spreadsheet or a
 * parser, nothing tells a secret, and no attack says that it succeeded. */
void checks_output(struct run *run);
/* Of a run without the jail: that the attack reached its aim; `left` is what it left behind. */
void checks_bare(struct run *run, const struct text *left);

/* What a native attack says: see attacker/attack.h. */
#define ATTACK_SUCCEEDED_SIGN "code 42"

#endif
