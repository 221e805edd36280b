/* aim: open a file of the host by its number, past all names
 * defence: system calls: open_by_handle_at is forbidden
 * role: sim
 * verdict: internal-error
 * exit: 3
 * says: forbidden system call
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <sys/syscall.h>
#include <unistd.h>

ATTACK {
    char handle[128] = {8};
    attack_reached(syscall(SYS_open_by_handle_at, -1, handle, 0), "open_by_handle_at");
}
