/* aim: put a program or a map into the kernel
 * defence: system calls: bpf is forbidden
 * role: sim
 * verdict: internal-error
 * exit: 3
 * says: forbidden system call
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

ATTACK {
    uint32_t words[16] = {2 /* an array */, 4, 4, 1};
    attack_reached(syscall(SYS_bpf, 0 /* a map */, words, sizeof words), "bpf");
}
