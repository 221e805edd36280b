/* aim: see or change the machine's network (netlink)
 * defence: system calls: sockets are forbidden; the network namespace is empty
 * role: sim
 * verdict: internal-error
 * exit: 3
 * says: forbidden system call
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <sys/socket.h>

ATTACK {
    attack_reached(socket(AF_NETLINK, SOCK_RAW, 0), "socket");
}
