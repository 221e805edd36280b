/* Loading tracks: two good files, and a table of what becomes wrong with one of them.
 *
 * Each row replaces one piece of the second file. A @ in the replacement is taken out again and
 * marks where the error must point. */
#include "grader/cli/track_show.h"
#include "grader/exercise/track.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char *ids[] = {(char *)"dot", (char *)"iota", (char *)"saxpy", (char *)"scan",
                      (char *)"sort"};

static const char basics[] = "id: basics\n"
                             "order: 2\n"
                             "title: {en: Basics, zh: B}\n"
                             "about: {en: The first ones}\n"
                             "exercises:\n"
                             "  - {id: iota}\n"
                             "  - {id: saxpy, after: [iota]}\n"
                             "  - {id: sort, after: [dot, saxpy]}\n";

static const char sums[] = "id: sums\n"
                           "order: 1\n"
                           "title: {en: Sums}\n"
                           "about: {en: One result}\n"
                           "exercises:\n"
                           "  - {id: dot, after: [saxpy]}\n"
                           "  - {id: scan, after: [dot]}\n";

static char root[] = "/tmp/warpgrade-track-XXXXXX";

static void put(const char *name, const char *text) {
    cleanup_free char *path = file_join(root, name);
    assert_int_equal(file_write(path, text, strlen(text), NULL), STATUS_OK);
}

static int set_up(void **state) {
    (void)state;
    if (!mkdtemp(root))
        return -1;
    put("basics.yaml", basics);
    put("README.md", "not a track\n");
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    cleanup_free char *command = mem_printf("rm -r %s", root);
    return system(command);
}

static enum status load(const char *second, struct tracks *tracks, struct error *error) {
    put("sums.yaml", second);
    const char *const folders[] = {root};
    return tracks_load(folders, 1, ids, ARRAY_LENGTH(ids), tracks, error);
}

