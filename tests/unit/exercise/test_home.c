/* Several homes beside each other, and who may write to one. */
#include "grader/exercise/exercise.h"
#include "grader/exercise/home.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char root[] = "/tmp/warpgrade-home-XXXXXX";

static void run(const char *format, ...) {
    char command[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    cleanup_free char *there = mem_printf("cd %s && %s", root, command);
    assert_int_equal(system(there), 0);
}

/* first/ has saxpy and own (without a reference), second/ saxpy and dot, secret/ only references.
 */
static int set_up(void **state) {
    (void)state;
    if (!mkdtemp(root))
        return -1;
    umask(022);
    run("mkdir -p first/exercises/own first/exercises/saxpy first/reference/saxpy "
        "second/exercises/saxpy second/exercises/dot second/reference/saxpy second/reference/dot "
        "secret/reference/own");
    run("for f in */exercises/*; do echo >$f/exercise.yaml; done");
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    unsetenv("WARPGRADE_HOME");
    cleanup_free char *command = mem_printf("rm -r %s", root);
    return system(command);
}

/* "first:second" below the root; an empty name stays empty. */
static void use(const char *names) {
    cleanup_free char *copy = mem_strdup(names), *list = mem_strdup("");
    char *rest = copy;
    for (char *name; (name = strsep(&rest, ":"));) {
        char *longer = mem_printf("%s%s%s%s%s", list, name == copy ? "" : ":", *name ? root : "",
                                  *name ? "/" : "", name);
        free(list);
        list = longer;
    }
    setenv("WARPGRADE_HOME", list, 1);
}

/* Where an id is found, as paths below the root; "" for none. */
static void located(const char *id, const char *directory, const char *reference) {
    struct homes homes;
    struct exercise_place place;
    struct error error = {0};
    if (homes_find(&homes, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    enum status status = exercise_locate(&homes, id, &place, &error);
    homes_free(&homes);
    if (!*directory) {
        assert_int_equal(status, STATUS_INVALID);
        return;
    }
    if (status != STATUS_OK)
        fail_msg("%s: %s", id, error.message);
    assert_string_equal(place.directory + strlen(root) + 1, directory);
    assert_string_equal(place.reference ? place.reference + strlen(root) + 1 : "", reference);
    exercise_place_free(&place);
}

static void the_first_home_that_has_an_id_decides(void **state) {
    (void)state;
    use("first:second");
    located("saxpy", "first/exercises/saxpy", "first/reference/saxpy");
    located("dot", "second/exercises/dot", "second/reference/dot");
    use("second:first");
    located("saxpy", "second/exercises/saxpy", "second/reference/saxpy");
    use("first");
    located("dot", "", "");
}

static void a_reference_may_be_elsewhere(void **state) {
    (void)state;
    use("first:second");
    located("own", "first/exercises/own", "");
    use("first:second:secret");
    located("own", "first/exercises/own", "secret/reference/own");
    use("secret:first");
    located("own", "first/exercises/own", "secret/reference/own");
}

/* The second home's reference computes what the second home's exercise asks for. */
static void the_reference_of_a_hidden_exercise_is_not_taken(void **state) {
    (void)state;
    use("first:second");
    run("mv first/reference/saxpy first/reference/away");
    located("saxpy", "first/exercises/saxpy", "");
    run("mv first/reference/away first/reference/saxpy");
}

static void an_empty_entry_is_what_came_with_the_program(void **state) {
    (void)state;
    char **ids;
    size_t count, own_count, seen = 0;
    unsetenv("WARPGRADE_HOME");
    assert_int_equal(exercise_ids(&ids, &own_count, NULL), STATUS_OK);
    for (size_t i = 0; i < own_count; i++)
        free(ids[i]);
    free(ids);
    use("first:");
    assert_int_equal(exercise_ids(&ids, &count, NULL), STATUS_OK);
    assert_int_equal(count, own_count + 1); /* saxpy is in both */
    for (size_t i = 0; i < count; i++) {
        seen += strcmp(ids[i], "own") == 0 || strcmp(ids[i], "saxpy") == 0;
        assert_true(i == 0 || strcmp(ids[i - 1], ids[i]) < 0);
    }
    assert_int_equal(seen, 2);
    for (size_t i = 0; i < count; i++)
        free(ids[i]);
    free(ids);
}

static void added_homes_come_first(void **state) {
    (void)state;
    cleanup_free char *second = file_join(root, "second");
    use("first");
    homes_add(second);
    located("saxpy", "second/exercises/saxpy", "second/reference/saxpy");
    located("own", "first/exercises/own", "");
}

static void names_a_home_without_exercises(void **state) {
    (void)state;
    struct homes homes;
    struct error error = {0};
    setenv("WARPGRADE_HOME", "/nonexistent", 1);
    assert_int_equal(homes_find(&homes, &error), STATUS_INVALID);
    assert_non_null(strstr(error.message, "/nonexistent"));
}

/* ---- who may write --------------------------------------------------------------------------- */

static void refused(const char *path, enum place_trust trust, const char *why) {
    struct error error = {0};
    cleanup_free char *whole = file_join(root, path);
    enum status status = place_check(whole, trust, &error);
    if (why ? status != STATUS_ENVIRONMENT || !strstr(error.message, why) : status != STATUS_OK)
        fail_msg("%s: %s", path, status == STATUS_OK ? "is taken" : error.message);
}

static void what_everybody_can_write_to_is_refused(void **state) {
    (void)state;
    refused("first/exercises", PLACE_FOUND, NULL); /* /tmp above it has the sticky bit */
    run("chmod o+w first/exercises");
    refused("first/exercises", PLACE_FOUND, "everybody can write");
    refused("first/exercises", PLACE_NAMED, "everybody can write");
    refused("first/exercises/own", PLACE_NAMED, "everybody can write"); /* above it */
    use("first");
    struct homes homes;
    assert_int_equal(homes_find(&homes, NULL), STATUS_ENVIRONMENT);
    setenv("WARPGRADE_ANY_HOME", "1", 1);
    refused("first/exercises", PLACE_FOUND, NULL);
    unsetenv("WARPGRADE_ANY_HOME");
    run("chmod +t first/exercises"); /* a sticky bit lets others add an exercise */
    refused("first/exercises", PLACE_FOUND, "everybody can write");
    run("chmod o-w,-t first/exercises");
    run("chmod o+w first/reference/saxpy && touch first/reference/saxpy/reference.cu");
    struct exercise_place place;
    assert_int_equal(homes_find(&homes, NULL), STATUS_OK);
    assert_int_equal(exercise_locate(&homes, "saxpy", &place, NULL), STATUS_ENVIRONMENT);
    run("chmod o-w first/reference/saxpy && chmod o+w first/reference/saxpy/reference.cu");
    assert_int_equal(exercise_locate(&homes, "saxpy", &place, NULL), STATUS_ENVIRONMENT);
    run("rm first/reference/saxpy/reference.cu");
    located("saxpy", "first/exercises/saxpy", "first/reference/saxpy");
    homes_free(&homes);
}

static void a_named_home_is_its_owners(void **state) {
    (void)state;
    if (geteuid() != 0)
        skip();
    run("chown 12345 second/exercises");
    refused("second/exercises", PLACE_NAMED, NULL);
    refused("second/exercises", PLACE_FOUND, "belongs to neither");
    refused("second/exercises/dot", PLACE_FOUND, "belongs to neither");
    run("chown 0:12345 second/exercises && chmod g+w second/exercises");
    refused("second/exercises", PLACE_NAMED, NULL);
    refused("second/exercises", PLACE_FOUND, "group can write");
    run("chown 0:0 second/exercises && chmod g-w second/exercises");
    refused("second/exercises", PLACE_FOUND, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_home_that_has_an_id_decides),
        cmocka_unit_test(a_reference_may_be_elsewhere),
        cmocka_unit_test(the_reference_of_a_hidden_exercise_is_not_taken),
        cmocka_unit_test(an_empty_entry_is_what_came_with_the_program),
        cmocka_unit_test(added_homes_come_first),
        cmocka_unit_test(names_a_home_without_exercises),
        cmocka_unit_test(what_everybody_can_write_to_is_refused),
        cmocka_unit_test(a_named_home_is_its_owners),
    };
    return cmocka_run_group_tests_name("home", tests, set_up, tear_down);
}
