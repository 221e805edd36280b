/* aim: fill the grader's memory with PTX
 * defence: the compiler's answer is capped
 * role: build
 * stage: started
 * verdict: compile-error
 * says: more than 64 MiB of PTX
 * bare: no the grader reads answers the same way without the jail */
#include "tests/attacks/attacker/attack.h"

#include "sandbox/build/answer.h"

#include <stdlib.h>
#include <unistd.h>

ATTACK {
    enum { PIECE = 1 << 20, PIECES = 100 };
    char *bytes = calloc(1, PIECE);
    for (int i = 0; bytes && i < PIECES; i++)
        if (!attack_answer(bytes, PIECE))
            attack_failed("write");
    attack_succeeded("wrote 100 MiB");
}