static void loads_in_the_given_order(void **state) {
    (void)state;
    struct tracks tracks;
    struct error error = {0};
    if (load(sums, &tracks, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    assert_int_equal(tracks.count, 2);
    assert_string_equal(tracks.items[0].id, "sums");
    assert_string_equal(tracks.items[0].title[LANGUAGE_ZH], "Sums");
    const struct track *second = &tracks.items[1];
    assert_string_equal(second->title[LANGUAGE_ZH], "B");
    assert_string_equal(second->about[LANGUAGE_EN], "The first ones");
    assert_int_equal(second->step_count, 3);
    assert_int_equal(second->steps[0].after_count, 0);
    assert_int_equal(second->steps[2].after_count, 2);
    assert_string_equal(second->steps[2].after[1], "saxpy");
    const struct track *found;
    assert_int_equal(tracks_get(&tracks, "basics", &found, &error), STATUS_OK);
    assert_ptr_equal(found, second);
    assert_int_equal(tracks_get(&tracks, "basic", &found, &error), STATUS_INVALID);
    assert_string_equal(error.hint, "did you mean basics?");
    tracks_free(&tracks);
}

/* Of two tracks with one id that of the folder which is named first counts. */
static void an_earlier_folder_hides_a_track(void **state) {
    (void)state;
    struct tracks tracks;
    cleanup_free char *other = file_join(root, "other");
    const char *const folders[] = {other, root}, *const turned[] = {root, other};
    cleanup_free char *own = strdup(basics);
    memcpy(strstr(own, "The first ones"), "The other ones", 14);
    assert_int_equal(file_make_directories(other, NULL), STATUS_OK);
    put("sums.yaml", sums);
    put("other/basics.yaml", own);
    assert_int_equal(tracks_load(folders, 2, ids, ARRAY_LENGTH(ids), &tracks, NULL), STATUS_OK);
    assert_int_equal(tracks.count, 2);
    assert_string_equal(tracks.items[1].about[LANGUAGE_EN], "The other ones");
    tracks_free(&tracks);
    assert_int_equal(tracks_load(turned, 2, ids, ARRAY_LENGTH(ids), &tracks, NULL), STATUS_OK);
    assert_string_equal(tracks.items[1].about[LANGUAGE_EN], "The first ones");
    tracks_free(&tracks);
}

static void no_folder_no_tracks(void **state) {
    (void)state;
    struct tracks tracks;
    cleanup_free char *missing = file_join(root, "missing");
    const char *const folders[] = {missing};
    assert_int_equal(tracks_load(folders, 1, ids, 1, &tracks, NULL), STATUS_OK);
    assert_int_equal(tracks.count, 0);
    tracks_free(&tracks);
}

static const struct mistake {
    const char *find, *replace;
    const char *message, *hint; /* parts of them; the hint may be NULL */
} mistakes[] = {
    {"id: sums", "id: @sum", "the id is sum, but the file is sums.yaml", NULL},
    {"order: 1\n", "", "the key order is missing", NULL},
    {"order: 1", "order: @0", "expected a whole number from 1", NULL},
    {"order: 1", "order: 1\n@odrer: 1", "unknown key odrer", "did you mean order?"},
    {"title: {en: Sums}", "title: @Sums", "title: expected a mapping", NULL},
    {"{id: dot, after: [saxpy]}", "@dot", "exercises[0]: expected a mapping", NULL},
    {"after: [dot]", "after: @dot", "exercises[1].after: expected a list", "[value]"},
    {"after: [dot]", "after: @[]", "expected 1 to 16 entries", NULL},
    {"after: [dot]", "@affter: [dot]", "unknown key affter", "did you mean after?"},
    {"id: scan", "id: @scam", "there is no exercise scam", "did you mean scan?"},
    {"after: [dot]", "after: [@dott]", "there is no exercise dott", "did you mean dot?"},
    {"id: scan, ", "id: @dot, ", "dot is twice in this track", NULL},
    {"after: [dot]", "after: [@scan]", "scan cannot be solved before scan", NULL},
    {"after: [saxpy]", "after: [saxpy, @scan]", "scan is to be solved before dot, but", "move one"},
    {"{id: dot, after: [saxpy]}", "{id: dot, after: [sort]}",
     "no exercise can come first: sort after dot, after sort", NULL},
    {"after: [dot]}\n", "after: [dot]}\n  - {id: iota, after: [scan]}\n",
     "no exercise can come first: saxpy after iota, after scan, after dot, after saxpy", NULL},
};

/* The second file with one piece replaced; *line and *column are where the @ stood, else 0. */
static char *with_mistake(const struct mistake *mistake, unsigned *line, unsigned *column) {
    const char *at = strstr(sums, mistake->find);
    assert_non_null(at);
    char *text = mem_printf("%.*s%s%s", (int)(at - sums), sums, mistake->replace,
                            at + strlen(mistake->find));
    char *mark = strchr(text, '@');
    *line = *column = 0;
    if (!mark)
        return text;
    *line = *column = 1;
    for (const char *c = text; c < mark; c++) {
        *column = *c == '\n' ? 1 : *column + 1;
        *line += *c == '\n';
    }
    memmove(mark, mark + 1, strlen(mark));
    return text;
}

static void refuses_each_mistake_at_its_place(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(mistakes); i++) {
        const struct mistake *row = &mistakes[i];
        unsigned line, column;
        cleanup_free char *yaml = with_mistake(row, &line, &column);
        struct tracks tracks;
        struct error error = {0};
        if (load(yaml, &tracks, &error) != STATUS_INVALID)
            fail_msg("accepted: %s", row->replace);
        assert_null(tracks.items);
        if (!strstr(error.message, row->message))
            fail_msg("%s: message is: %s", row->replace, error.message);
        if (row->hint && !strstr(error.hint, row->hint))
            fail_msg("%s: hint is: %s", row->replace, error.hint);
        if (line && (error.line != line || error.column != column))
            fail_msg("%s: at %u:%u, not %u:%u", row->replace, error.line, error.column, line,
                     column);
        /* A circle through both files may be seen from either. */
        if (!strstr(error.file, ".yaml") || !error.line || !error.excerpt[0])
            fail_msg("%s: no place", row->replace);
    }
}

static void shows_place_and_prerequisites(void **state) {
    (void)state;
    struct tracks tracks;
    assert_int_equal(load(sums, &tracks, NULL), STATUS_OK);
    cleanup_text struct text out = {0};
    const struct learn_standings none = {0};
    track_show_overview(&tracks, &none, LANGUAGE_EN, false, &out);
    assert_string_equal(text_string(&out), "tracks\n  sums    Sums (2)\n  basics  Basics (3)\n");
    text_clear(&out);
    track_show_membership(&tracks, "sort", LANGUAGE_EN, false, &out);
    assert_string_equal(text_string(&out),
                        "\nTracks\n  basics: Basics, 3 of 3; after dot, saxpy\n");
    text_clear(&out);
    track_show_membership(&tracks, "nothing", LANGUAGE_EN, false, &out);
    assert_string_equal(text_string(&out), "");
    track_show_text(&tracks.items[0], NULL, 0, &none, LANGUAGE_EN, false, &out);
    assert_non_null(
        strstr(text_string(&out), "   1  dot   ; after saxpy\n   2  scan  ; after dot"));
    tracks_free(&tracks);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_in_the_given_order),
        cmocka_unit_test(an_earlier_folder_hides_a_track),
        cmocka_unit_test(no_folder_no_tracks),
        cmocka_unit_test(refuses_each_mistake_at_its_place),
        cmocka_unit_test(shows_place_and_prerequisites),
    };
    return cmocka_run_group_tests_name("track", tests, set_up, tear_down);
}
