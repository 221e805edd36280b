/* Locks of the kernel (flock) on files named after the card's UUID, which is the same for every
 * process whatever CUDA_VISIBLE_DEVICES shows it; the kernel gives them back however a holder ends.
 *
 * A process that waits passes a turnstile first, a second file: one that needs the card alone holds
 * it closed while waiting for those inside to leave, so that a stream of newcomers does not keep
 * the card from ever being free. Each lock is an open file of its own, so that threads exclude each
 * other, too. */
#include "sandbox/cuda/lock.h"

#include "sandbox/base/clock.h"
#include "sandbox/base/memory.h"
#include "sandbox/isolation/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_SECONDS 600.0

static int open_lock(const char *folder, const struct cuda_card *card, const char *suffix) {
    cleanup_free char *path = mem_printf("%s/card-%s%s", folder, card->uuid, suffix);
    return open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
}

/* 0, or what stood in the way: EWOULDBLOCK where time was over. */
static int wait_for(int file, int how, double until_ms) {
    while (flock(file, how | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return errno;
        if (clock_ms() > until_ms)
            return EWOULDBLOCK;
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
    return 0;
}

enum status cuda_lock_take_within(const struct cuda_card *card, bool exclusive, double seconds,
                                  int *lock, struct error *error) {
    *lock = -1;
    cleanup_free char *folder = jail_lock_folder();
    if (!folder)
        return error_set(error, STATUS_ENVIRONMENT,
                         "there is no place for the locks of cards: /run, $XDG_RUNTIME_DIR and "
                         "/tmp cannot be used");
    cleanup_fd int turnstile = open_lock(folder, card, ".next");
    cleanup_fd int inside = open_lock(folder, card, "");
    double until_ms = clock_ms() + seconds * 1e3;
    int how = exclusive ? LOCK_EX : LOCK_SH, cause = 0;
    if (turnstile < 0 || inside < 0)
        cause = errno;
    if (!cause)
        cause = wait_for(turnstile, how, until_ms);
    if (!cause)
        cause = wait_for(inside, how, until_ms);
    if (turnstile >= 0)
        flock(turnstile, LOCK_UN); /* see cuda_lock_release() */
    if (!cause) {
        *lock = steal_fd(&inside);
        return STATUS_OK;
    }
    error_set(error, STATUS_ENVIRONMENT, "%s is not to be had: %s", card->name,
              cause == EWOULDBLOCK ? "other graders use it" : strerror(cause));
    error_hint(error, "Locks are files in %s; `fuser %s/card-*` names who holds them.", folder,
               folder);
    return STATUS_ENVIRONMENT;
}

enum status cuda_lock_take(const struct cuda_card *card, bool exclusive, int *lock,
                           struct error *error) {
    return cuda_lock_take_within(card, exclusive, PATIENCE_SECONDS, lock, error);
}

/* Closing alone would leave it with a child that was forked meanwhile and has a copy. */
void cuda_lock_release(int *lock) {
    if (*lock >= 0) {
        flock(*lock, LOCK_UN);
        close(*lock);
    }
    *lock = -1;
}
