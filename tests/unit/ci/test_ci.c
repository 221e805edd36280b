/* What `ci` compares with, what it takes for a submission and what it misses; nothing is graded
 * here. */
#include "tests/support/git_fixture.h"

#include "grader/ci/ci.h"

#include <sys/stat.h>

/* ---- the base -------------------------------------------------------------------------------- */

static const char *const *variables; /* name, value, ..., NULL */

static const char *environment(const char *name) {
    for (size_t i = 0; variables && variables[i]; i += 2)
        if (strcmp(variables[i], name) == 0)
            return variables[i + 1];
    return NULL;
}

#define ZEROS "0000000000000000000000000000000000000000"
#define ONES  "1111111111111111111111111111111111111111"
#define TWOS  "2222222222222222222222222222222222222222"

/* The names, in order; those that must be there with an exclamation mark. */
static const char *chosen(const char *option, const char *const *given) {
    static char names[512];
    struct ci_base base;
    variables = given;
    ci_base_choose(option, environment, &base);
    names[0] = '\0';
    for (size_t i = 0; i < base.count; i++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s%s", i ? " " : "", base.bases[i].name,
                 base.bases[i].optional ? "" : "!");
    }
    return names;
}

#define CHOSEN(option, ...) chosen(option, (const char *const[]){__VA_ARGS__, NULL})

static void the_base_is_what_the_system_says(void **state) {
    (void)state;
    assert_string_equal(chosen(NULL, NULL), "HEAD main master");
    assert_string_equal(CHOSEN("v1", "GITHUB_BASE_REF", "main"), "v1!");
    assert_string_equal(CHOSEN(NULL, "GITHUB_BASE_REF", "main", "GITHUB_EVENT_BEFORE", ONES),
                        "main!");
    assert_string_equal(CHOSEN(NULL, "GITHUB_BASE_REF", "", "GITHUB_EVENT_BEFORE", ONES,
                               "GITHUB_DEFAULT_BRANCH", "trunk"),
                        ONES " trunk");
    assert_string_equal(
        CHOSEN(NULL, "GITHUB_EVENT_BEFORE", ZEROS, "GITHUB_DEFAULT_BRANCH", "trunk"), "trunk");
    assert_string_equal(CHOSEN(NULL, "GITHUB_EVENT_BEFORE", ZEROS), "");
    assert_string_equal(CHOSEN(NULL, "CI_MERGE_REQUEST_DIFF_BASE_SHA", ONES,
                               "CI_MERGE_REQUEST_TARGET_BRANCH_SHA", TWOS, "CI_COMMIT_BEFORE_SHA",
                               ZEROS),
                        TWOS " " ONES "!");
    assert_string_equal(CHOSEN(NULL, "CI_COMMIT_BEFORE_SHA", ONES, "CI_DEFAULT_BRANCH", "main"),
                        ONES " main");
}

/* ---- the rules ------------------------------------------------------------------------------- */

static struct error error;

static enum status parse(const char *text, struct ci_rules *rules) {
    error = (struct error){0};
    return ci_rules_parse(CI_RULES_PATH, text, strlen(text), rules, &error);
}

static void rules_are_read(void **state) {
    (void)state;
    struct ci_rules rules;
    assert_int_equal(parse("exercises:\n  - saxpy\n"
                           "  - {id: dot, paths: [labs/*/dot.cu, dot.cu], pass_mark: 75}\n"
                           "  - {id: scan, required: false}\n"
                           "ignore: attic\ngrade: all\npass_mark: 50\nlanguage: zh\n"
                           "require: namespaces\n",
                           &rules),
                     STATUS_OK);
    assert_int_equal(rules.exercise_count, 3);
    assert_true(rules.exercises[0].required);
    assert_true(rules.exercises[0].exercise->pass_mark_percent == 50);
    assert_true(rules.exercises[1].exercise->pass_mark_percent == 75);
    assert_int_equal(rules.exercises[1].path_count, 2);
    assert_false(rules.exercises[2].required);
    assert_true(rules.grades_all && rules.require_namespaces && rules.language == LANGUAGE_ZH);
    assert_string_equal(rules.ignored[0], "attic");
    ci_rules_free(&rules);
}

static void assert_wrong(const char *text, const char *message) {
    struct ci_rules rules;
    assert_int_equal(parse(text, &rules), STATUS_INVALID);
    if (!strstr(error.message, message) && !strstr(error.hint, message))
        fail_msg("\"%s\" (%s) does not say \"%s\"", error.message, error.hint, message);
    assert_string_equal(error.file, CI_RULES_PATH);
    ci_rules_free(&rules);
}

static void wrong_rules_are_pointed_at(void **state) {
    (void)state;
    assert_wrong("exercise: [saxpy]\n", "exercises");
    assert_wrong("exercises: [sxpy]\n", "saxpy");
    assert_wrong("exercises: [saxpy, {id: saxpy}]\n", "twice");
    assert_wrong("exercises: saxpy\n", "list");
    assert_wrong("exercises: [{paths: a.cu}]\n", "id");
    assert_wrong("exercises: [{id: saxpy, paths: ../../etc}]\n", "inside a repository");
    assert_wrong("exercises: [{id: saxpy, paths: /etc/*}]\n", "relative");
    assert_wrong("exercises: [{id: saxpy, required: maybe}]\n", "required");
    assert_wrong("exercises: [../../etc/passwd]\n", "no exercise");
    assert_wrong("pass_mark: 200\n", "pass_mark");
    assert_wrong("grade: some\n", "grade");
    assert_wrong("- saxpy\n", "the file");
}

