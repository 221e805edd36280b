/* Each mistake in what a course says of deadlines, groups, grants and settings, and in its roster's
 * bytes: at its line and column, with what to do. */
#include "course_fixture.h"

#define SHORT "course: c\nexercises: [dot, saxpy]\n"
#define ADA   "students: [{id: ada, repository: r}, {id: ben, repository: q}]\n" /* line 3 */
#define DUE   "deadline: 2026-10-02T23:59:00Z\n"                                 /* line 4 */

struct mistake {
    const char *text;
    unsigned line, column;
    const char *message, *hint;
};

static void assert_mistakes(const struct mistake *rows, size_t count) {
    for (size_t i = 0; i < count; i++)
        assert_wrong(rows[i].text, "COURSE.yaml", rows[i].line, rows[i].column, rows[i].message,
                     rows[i].hint);
}

static void of_exercises(void **state) {
    (void)state;
    static const struct mistake rows[] = {
        {"course: c\nexercises: [{id: dot, wieght: 2}]\n", 2, 23, "unknown key wieght",
         "did you mean weight?"},
        {"course: c\nexercises: [{weight: 2}]\n", 2, 13, "the key id is missing", ""},
        {"course: c\nexercises: [{id: dot, weight: -1}]\n", 2, 31, "weight", ""},
        {"course: c\nexercises: [dot, {id: dot}]\n", 2, 23, "already in line 2", ""},
        {SHORT "weights: {dot: heavy}\n", 3, 16, "expected a number", ""},
        {SHORT "weights: {dto: 1}\n", 3, 11, "dto is not among the exercises", "did you mean dot?"},
        {SHORT "weights: {dot: 1, dot: 2}\n", 3, 19, "dot", ""},
        {"course: c\nexercises: [{id: dot, weight: 1}]\nweights: {dot: 2}\n", 3, 16,
         "stands in its entry", ""},
        {"course: c\nexercises: [{id: dot, deadline: 2026-10-02Z}]\n"
         "deadlines: {dot: 2026-10-02Z}\n",
         3, 18, "stands in its entry", ""},
        {"course: c\nexercises: [{id: dot, paths: a.cu}]\npaths: {dot: b.cu}\n", 3, 14,
         "stands in its entry", ""},
        {"course: c\nexercises: [{id: dot, paths: []}]\n", 2, 30, "expected 1 to 4", ""},
        {"course: c\nexercises: [[dot]]\n", 2, 13, "expected text", ""},
    };
    assert_mistakes(rows, ARRAY_LENGTH(rows));
}

static void of_times(void **state) {
    (void)state;
    static const struct mistake rows[] = {
        {SHORT "deadlines: {dot: 2026-10-02T23:59:00}\n", 3, 37, "without its zone",
         "timezone: Europe/Zurich"},
        {SHORT "deadline: 2026-10-02\n", 3, 21, "without its zone", "+02:00"},
        {SHORT "deadline: \"2026-10-02\"\n", 3, 22, "without its zone", ""},
        {SHORT "deadline: 2.10.2026\n", 3, 11, "found \"2.10.2026\"", "2026-10-02T23:59"},
        {SHORT "deadline: 2026-02-29T10:00Z\n", 3, 19, "no such day", ""},
        {SHORT "deadline: 2100-02-29T10:00Z\n", 3, 19, "no such day", ""},
        {SHORT "deadline: 2026-13-02T10:00Z\n", 3, 16, "01 to 12", ""},
        {SHORT "deadline: 1969-12-02T10:00Z\n", 3, 11, "before 1970", ""},
        {SHORT "deadline: 2026-10-02T24:00Z\n", 3, 22, "23:59:59", "the day after"},
        {SHORT "deadline: 2026-10-02T23:60Z\n", 3, 22, "00:00 to 23:59:59", ""},
        {SHORT "deadline: 2026-10-02T23:59+16:00\n", 3, 27, "at most 15:59", ""},
        {SHORT "deadline: 2026-10-02T23:59Zz\n", 3, 28, "text after", ""},
        {SHORT "deadline: 2026-10-02T23:59 CEST\n", 3, 27, "text after", ""},
        {SHORT "deadline: [a]\n", 3, 11, "expected text", ""},
        {SHORT "timezone: Europe/Zuerich\n", 3, 11, "no time zone Europe/Zuerich",
         "did you mean Europe/Zurich?"},
        {SHORT "timezone: CEST+1x\n", 3, 11, "no time zone", ""},
        {SHORT "timezone: Europe/Zurich\ndeadline: 2026-03-29T02:30\n", 4, 11, "put forward", ""},
        {SHORT "timezone: Europe/Zurich\ndeadline: 2026-10-25T02:30\n", 4, 11, "twice",
         "by its offset"},
        {SHORT "late: {grace: 1h}\n", 3, 7, "percent_a_day is missing", ""},
        {SHORT "late: {percent_a_day: 101}\n", 3, 23, "percent_a_day", ""},
        {SHORT "late: {percent_a_day: 1, grace: 15 min}\n", 3, 33, "expected a duration", "15m"},
        {SHORT "late: {percent_a_day: 1, max_days: 1.5}\n", 3, 36, "max_days", ""},
        {SHORT "late: {percent_a_day: 1, begun_days: up}\n", 3, 38, "true or false", ""},
        {SHORT "late: {percent_per_day: 1}\n", 3, 8, "unknown key", "did you mean percent_a_day?"},
        {SHORT "late: 10\n", 3, 7, "expected a mapping", ""},
    };
    assert_mistakes(rows, ARRAY_LENGTH(rows));
}

