/* aim: make threads without end
 * defence: the pids cgroup, else RLIMIT_NPROC inside the user namespace
 * needs: counted-processes
 * role: sim
 * verdict: internal-error
 * exit: 3
 * says: process limit|code 43
 * bare: no the cgroup's limits stay */
#include "tests/attacks/attacker/attack.h"

#include <errno.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *wait_for_ever(void *nothing) {
    static int word;
    for (;;)
        syscall(SYS_futex, &word, 0 /* wait */, 0, NULL, NULL, 0);
    return nothing;
}

ATTACK {
    enum { MOST = 1000, STACK = 16384 };
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK);
    for (int i = 0; i < MOST; i++) {
        pthread_t thread;
        errno = pthread_create(&thread, &attributes, wait_for_ever, NULL);
        if (errno)
            attack_failed("pthread_create");
    }
    attack_succeeded("made %d threads", MOST);
}
