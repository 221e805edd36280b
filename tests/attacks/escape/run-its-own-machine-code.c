/* aim: run machine code of its own in the simulator
 * defence: system calls: once the simulator is sealed, no memory becomes executable
 * role: sim
 * verdict: internal-error
 * exit: 3
 * says: forbidden system call
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <sys/mman.h>

ATTACK {
    void *page =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page != MAP_FAILED)
        attack_succeeded("has memory that is writable and executable");
    attack_failed("mmap");
}
