/* aim: leave a note for the next run in the kernel's keyring
 * defence: system calls: keys are forbidden
 * role: sim
 * verdict: internal-error
 * exit: 3
 * says: forbidden system call
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <sys/syscall.h>
#include <unistd.h>

ATTACK {
    attack_reached(syscall(SYS_add_key, "user", attack->token, "x", 1, -1 /* the thread's */),
                   "add_key");
}
