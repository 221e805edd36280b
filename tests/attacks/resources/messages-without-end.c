/* aim: fill the grader's memory with messages, or block it
 * defence: 64 KiB of messages are kept, the rest is read and forgotten
 * role: sim
 * stage: started
 * verdict: pass
 * bare: no messages are capped without the jail, too */
#include "tests/attacks/attacker/attack.h"

#include <unistd.h>

ATTACK {
    enum { PIECE = 1 << 16, PIECES = 1024 }; /* 64 MiB */
    static char bytes[PIECE];
    for (int i = 0; i < PIECES; i++)
        if (write(2, bytes, sizeof bytes) != PIECE)
            attack_failed("write");
}
