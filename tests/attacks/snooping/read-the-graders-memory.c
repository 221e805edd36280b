/* aim: read the expected result, or the seed, out of the grader's memory
 * defence: system calls: process_vm_readv is forbidden; no process outside can be named
 * role: sim
 * verdict: internal-error
 * exit: 3
 * says: forbidden system call
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <sys/uio.h>

ATTACK {
    char byte;
    struct iovec local = {&byte, 1}, remote = {(void *)attack, 1};
    attack_reached(process_vm_readv(attack->harness, &local, 1, &remote, 1, 0), "process_vm_readv");
}
