/* aim: have the grader take silence for success
 * defence: an answer that is no frame is a crash
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
    _exit(0);
}