/* ---- the plan -------------------------------------------------------------------------------- */

static char *folder;
static struct ci ci;

static int make(void **state) {
    (void)state;
    folder = fixture_folder();
    ci = (struct ci){0};
    variables = NULL;
    return 0;
}

static int unmake(void **state) {
    (void)state;
    ci_close(&ci);
    fixture_remove(folder);
    free(folder);
    return 0;
}

#define OPEN(rules, ...)                                                                           \
    open_ci(rules, (struct fixture_file[]){__VA_ARGS__},                                           \
            sizeof((struct fixture_file[]){__VA_ARGS__}) / sizeof(struct fixture_file))

/* A base with the rules and saxpy.cu, and a head with these files. */
static void open_ci(const char *rules, const struct fixture_file *files, size_t count) {
    git_repository *repository = fixture_init(folder, false);
    const struct fixture_file base[] = {{CI_RULES_PATH, rules}, {"saxpy.cu", "// old\n"}};
    git_oid tree = fixture_tree(repository, base, 2);
    git_oid parent = fixture_commit(repository, "refs/remotes/origin/main", &tree);
    tree = fixture_tree(repository, files, count);
    fixture_commit_on(repository, "refs/heads/main", &tree, FIXTURE_TIME + 1, &parent, 1);
    git_repository_free(repository);
    const struct ci_options options = {.folder = folder, .environment = environment};
    error = (struct error){0};
    if (ci_open(&options, &ci, &error) != STATUS_OK)
        fail_msg("%s (%s)", error.message, error.hint);
}

static const struct ci_item *item_of(const char *path) {
    for (size_t i = 0; i < ci.item_count; i++)
        if (strcmp(ci.items[i].path, path) == 0)
            return &ci.items[i];
    fail_msg("no item %s", path);
    return NULL;
}

static void assert_item(const char *path, enum ci_state state, const char *exercise) {
    const struct ci_item *item = item_of(path);
    assert_int_equal(item->state, state);
    if (exercise)
        assert_string_equal(item->exercise->id, exercise);
    else
        assert_null(item->exercise);
}

static void a_first_comment_makes_no_other_exercise_of_a_required_one(void **state) {
    (void)state;
    OPEN("exercises: [saxpy, {id: scan, paths: 'labs/*/kernel.cu'}]\n",
         {"deep/er/saxpy.cu", "// warpgrade: vector-multiply\n"},
         {"labs/3/kernel.cu", "// warpgrade: vector-multiply\n"},
         {"mine.cu", "// warpgrade: dot\n"}, {"helper.cu", "int x;\n"});
    assert_int_equal(ci.item_count, 3);
    assert_int_equal(ci.other_count, 1);
    assert_item("deep/er/saxpy.cu", CI_GRADED, "saxpy");
    assert_non_null(strstr(item_of("deep/er/saxpy.cu")->note, "vector-multiply"));
    assert_item("labs/3/kernel.cu", CI_GRADED, "scan");
    assert_item("mine.cu", CI_GRADED, "dot");
    assert_int_equal(ci_status(&ci), STATUS_OK);
}

static void a_change_cannot_lower_its_own_bar(void **state) {
    (void)state;
    OPEN("exercises: [saxpy, dot]\n", {CI_RULES_PATH, "exercises: []\n"}, {"saxpy.cu", "// old\n"});
    assert_item("saxpy.cu", CI_UNCHANGED, "saxpy");
    assert_item("dot.cu", CI_MISSING, "dot");
    assert_int_equal(ci_status(&ci), STATUS_BELOW_MARK);
    struct text out = {0};
    ci_text(&ci, &out);
    assert_non_null(strstr(text_string(&out), "\nnothing was graded, 1 required is missing\n"));
    text_free(&out);
    size_t count;
    char **remarks = ci_remarks(&ci, &count);
    assert_int_equal(count, 1);
    assert_non_null(strstr(remarks[0], "counts from the next change on"));
    free(remarks[0]);
    free(remarks);
}

static void what_has_not_changed_is_counted(void **state) {
    (void)state;
    struct text out = {0};
    OPEN("exercises: [{id: saxpy, required: false}]\n", {"saxpy.cu", "// old\n"});
    ci_text(&ci, &out);
    assert_non_null(strstr(text_string(&out), "1 other submission has not changed\nno submission"));
    text_free(&out);
}

static void what_is_missing_says_where_it_was(void **state) {
    (void)state;
    OPEN("exercises: [saxpy, {id: dot, paths: labs/dot.cu}]\n", {"dot.cu", "// warpgrade: dot\n"});
    assert_int_equal(ci.item_count, 2);
    assert_non_null(strstr(item_of("saxpy.cu")->note, "saxpy.cu has been deleted"));
    assert_item("labs/dot.cu", CI_MISSING, "dot");
    assert_string_equal(item_of("labs/dot.cu")->hint, "there is dot.cu: was it meant?");
    assert_int_equal(ci_status(&ci), STATUS_BELOW_MARK);
}