static void of_grants(void **state) {
    (void)state;
    static const struct mistake rows[] = {
        {SHORT ADA DUE "extensions: [{student: adda, by: 1d}]\n", 5, 24, "adda is not among",
         "did you mean ada?"},
        {SHORT ADA DUE "extensions: [{student: ada, exercise: dto, by: 1d}]\n", 5, 39,
         "dto is not among", "did you mean dot?"},
        {SHORT ADA DUE "extensions: [{student: ada}]\n", 5, 14, "until and by", ""},
        {SHORT ADA DUE "extensions: [{student: ada, by: 1d, until: 2027-01-01Z}]\n", 5, 14,
         "until and by", ""},
        {SHORT ADA DUE "extensions: [{by: 1d}]\n", 5, 14, "whom is this about", ""},
        {SHORT ADA DUE "extensions: [{group: Monday, by: 1d}]\n", 5, 22, "not among the groups",
         ""},
        {SHORT ADA DUE "extensions:\n  - {student: ada, exercise: dot, until: 2026-10-02T23:59Z}\n",
         6, 42, "before, or at, the deadline of dot, which is 2026-10-02 23:59:00 UTC", ""},
        {SHORT ADA DUE "extensions: [{student: ada, until: 2026-10-01Z}]\n", 5, 36,
         "before every deadline", ""},
        {SHORT ADA "extensions: [{student: ada, exercise: dot, by: 1d}]\n", 4, 14,
         "no deadline: dot", ""},
        {SHORT ADA DUE
         "extensions:\n  - {student: ada, by: 1d}\n  - {student: [ben, ada], by: 2d}\n",
         7, 5, "ada has an extension of all exercises in line 6", ""},
        {SHORT ADA DUE "extensions: [{student: ada, by: soon}]\n", 5, 33, "a duration", ""},
        {SHORT ADA DUE "extensions: {student: ada, by: 1d}\n", 5, 13, "expected a list", "[value]"},
        {SHORT ADA "pins: [{student: ada}]\n", 4, 8, "the key commit is missing", ""},
        {SHORT ADA "pins: [{student: ada, commit: abc}]\n", 4, 31, "7 to 64 hexadecimal",
         "git log"},
        {SHORT ADA "pins: [{student: ada, commit: main-branch}]\n", 4, 31, "hexadecimal", "ref"},
        {SHORT ADA "pins:\n  - {student: ada, commit: abcdef0}\n"
                   "  - {student: ada, commit: abcdef1}\n",
         6, 5, "ada has a pin of all exercises in line 5", ""},
        {"course: c\nexercises: [dot]\nstudents: [{id: ada}, {id: ben}]\n"
         "groups: [{name: T, members: [ada, ben], repository: r}]\npins:\n"
         "  - {student: ada, commit: abcdef0}\n  - {student: ben, commit: abcdef1}\n",
         7, 5, "ada has a pin of all exercises in line 6", ""},
    };
    assert_mistakes(rows, ARRAY_LENGTH(rows));
}

