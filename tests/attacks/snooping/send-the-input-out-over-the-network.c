/* aim: send what it sees to somebody: TCP to the machine itself
 * defence: system calls: sockets are forbidden; the network namespace is empty
 * role: sim
 * verdict: internal-error
 * exit: 3
 * says: forbidden system call
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <arpa/inet.h>
#include <stdint.h>
#include <sys/socket.h>

ATTACK {
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)attack->port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    if (descriptor >= 0 && connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0)
        attack_succeeded("connected to port %d", attack->port);
    attack_failed("socket");
}
