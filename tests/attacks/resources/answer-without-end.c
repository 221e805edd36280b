/* aim: fill the grader's memory with an answer that does not end
 * defence: the answer's length is capped
 * role: sim
 * verdict: output-limit
 * says: 16 MiB
 * bare: no the supervisor's limits stay */
#include "tests/attacks/attacker/attack.h"

ATTACK {
    enum { PIECE = 1 << 16, PIECES = 4096 }; /* 256 MiB */
    static char bytes[PIECE];
    for (int i = 0; i < PIECES; i++)
        if (!attack_answer(bytes, sizeof bytes))
            attack_failed("write");
    attack_succeeded("wrote 256 MiB");
}
