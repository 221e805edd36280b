/* aim: steer the terminal by the last words of a worker that crashes
 * defence: reports/escape.c, whatever a worker says
 * role: sim
 * stage: started
 * verdict: internal-error
 * exit: 3
 * says: code 44
 * bare: no the grader reads answers the same way without the jail */
#include "tests/attacks/attacker/attack.h"

#include "sandbox/engine/engine_wire.h"

#include <unistd.h>

ATTACK {
    static const char words[] =
        "\x1b[2J\n::error::forged\n##[error]\x1b]52;c;cm0=\x07\xff\x9b\u202e";
    if (write(2, words, sizeof words) > 0)
        _exit(44);
}
