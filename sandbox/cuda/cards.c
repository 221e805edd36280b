/* The cards of this machine, asked for once: a driver's start takes up to a second. */
#include "sandbox/cuda/session_private.h"

#include "sandbox/base/memory.h"
#include "sandbox/cuda/tools.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static struct {
    pthread_mutex_t mutex;
    struct cuda_card *cards;
    size_t count;
} kept = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static enum status ask(struct error *error) {
    struct link link;
    enum status status = link_start(&link, false, error);
    if (status == STATUS_OK)
        status = link_ask_cards(&link, &kept.cards, &kept.count, error);
    link_close(&link);
    return status;
}

enum status cuda_cards(struct cuda_card **cards, size_t *count, struct error *error) {
    *cards = NULL;
    *count = 0;
    pthread_mutex_lock(&kept.mutex);
    enum status status = kept.cards ? STATUS_OK : ask(error);
    if (status == STATUS_OK) {
        *cards = mem_dup(kept.cards, kept.count * sizeof *kept.cards);
        *count = kept.count;
    }
    pthread_mutex_unlock(&kept.mutex);
    return status;
}

void cuda_cards_forget(void) {
    pthread_mutex_lock(&kept.mutex);
    free(kept.cards);
    kept.cards = NULL;
    kept.count = 0;
    pthread_mutex_unlock(&kept.mutex);
}

enum status cuda_card_check(const struct cuda_card *card, struct error *error) {
    char architecture[32];
    struct build_result tools;
    cuda_card_architecture(card, architecture, sizeof architecture);
    enum status status = tools_build(architecture, &tools, error); /* cached */
    if (status == STATUS_OK)
        build_result_free(&tools);
    return status;
}

void cuda_card_architecture(const struct cuda_card *card, char *buffer, size_t size) {
    snprintf(buffer, size, "sm_%u%u", card->major, card->minor);
}
