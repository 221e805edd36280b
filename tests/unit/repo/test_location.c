/* What locations and paths inside repositories may be, and what is shown of them. */
#include "grader/repo/repo.h"
#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

static void refuses_wrong_paths(void **state) {
    (void)state;
    const char *bad[] = {"",
                         "/dot.cu",
                         "../dot.cu",
                         "a//b",
                         "a/",
                         "./a",
                         "a/./b",
                         ".git/config",
                         "a/.GIT/x",
                         "a\nb",
                         "a\tb",
                         "\xff",
                         "a\xe2\x80\xae"
                         "b"};
    for (unsigned i = 0; i < ARRAY_LENGTH(bad); i++)
        if (!repo_path_problem(bad[i]))
            fail_msg("accepted: %s", bad[i]);
    const char *good[] = {"dot.cu", "week 1/dot.cu", "..a/b", "\xe7\x9f\xa9\xe9\x98\xb5.cu"};
    for (unsigned i = 0; i < ARRAY_LENGTH(good); i++)
        assert_null(repo_path_problem(good[i]));
}

static void passwords_are_not_shown(void **state) {
    (void)state;
    const struct {
        const char *location, *shown;
    } rows[] = {{"https://ada:geheim@host/x", "https://ada:***@host/x"},
                {"https://ghp_token@host/x", "https://***@host/x"},
                {"ssh://git@host/x", "ssh://git@host/x"},
                {"ssh://git:pw@host/x", "ssh://git:***@host/x"},
                {"https://host/a@b:c", "https://host/a@b:c"},
                {"https://a:b@c@host/", "https://a:***@host/"},
                {"/srv/a@b", "/srv/a@b"}};
    for (unsigned i = 0; i < ARRAY_LENGTH(rows); i++) {
        char *shown = repo_display_location(rows[i].location);
        assert_string_equal(shown, rows[i].shown);
        free(shown);
    }
}

static void relative_paths_follow_the_course(void **state) {
    (void)state;
    char *path = repo_resolve_location("/course", "repos/ada");
    assert_string_equal(path, "/course/repos/ada");
    free(path);
    path = repo_resolve_location("/course", "https://host/x");
    assert_string_equal(path, "https://host/x");
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_wrong_paths),
        cmocka_unit_test(passwords_are_not_shown),
        cmocka_unit_test(relative_paths_follow_the_course),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