static void of_groups(void **state) {
    (void)state;
    static const struct mistake rows[] = {
        {SHORT ADA "groups: [{name: T, members: [adda]}]\n", 4, 30, "not among the students",
         "did you mean ada?"},
        {SHORT ADA "groups: [{members: [ada]}]\n", 4, 10, "the key name is missing", ""},
        {SHORT ADA "groups: [{name: T}]\n", 4, 17, "no members", "column group"},
        {SHORT ADA "groups: [{name: T, members: [ada, ada]}]\n", 4, 35, "in the group T already",
         ""},
        {SHORT ADA "groups: [{name: T, members: [ada]},\n  {name: T, members: [ben]}]\n", 5, 10,
         "is there already", ""},
        {SHORT ADA "groups: [{name: T, members: [ada], repository: t}]\n", 4, 10,
         "a repository of its own", "section"},
        {"course: c\nexercises: [dot]\nstudents: [{id: ada}, {id: ben, repository: r}]\n"
         "groups: [{name: T, members: [ben]}]\n",
         3, 12, "the key repository is missing", ""},
        {"course: c\nexercises: [dot]\nstudents: [{id: ada}]\n"
         "groups:\n  - {name: T, members: [ada], repository: t}\n"
         "  - {name: U, members: [ada], repository: t}\n",
         6, 5, "hands in with the team T already", ""},
        {SHORT "branch: a\nref: b\n", 4, 6, "branch and ref mean the same", ""},
        {SHORT "students: [{id: a, repository: r, branch: x, ref: y}]\n", 3, 12, "mean the same",
         ""},
    };
    assert_mistakes(rows, ARRAY_LENGTH(rows));
}

static void of_settings(void **state) {
    (void)state;
    static const struct mistake rows[] = {
        {SHORT "attempts: {limit: -1}\n", 3, 19, "limit", ""},
        {SHORT "attempts: {count: lats}\n", 3, 19, "count", "did you mean last?"},
        {SHORT "visibility: {hide: [a], show: [b]}\n", 3, 13, "one of the keys hide and show", ""},
        {SHORT "visibility: {}\n", 3, 13, "one of the keys hide and show", ""},
        {SHORT "visibility: {hide: [\"\"]}\n", 3, 21, "empty", ""},
        {SHORT "engine: cude\n", 3, 9, "engine", "did you mean cuda?"},
        {SHORT "device: h20\n", 3, 9, "h20", "did you mean h200?"},
        {SHORT "device: ./none.yaml\n", 3, 9, "none.yaml", ""},
        {SHORT "language: de\n", 3, 11, "en or zh", ""},
        {SHORT "require: namespace\n", 3, 10, "namespaces", "did you mean namespaces?"},
        {SHORT "similarity: {threshold: 0}\n", 3, 25, "threshold", ""},
        {SHORT "similarity: {ignore: [dto]}\n", 3, 23, "not among the exercises", "dot"},
        {SHORT "similarity: {treshold: 80}\n", 3, 14, "unknown key", "did you mean threshold?"},
    };
    assert_mistakes(rows, ARRAY_LENGTH(rows));
}

/* ---- rosters ------------------------------------------------------------------------------ */

#define ROSTER "course: c\nexercises: [dot]\nroster: roster.csv\n"

static void of_rosters(void **state) {
    (void)state;
    static const struct {
        const char *csv;
        size_t length;
        unsigned line, column;
        const char *message, *hint;
    } rows[] = {
#define BYTES(text) text, sizeof text - 1
        {BYTES("id,repository,name\na,b,J\xf6rg\n"), 2, 6, "byte 6 of the line, 0xf6, is no UTF-8",
         "save the file as UTF-8"},
        {BYTES("id,repository,nam\xe9\n"), 1, 18, "byte 18 of the line, 0xe9", "UTF-8"},
        {BYTES("\xef\xbb\xbfid,repository\n\xa3,b\n"), 2, 1, "byte 1 of the line, 0xa3", "UTF-8"},
        {BYTES("\xff\xfei\0d\0,\0r\0\xd8\xd8\n\0"), 1, 0, "byte 11 of the file is no UTF-16", ""},
        {BYTES("\xff\xfei\0d\0\n\0\x00\xd8"), 2, 0, "byte 9 of the file is no UTF-16", ""},
        {BYTES("\xfe\xff\0i\0d\0"), 1, 0, "byte 7 of the file is no UTF-16", ""},
        {BYTES("i\0d\0,\0"), 1, 2, "NUL byte: the text seems to be UTF-16", "UTF-8"},
        {BYTES("id,repository,mail,Mail\n"), 1, 20, "two columns named Mail", ""},
        {BYTES("id,repository\nada,r\nAda,q\n"), 3, 1, "is already in line 2, as ada",
         "capital letters"},
        {BYTES("id,repository,branch,ref\nada,r,x,y\n"), 2, 1, "mean the same", ""},
        {BYTES("id,repository,group\nada,r,\x1b[2J\n"), 2, 1, "the group of ada", ""},
#undef BYTES
    };
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        write_named("roster.csv", rows[i].csv, rows[i].length);
        assert_wrong(ROSTER, "roster.csv", rows[i].line, rows[i].column, rows[i].message,
                     rows[i].hint);
    }
}

