/* aim: make system calls by the door for 32-bit programs, where they have other numbers
 * defence: system calls: every other architecture is forbidden
 * role: sim
 * verdict: internal-error
 * exit: 3
 * says: signal|forbidden system call|code 43
 * bare: no a kernel without 32-bit programs has no such door */
#include "tests/attacks/attacker/attack.h"

#include <errno.h>

/* getpid() is 20 there; 39 with bit 30 set is the x32 ABI's. */
ATTACK {
#if defined(__x86_64__)
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(39 | 0x40000000) : "rcx", "r11", "memory");
    if (result > 0)
        attack_succeeded("made a call of x32: %ld", result);
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory", "r8", "r9", "r10", "r11");
    if (result > 0)
        attack_succeeded("made a 32-bit call: %ld", result);
#endif
    errno = ENOSYS;
    attack_failed("getpid");
}
