/* aim: read secrets out of the environment of the grader or of others
 * defence: no /proc; a process namespace; an empty environment
 * role: build
 * stage: started
 * verdict: compile-error
 * says: code 43
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

ATTACK {
    for (char **variable = environ; variable && *variable; variable++)
        if (strcmp(*variable, "PWD=/") != 0 && strncmp(*variable, "LD_LIBRARY_PATH=/", 17) != 0)
            attack_succeeded("has an environment: %.20s", *variable);
    const pid_t pids[] = {1, getppid(), attack->harness};
    for (size_t i = 0; i < sizeof pids / sizeof *pids; i++) {
        char path[64];
        snprintf(path, sizeof path, "/proc/%d/environ", (int)pids[i]);
        if (attack_file_holds(path, "WARPGRADE_ATTACK_SECRET="))
            attack_succeeded("read %s", path);
    }
    attack_failed("open");
}
