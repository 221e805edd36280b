/* aim: reach the virtual machine's host (vsock), which no network namespace hides
 * defence: system calls: sockets are forbidden
 * role: sim
 * verdict: internal-error
 * exit: 3
 * says: forbidden system call
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <sys/socket.h>

ATTACK {
    attack_reached(socket(40 /* AF_VSOCK */, SOCK_STREAM, 0), "socket");
}
