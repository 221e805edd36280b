/* Which cards are seen, and what is said where there is none; a worker that lies about them. */
#include "card.h"

#include "sandbox/cuda/outcome.h"
#include "sandbox/worker/worker.h"
#include "tests/support/stand_in.h"

#include <sys/socket.h>
#include <unistd.h>

static void ask(const char *visible, const char *folder) {
    setenv("LD_LIBRARY_PATH", folder, 1);
    if (visible)
        setenv("CUDA_VISIBLE_DEVICES", visible, 1);
    else
        unsetenv("CUDA_VISIBLE_DEVICES");
    cuda_cards_forget();
}

static void test_cards(void **state) {
    (void)state;
    static const struct {
        const char *visible;
        size_t count;
    } cases[] = {{NULL, 2}, {"0", 1}, {"3,1,2", 3}};
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct cuda_card *cards;
        size_t count;
        ask(cases[i].visible, FAKE_CARD_FOLDER);
        if (cuda_cards(&cards, &count, &error) != STATUS_OK)
            fail_msg("%s", error.message);
        assert_int_equal(count, cases[i].count);
        for (size_t j = 0; j < count; j++) {
            char architecture[32];
            assert_int_equal(cards[j].index, j);
            assert_int_equal(strlen(cards[j].uuid), 40);
            cuda_card_architecture(&cards[j], architecture, sizeof architecture);
            assert_string_equal(architecture, "sm_90");
        }
        assert_string_equal(cards[0].uuid, "GPU-f0f0f0f0-f0f0-f0f0-f0f0-f0f0f0f0f0f0");
        assert_int_equal(cards[0].memory_bytes, 1 << 30);
        assert_int_equal(cards[0].driver_version, 13000);
        free(cards);
    }
}

/* The last four are what a worker answers that is not ours any more. */
static void test_no_cards(void **state) {
    (void)state;
    static const struct {
        const char *visible, *folder, *message;
    } cases[] = {
        {"none", FAKE_CARD_FOLDER, "device nodes are not|shows no card"},
        {"broken", FAKE_CARD_FOLDER, "device nodes are not|does not start: CUDA error 999"},
        {"lie:garbage", FAKE_CARD_FOLDER, "gave no valid answer and was ended"},
        {"lie:uuid", FAKE_CARD_FOLDER, "gave no valid answer and was ended"},
        {"lie:exit", FAKE_CARD_FOLDER, "ended with code 7: no more"},
        {"lie:abort", FAKE_CARD_FOLDER, "was ended by signal 6"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct cuda_card *cards;
        size_t count;
        ask(cases[i].visible, cases[i].folder);
        if (cuda_cards(&cards, &count, &error) != STATUS_ENVIRONMENT)
            fail_msg("%s: there are %zu cards", cases[i].visible, count);
        assert_null(cards);
        cleanup_free char *wanted = mem_strdup(cases[i].message);
        bool said = false;
        for (char *rest = NULL, *part = strtok_r(wanted, "|", &rest); part;
             part = strtok_r(NULL, "|", &rest))
            said |= strstr(error.message, part) != NULL;
        if (!said || !error.hint[0])
            fail_msg("%s: %s (%s)", cases[i].visible, error.message, error.hint);
    }
}

/* Where the machine has a real driver, the loader's folders hold it. */
static void test_no_driver(void **state) {
    (void)state;
    struct cuda_card *cards;
    size_t count;
    struct cuda_files files;
    ask(NULL, "/nowhere");
    cuda_files_find(&files);
    bool real = *files.driver;
    if (!real) /* nor is anything looked for that a driver would need: each grade comes here */
        assert_string_equal(files.blas, "");
    cuda_files_free(&files);
    if (real)
        skip();
    assert_int_equal(cuda_cards(&cards, &count, &error), STATUS_ENVIRONMENT);
    assert_non_null(strstr(error.message, "libcuda.so.1 is not found"));
    assert_non_null(strstr(error.hint, "--engine sim"));
}

/* What the fake driver, being no CUDA library at all, cannot show: words for NVML's bits. */
static void test_words(void **state) {
    (void)state;
    char words[64], name[64];
    outcome_throttle(0x4 | 0x40, words, sizeof words);
    assert_string_equal(words, "power cap, too hot (hardware)");
    outcome_throttle(0, words, sizeof words);
    assert_string_equal(words, "");
    outcome_error_name(719, name, sizeof name);
    assert_string_equal(name, "CUDA_ERROR_LAUNCH_FAILED");
}

/* ---- the liar -------------------------------------------------------------------------------- */

static void lie(const char *how) {
    struct wire_cards cards = {.count = 1};
    cards.cards[0] = (struct cuda_card){.name = "x", .major = 9, .sms = 1, .memory_bytes = 1};
    snprintf(cards.cards[0].uuid, sizeof cards.cards[0].uuid, "../../etc/passwd");
    if (strncmp(how, "uuid", 4) == 0) {
        talk_send(WORKER_DATA_FD, wire_encode_cards(&cards), NULL, 0, NULL, 0);
        sleep(20);
    } else if (strncmp(how, "garbage", 7) == 0) {
        send(WORKER_DATA_FD, "WGF1 no frame", 13, 0);
        sleep(20);
    } else if (strncmp(how, "exit", 4) == 0) {
        fputs("first\nno more\n", stderr);
        exit(7);
    } else {
        abort();
    }
}

/* In place of the cuda worker; an honest one unless the first message asks for a lie. */
static int maybe_lie(void) {
    char first[4096] = "";
    recv(WORKER_DATA_FD, first, sizeof first - 1, MSG_PEEK);
    const char *how = memmem(first, sizeof first, "lie:", 4);
    if (how)
        lie(how + 4);
    return STAND_IN_HONEST;
}

int main(int argc, char **argv) {
    static const struct stand_in roles[] = {{"cuda", maybe_lie}};
    int code;
    if (stand_in_main(roles, 1, argc, argv, &code))
        return code;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cards),
        cmocka_unit_test(test_no_cards),
        cmocka_unit_test(test_no_driver),
        cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