#define TABLE                                                                                      \
    "Student Name;SIS User ID;id;repository;group;;Bemerkung\r\n"                                  \
    "\"L\xc3\xb6we, A\";77;ada;https://me:secret@h/ada.git;Monday;x;\"a \xf0\x9f\x98\x80\nb\"\r\n" \
    "\r\n;;;;;;\r\nBen;;ben;;;;\r\n"

/* The same table in each encoding that a spreadsheet writes. */
static void all_columns_are_kept_in_every_encoding(void **state) {
    (void)state;
    static const char *const encodings[] = {"UTF-8", "UTF-16LE", "UTF-16BE"};
    static const char *const marks[] = {"\xef\xbb\xbf", "\xff\xfe", "\xfe\xff"};
    for (unsigned i = 0; i < ARRAY_LENGTH(encodings); i++) {
        write_named("utf8.csv", TABLE, strlen(TABLE));
        char *command = mem_printf("cd %s && { printf '%%s' '%s'; iconv -f UTF-8 -t %s utf8.csv; } "
                                   "> roster.csv",
                                   folder, marks[i], encodings[i]);
        assert_int_equal(system(command), 0);
        free(command);
        struct course *course = load(ROSTER);
        assert_int_equal(course->student_count, 2);
        assert_int_equal(course->column_count, 6); /* the one without a name is left out */
        assert_string_equal(course->columns[0], "Student Name");
        assert_string_equal(course->columns[5], "Bemerkung");
        assert_string_equal(course_value(course, 0, "Student Name"), "L\xc3\xb6we, A");
        assert_string_equal(course_value(course, 0, "sis user id"), "77");
        assert_string_equal(course_value(course, 0, "Bemerkung"), "a \xf0\x9f\x98\x80\nb");
        assert_string_equal(course_value(course, 0, "nothing"), "");
        assert_string_equal(course_value(course, 1, "Bemerkung"), "");
        /* Exports must not give a token away. */
        assert_null(strstr(course_value(course, 0, "repository"), "secret"));
        assert_non_null(strstr(course->students[0].repository, "secret"));
        assert_int_equal(course->group_count, 1);
        assert_string_equal(course->groups[0].name, "Monday");
        assert_null(course->groups[0].repository);
        assert_true(course->students[0].team == COURSE_NONE);
        course_free(course);
    }
}

static void members_of_teams_need_no_column_repository(void **state) {
    (void)state;
    const char csv[] = "\"Name, first\";id\nA;ada\nB;ben\n"; /* the quotes hide a comma */
    write_named("roster.csv", csv, sizeof csv - 1);
    struct course *course =
        load(ROSTER "groups: [{name: T, members: [ada, ben], repository: https://h/t.git}]\n");
    assert_string_equal(course->columns[0], "Name, first");
    assert_string_equal(course->students[1].repository, "https://h/t.git");
    course_free(course);
    assert_wrong(ROSTER, "roster.csv", 1, 0, "no column repository", "id,name");
}

static void keys_of_students_are_kept(void **state) {
    (void)state;
    struct course *course = load(SHORT "students:\n  - {id: ada, repository: r, mail: a@x}\n"
                                       "  - {id: ben, sis: 7, repository: q, mail: , ref: v1}\n");
    assert_int_equal(course->column_count, 5);
    assert_string_equal(course->columns[2], "mail");
    assert_string_equal(course->columns[3], "sis");
    assert_string_equal(course_value(course, 0, "mail"), "a@x");
    assert_string_equal(course_value(course, 0, "sis"), "");
    assert_string_equal(course_value(course, 1, "sis"), "7");
    assert_string_equal(course_value(course, 1, "mail"), "");
    assert_string_equal(course->students[1].branch, "v1");
    course_free(course);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(of_exercises),
        TEST(of_times),
        TEST(of_grants),
        TEST(of_groups),
        TEST(of_settings),
        TEST(of_rosters),
        TEST(all_columns_are_kept_in_every_encoding),
        TEST(members_of_teams_need_no_column_repository),
        TEST(keys_of_students_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
