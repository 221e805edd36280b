/* aim: steer the terminal and the CI log by a forged hazard
 * defence: reports/escape.c, whatever a worker says
 * role: sim
 * stage: started
 * verdict: crash
 * says: trap
 * bare: no the grader reads answers the same way without the jail */
#include "tests/attacks/attacker/attack.h"

#include "sandbox/engine/engine_wire.h"

#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

/* Lines that do not exist, a file that is not the submission's, names that steer. */
ATTACK {
    struct hazard hazard = {.kind = HAZARD_TRAP,
                            .severity = SEVERITY_ERROR,
                            .line = 4294967295u,
                            .column = 4294967295u,
                            .count = UINT64_MAX,
                            .other_line = 1};
    snprintf(hazard.file, sizeof hazard.file, "\x1b[2J/etc/passwd");
    snprintf(hazard.other_file, sizeof hazard.other_file, "::error::forged\n##[error]x");
    snprintf(hazard.variable, sizeof hazard.variable, "</script>\x1b]0;pwned\x07\r=1+1");
    snprintf(hazard.message, sizeof hazard.message,
             "\n::error::forged\n  ::stop-commands::x\n##[error]forged\n\x9b\xff ]]> %%n%%s");
    struct engine_result result = {.end = ENGINE_COMPLETED, .hazards = &hazard, .hazard_count = 1};
    struct text frame = {0};
    protocol_frame(&frame, engine_wire_encode_result(&result), "\n::error::x\n\x1b[2J", 17);
    attack_answer(frame.data, frame.length);
    _exit(0);
}
