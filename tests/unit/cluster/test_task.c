/* A run's folder, what stands in its files, and tasks that refuse. */
#include "grader/cluster/cluster.h"
#include "grader/cluster/exchange.h"
#include "grader/cluster/run_folder.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char place[] = "/tmp/warpgrade-test-cluster.XXXXXX";
static char *run;

static int set_up(void **state) {
    (void)state;
    run = mkdtemp(place) ? mem_printf("%s/run", place) : NULL;
    return run ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    free(run);
    return run_folder_remove(place) ? 0 : -1;
}

static struct run_folder create(void) {
    struct run_folder folder;
    assert_int_equal(run_folder_create(run, &folder, NULL), STATUS_OK);
    return folder;
}

static void write_session(const struct run_folder *folder, const char *tool) {
    const struct cluster_session session = {.tool = tool, .engine = "sim", .seed = UINT64_MAX};
    cleanup_free char *text = exchange_write_session(&session);
    assert_int_equal(run_folder_write(folder, "session.json", text, strlen(text), NULL), STATUS_OK);
}

static char *refusal(const struct run_folder *folder) {
    char *text;
    size_t length;
    assert_int_equal(run_folder_read(folder, "results/7.refused", 4096, &text, &length, NULL),
                     STATUS_OK);
    return text;
}

