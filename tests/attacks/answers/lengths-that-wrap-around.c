/* aim: have two lengths overflow into the right sum
 * defence: each length is checked by itself before they are added
 * role: sim
 * stage: started
 * verdict: internal-error
 * exit: 3
 * says: not valid
 * bare: no the grader reads answers the same way without the jail */
#include "tests/attacks/attacker/attack.h"

#include "sandbox/engine/engine_wire.h"

#include <unistd.h>

/* 16 + 2 + (2^64 - 2) = 16: the header alone. */
ATTACK {
    static const char header[] = "WGF1\x02\0\0\0\xfe\xff\xff\xff\xff\xff\xff\xff";
    attack_answer(header, sizeof header - 1);
    _exit(0);
}
