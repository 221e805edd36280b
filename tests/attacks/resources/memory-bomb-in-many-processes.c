/* aim: take more memory than a run may with many processes that each keep to their limit
 * defence: the memory cgroup counts all of them, else the supervisor does
 * role: build
 * once: yes
 * within: 20
 * verdict: compile-error
 * says: memory
 * bare: no it would take 5 GiB of the machine */
#include "tests/attacks/attacker/attack.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

ATTACK {
    enum { CHILDREN = 12, EACH = 400 << 20 };
    for (int i = 0; i < CHILDREN; i++)
        if (fork() == 0) {
            char *memory =
                mmap(NULL, EACH, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (memory == MAP_FAILED)
                _exit(1);
            memset(memory, 1, EACH);
            _exit(0);
        }
    int done = 0, status;
    while (wait(&status) > 0)
        done += WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (done == CHILDREN)
        attack_succeeded("took 4.7 GiB");
    abort();
}