static void what_cannot_be_read_fails(void **state) {
    (void)state;
    OPEN("exercises: [saxpy]\nignore: [attic, '*/old.cu']\n",
         {"saxpy.cu", "/etc/passwd", GIT_FILEMODE_LINK}, {"x.cu", "// warpgrade: sxapy\n"},
         {"attic/saxpy.cu", "//\n"}, {"a/old.cu", "// warpgrade: dot\n"},
         {"link.cu", "/etc/passwd", GIT_FILEMODE_LINK});
    assert_int_equal(ci.item_count, 2);
    assert_item("saxpy.cu", CI_REFUSED, "saxpy");
    assert_non_null(strstr(item_of("saxpy.cu")->note, "symbolic link"));
    assert_item("x.cu", CI_UNKNOWN, NULL);
    assert_string_equal(item_of("x.cu")->hint, "did you mean saxpy?");
    assert_int_equal(ci_status(&ci), STATUS_BELOW_MARK);
}

/* A link of the base's own is no change, and no solution. */
static void an_old_link_is_no_change_and_no_solution(void **state) {
    (void)state;
    const struct fixture_file files[] = {
        {CI_RULES_PATH, "exercises: [saxpy, {id: dot, required: false}]\n"},
        {"dot.cu", "x", GIT_FILEMODE_LINK},
        {"saxpy.cu", "x", GIT_FILEMODE_LINK}};
    fixture_repository(folder, false, files, 3);
    const struct ci_options options = {
        .folder = folder, .base = "HEAD", .environment = environment};
    assert_int_equal(ci_open(&options, &ci, &error), STATUS_OK);
    assert_int_equal(ci.item_count, 1);
    assert_item("saxpy.cu", CI_MISSING, "saxpy");
    assert_non_null(strstr(item_of("saxpy.cu")->note, "saxpy.cu is a symbolic link"));
}

static void a_folder_below_the_root_names_it(void **state) {
    (void)state;
    char *below = mem_printf("%s/labs", folder);
    fixture_repository(folder, false, &(struct fixture_file){"saxpy.cu", "// old\n"}, 1);
    assert_int_equal(mkdir(below, 0700), 0);
    const struct ci_options options = {.folder = below, .environment = environment};
    assert_int_equal(ci_open(&options, &ci, &error), STATUS_INVALID);
    assert_non_null(strstr(error.hint, folder));
    free(below);
}

static void rules_that_are_a_link_are_no_rules(void **state) {
    (void)state;
    const struct fixture_file files[] = {{CI_RULES_PATH, "/etc/passwd", GIT_FILEMODE_LINK}};
    fixture_repository(folder, false, files, 1);
    const struct ci_options options = {.folder = folder, .environment = environment};
    assert_int_equal(ci_open(&options, &ci, &error), STATUS_INVALID);
    assert_non_null(strstr(error.message, "symbolic link"));
}

/* ---- output ---------------------------------------------------------------------------------- */

static void nothing_is_written_through_a_link(void **state) {
    (void)state;
    OPEN("exercises: [saxpy]\n", {"saxpy.cu", "// old\n"});
    char *outside = mem_printf("%s/outside", folder), *link = mem_printf("%s/link", folder);
    char *file = mem_printf("%s/out/junit.xml", folder), *out = mem_printf("%s/out", folder);
    assert_int_equal(mkdir(outside, 0700), 0);
    assert_int_equal(symlink(outside, link), 0);
    assert_int_equal(ci_write(&ci, link, &error), STATUS_INVALID);
    assert_non_null(strstr(error.message, "symbolic link"));
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(ci_write(&ci, "link/below", &error), STATUS_INVALID);
    assert_int_equal(mkdir(out, 0700), 0);
    assert_int_equal(symlink("../outside/x", file), 0);
    assert_int_equal(ci_write(&ci, "out", &error), STATUS_INVALID);
    assert_int_equal(rmdir(outside), 0); /* empty */
    assert_int_equal(unlink(file), 0);
    assert_int_equal(ci_write(&ci, "out", &error), STATUS_OK);
    assert_true(file_exists(file));
    free(out);
    free(file);
    free(link);
    free(outside);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, make, unmake)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_base_is_what_the_system_says),
        cmocka_unit_test(rules_are_read),
        cmocka_unit_test(wrong_rules_are_pointed_at),
        TEST(a_first_comment_makes_no_other_exercise_of_a_required_one),
        TEST(a_change_cannot_lower_its_own_bar),
        TEST(what_has_not_changed_is_counted),
        TEST(what_is_missing_says_where_it_was),
        TEST(what_cannot_be_read_fails),
        TEST(an_old_link_is_no_change_and_no_solution),
        TEST(a_folder_below_the_root_names_it),
        TEST(rules_that_are_a_link_are_no_rules),
        TEST(nothing_is_written_through_a_link),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