static void a_folder_is_closed_to_others(void **state) {
    (void)state;
    struct run_folder folder = create();
    struct stat info;
    write_session(&folder, "1");
    assert_int_equal(fstatat(folder.descriptor, "session.json", &info, 0), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    assert_int_equal(stat(run, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0700);
    run_folder_close(&folder);
    struct error error = {0};
    assert_int_equal(chmod(run, 0770), 0);
    assert_int_equal(run_folder_create(run, &folder, &error), STATUS_ENVIRONMENT);
    assert_non_null(strstr(error.message, "closed to others"));
    assert_true(run_folder_remove(run));
    assert_int_equal(symlink("/tmp", run), 0);
    assert_int_equal(run_folder_create(run, &folder, &error), STATUS_ENVIRONMENT);
    assert_int_equal(unlink(run), 0);
}

static void what_is_read_is_a_file_of_a_known_size(void **state) {
    (void)state;
    struct run_folder folder = create();
    char *text;
    size_t length;
    assert_int_equal(run_folder_write(&folder, "results/a", "12345", 5, NULL), STATUS_OK);
    assert_int_equal(run_folder_read(&folder, "results/a", 5, &text, &length, NULL), STATUS_OK);
    assert_string_equal(text, "12345");
    free(text);
    assert_int_equal(symlinkat("a", folder.descriptor, "results/link"), 0);
    assert_int_equal(mkfifoat(folder.descriptor, "results/fifo", 0600), 0);
    static const char *const wrong[] = {"results/link", "results/fifo", "results", "results/none"};
    for (size_t i = 0; i < ARRAY_LENGTH(wrong); i++)
        assert_int_not_equal(run_folder_read(&folder, wrong[i], 4096, &text, &length, NULL),
                             STATUS_OK);
    assert_int_not_equal(run_folder_read(&folder, "results/a", 4, &text, &length, NULL), STATUS_OK);
    run_folder_close(&folder);
    assert_true(run_folder_remove(run));
}

static void a_session_comes_back(void **state) {
    (void)state;
    const struct cluster_session session = {.tool = "1.2",
                                            .engine = "sim+cuda",
                                            .device = "t4",
                                            .language = LANGUAGE_ZH,
                                            .seed = UINT64_MAX,
                                            .has_pass_mark = true,
                                            .pass_mark = 62.5};
    cleanup_free char *text = exchange_write_session(&session);
    struct cluster_session read;
    struct exchange *document;
    assert_int_equal(exchange_read_session(text, strlen(text), &read, &document, NULL), STATUS_OK);
    assert_string_equal(read.tool, "1.2");
    assert_string_equal(read.engine, "sim+cuda");
    assert_string_equal(read.device, "t4");
    assert_int_equal(read.language, LANGUAGE_ZH);
    assert_true(read.seed == UINT64_MAX && read.has_pass_mark && read.pass_mark == 62.5);
    exchange_free(document);
}

static void what_is_no_document_is_refused(void **state) {
    (void)state;
    static const char *const wrong[] = {
        "",
        "[]",
        "{",
        "null",
        "{\"tool\": 1}",
        "{\"status\": 0, \"message\": \"\"}",
        "{\"tool\":\"1\",\"engine\":\"sim\",\"language\":\"xx\",\"seed\":\"1\"}",
        "{\"tool\":\"1\",\"engine\":\"sim\",\"language\":\"en\",\"seed\":\"-1\"}",
        "{\"tool\":\"1\",\"engine\":\"sim\",\"language\":\"en\",\"seed\":\"1\",\"pass_mark\":\"\"}",
        "[\"../../etc/passwd\"]",
        "[1]",
        "{\"a\":1,\"a\":2}"};
    for (size_t i = 0; i < ARRAY_LENGTH(wrong); i++) {
        size_t length = strlen(wrong[i]), count;
        struct cluster_session session;
        struct cluster_order order;
        struct cluster_failure failure;
        struct exchange *document;
        char(*keys)[CLUSTER_KEY_SIZE];
        assert_int_not_equal(exchange_read_session(wrong[i], length, &session, &document, NULL), 0);
        assert_int_not_equal(exchange_read_order(wrong[i], length, &order, &document, NULL), 0);
        assert_int_not_equal(exchange_read_failure(wrong[i], length, &failure, &document, NULL), 0);
        assert_int_not_equal(exchange_read_keys(wrong[i], length, &keys, &count, NULL), 0);
        assert_null(keys);
    }
}

/* Everything that decides a report is in the key. */
static void a_key_is_of_all_that_decides(void **state) {
    (void)state;
    const struct cluster_order orders[] = {{"dot", "v1", "a.cu", ""},
                                           {"dot", "v2", "a.cu", ""},
                                           {"dot", "v1", "b.cu", ""},
                                           {"saxpy", "v1", "a.cu", ""}};
    char first[CLUSTER_KEY_SIZE], key[CLUSTER_KEY_SIZE];
    exchange_key("{}", &orders[0], "x", 1, first);
    assert_true(exchange_is_key(first));
    exchange_key("{}", &orders[0], "x", 1, key);
    assert_string_equal(first, key);
    for (size_t i = 1; i < ARRAY_LENGTH(orders); i++) {
        exchange_key("{}", &orders[i], "x", 1, key);
        assert_string_not_equal(first, key);
    }
    exchange_key("{}", &orders[0], "y", 1, key);
    assert_string_not_equal(first, key);
    exchange_key("{\"seed\":\"2\"}", &orders[0], "x", 1, key);
    assert_string_not_equal(first, key);
}

static void another_version_refuses(void **state) {
    (void)state;
    struct run_folder folder = create();
    struct error error = {0};
    write_session(&folder, "0.0.0-other");
    assert_int_equal(cluster_run_task(run, 7, &error), STATUS_ENVIRONMENT);
    assert_non_null(strstr(error.message, "started by 0.0.0-other"));
    cleanup_free char *said = refusal(&folder);
    assert_non_null(strstr(said, "started by 0.0.0-other"));
    assert_true(run_folder_has(&folder, "results/7.started"));
    run_folder_close(&folder);
    assert_true(run_folder_remove(run));
}

static void a_list_with_a_path_in_it_refuses(void **state) {
    (void)state;
    struct run_folder folder = create();
    struct error error = {0};
    static const char list[] = "[\"../../../secret\"]";
    write_session(&folder, WARPGRADE_VERSION);
    assert_int_equal(run_folder_write(&folder, "tasks/7", list, strlen(list), NULL), STATUS_OK);
    assert_int_equal(cluster_run_task(run, 7, &error), STATUS_ENVIRONMENT);
    free(refusal(&folder));
    run_folder_close(&folder);
    assert_true(run_folder_remove(run));
    assert_int_equal(cluster_run_task(run, 7, &error), STATUS_ENVIRONMENT);
    assert_non_null(strstr(error.hint, "shared"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_folder_is_closed_to_others),
        cmocka_unit_test(what_is_read_is_a_file_of_a_known_size),
        cmocka_unit_test(a_session_comes_back),
        cmocka_unit_test(what_is_no_document_is_refused),
        cmocka_unit_test(a_key_is_of_all_that_decides),
        cmocka_unit_test(another_version_refuses),
        cmocka_unit_test(a_list_with_a_path_in_it_refuses),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
