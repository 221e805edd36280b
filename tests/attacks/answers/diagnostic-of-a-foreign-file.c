/* aim: have the report quote a file that the compiler names in an error
 * defence: the report quotes the submission's own text and opens no file
 * role: build
 * stage: started
 * verdict: compile-error
 * bare: no the grader reads answers the same way without the jail */
#include "tests/attacks/attacker/attack.h"

#include "sandbox/build/answer.h"

#include <stdio.h>
#include <unistd.h>

ATTACK {
    struct build_diagnostic diagnostics[] = {
        {.severity = BUILD_ERROR, .file = "/etc/passwd", .line = 1, .column = 1, .text = "x"},
        {.severity = BUILD_ERROR,
         .file = "\x1b[2J\n::error::forged",
         .line = 2147483647,
         .column = 2147483647,
         .text = "\n::error::forged\n##[error]\x1b]0;pwned\x07</pre><script>"},
    };
    struct build_answer answer = {
        .outcome = OUTCOME_ERRORS, .diagnostics = diagnostics, .diagnostic_count = 2};
    snprintf(answer.compiler, sizeof answer.compiler, "\x1b[31m\n::error::x");
    snprintf(answer.host_name, sizeof answer.host_name, "\x1b[31m");
    struct text frame = {0};
    build_answer_frame(&answer, &frame);
    attack_answer(frame.data, frame.length);
    _exit(0);
}
