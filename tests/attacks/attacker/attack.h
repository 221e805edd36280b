/* Native attacks: what a compiler or a simulator does that a submission has taken over.
 *
 * The attacker is a program named warpgrade-worker that stands beside a copy of warpgrade, so the
 * real grader starts it in the real jail. It is the real worker, until a request carries a marker;
 * then the code of the attack named there runs. An attack's file:
 *
 *     ATTACK {
 *         if (open("/etc/shadow", O_RDONLY) >= 0)
 *             attack_succeeded("opened /etc/shadow");
 *         attack_failed("open");
 *     }
 *
 * Returning instead goes on as the worker would have. Every attack also runs once without a jail,
 * on the machine of the person who runs the tests, perhaps as root: it proves that it could do harm
 * and does none. It touches nothing but what the marker names, and bounds whatever it floods. */
#ifndef WARPGRADE_TESTS_ATTACKS_ATTACKER_ATTACK_H
#define WARPGRADE_TESTS_ATTACKS_ATTACKER_ATTACK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct attack {
    char name[64];
    char role[16];
    char token[32];   /* in the name of whatever it leaves: the harness looks for it */
    char work[128];   /* the grader's working directory */
    char other[128];  /* another student's folder: saxpy.cu */
    char source[512]; /* the grader's tree */
    pid_t harness;    /* a process outside, of the same user as the grader */
    int port;         /* the harness listens there, on the loopback interface */
};

/* Ends the worker: the aim was reached. The sign is exit code 42. */
__attribute__((noreturn, format(printf, 1, 2))) void attack_succeeded(const char *format, ...);
/* Ends the worker with exit code 43: something refused; errno is reported. */
__attribute__((noreturn)) void attack_failed(const char *what);
/* For system calls that no process should get through to: succeeded, unless the kernel says that
 * there is no such call. Any other refusal is the kernel's own, and it was asked. */
__attribute__((noreturn)) void attack_reached(long result, const char *what);
/* For loops until something gives way: false when the milliseconds are over. */
bool attack_has_time(double milliseconds);
/* Does the file hold the text? Reads at most 1 MiB. */
bool attack_file_holds(const char *path, const char *text);
/* The request's bytes, as the worker gets them. */
const char *attack_request(size_t *length);
/* What follows in `code` as the worker's answer on descriptor 1. */
bool attack_answer(const void *bytes, size_t length);

void attack_register(const char *file, void (*run)(const struct attack *));

#define ATTACK                                                                                     \
    static void attack_run(const struct attack *attack);                                           \
    __attribute__((constructor)) static void attack_register_this(void) {                          \
        attack_register(__FILE__, attack_run);                                                     \
    }                                                                                              \
    static void attack_run(__attribute__((unused)) const struct attack *attack)

#endif
