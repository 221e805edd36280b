/* aim: start a shell from the compiler
 * defence: system calls: execve is forbidden once NVRTC's worker has started
 * role: build
 * verdict: compile-error
 * says: forbidden system call
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <unistd.h>

ATTACK {
    char *arguments[] = {"sh", "-c", "exit 42", NULL}, *environment[] = {NULL};
    execve("/bin/sh", arguments, environment);
    attack_failed("execve");
}
