/* aim: write to another process through /proc/PID/mem
 * defence: no /proc; a process namespace; no capability to trace
 * role: tools
 * submission: host
 * needs: nvcc
 * verdict: compile-error
 * says: code 43
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

ATTACK {
    const pid_t pids[] = {1, getppid(), attack->harness};
    for (size_t i = 0; i < sizeof pids / sizeof *pids; i++) {
        char path[64];
        snprintf(path, sizeof path, "/proc/%d/mem", (int)pids[i]);
        if (open(path, O_RDWR | O_CLOEXEC) >= 0)
            attack_succeeded("could write to %s", path);
    }
    attack_failed("open");
}
