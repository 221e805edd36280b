/* aim: have the grader read beyond the answer
 * defence: lengths are checked against what came before they are used
 * role: sim
 * stage: started
 * verdict: internal-error
 * exit: 3
 * says: not valid
 * bare: no the grader reads answers the same way without the jail */
#include "tests/attacks/attacker/attack.h"

#include "sandbox/engine/engine_wire.h"

#include <unistd.h>

ATTACK {
    static const char header[] = "WGF1\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f{}";
    attack_answer(header, sizeof header - 1);
    _exit(0);
}
