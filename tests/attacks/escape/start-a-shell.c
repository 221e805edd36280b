/* aim: start a shell from the simulator
 * defence: system calls: execve is forbidden once the program has started; there is no shell to
 *     start
 * role: sim
 * verdict: internal-error
 * exit: 3
 * says: forbidden system call
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <unistd.h>

/* A program that is not there would look like a defence: this one is. */
ATTACK {
    char *arguments[] = {"sh", "-c", "exit 42", NULL}, *environment[] = {NULL};
    execve("/bin/sh", arguments, environment);
    attack_failed("execve");
}
