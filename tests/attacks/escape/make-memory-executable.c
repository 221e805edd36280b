/* aim: make memory executable that was not
 * defence: system calls: once the simulator is sealed, no memory becomes executable
 * role: sim
 * verdict: internal-error
 * exit: 3
 * says: forbidden system call
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <sys/mman.h>

ATTACK {
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page != MAP_FAILED && mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0)
        attack_succeeded("made memory executable");
    attack_failed("mprotect");
}
