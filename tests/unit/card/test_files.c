/* The folder that a program starts in: what of the user's is copied there, and what of the
 * program's comes back. Both sides may be hostile. */
#include "sandbox/card/card_files.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "tests/support/scratch.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

struct scene {
    char *top; /* the working folder of the test, with from/, run/ and keep/ */
    struct card_files files;
    struct jail_folder folder;
    int run;
};

static int open_scene(void **state) {
    struct scene *scene = mem_zalloc(sizeof *scene);
    scene->top = scratch_make("card-files");
    assert_non_null(scene->top);
    assert_int_equal(chdir(scene->top), 0);
    mkdir("from", 0755);
    mkdir("run", 0755);
    mkdir("keep", 0755);
    scene->files = (struct card_files){.from = "from", .keep = "keep"};
    scene->folder = card_files_folder(&scene->files);
    scene->run = open("run", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    *state = scene;
    return 0;
}

static int close_scene(void **state) {
    struct scene *scene = *state;
    card_files_free(&scene->files);
    close(scene->run);
    cleanup_free char *remove = mem_printf("rm -rf %s", scene->top);
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(system(remove), 0);
    free(scene->top);
    free(scene);
    return 0;
}

static void put(const char *path, const char *text) {
    assert_int_equal(file_write(path, text, strlen(text), NULL), STATUS_OK);
}

static void fill(struct scene *scene) {
    struct error error = {0};
    assert_int_equal(scene->folder.fill(scene->folder.context, scene->run, &error), STATUS_OK);
}

static void collect(struct scene *scene) {
    scene->folder.collect(scene->folder.context, scene->run);
}

static bool holds(const char *path, const char *text) {
    cleanup_free char *data = NULL;
    size_t length;
    return file_read(path, 1 << 20, &data, &length, NULL) == STATUS_OK && strcmp(data, text) == 0;
}

static bool is_there(const char *path) {
    struct stat info;
    return lstat(path, &info) == 0;
}

static void copies_files_and_folders(void **state) {
    struct scene *scene = *state;
    mkdir("from/data", 0755);
    put("from/input.txt", "in");
    put("from/data/graph.txt", "graph");
    put("from/.hidden", "secret");
    symlink("data/graph.txt", "from/link.txt");
    symlink("data", "from/more");
    symlink("..", "from/data/up"); /* the folder itself: not entered twice */
    fill(scene);
    assert_true(holds("run/input.txt", "in"));
    assert_true(holds("run/data/graph.txt", "graph"));
    assert_true(holds("run/link.txt", "graph"));
    assert_false(is_there("run/.hidden"));
    assert_false(is_there("run/data/up/input.txt"));
    assert_int_equal(scene->files.left_out, 0);
    collect(scene);
    assert_int_equal(scene->files.written_count, 0);
}

static void leaves_out_what_leads_out(void **state) {
    struct scene *scene = *state;
    put("secret", "secret");
    mkdir("outside", 0755);
    put("outside/other", "secret");
    symlink("../secret", "from/relative");
    symlink("/etc/passwd", "from/absolute");
    symlink("../outside", "from/folder");
    symlink("/proc/self/root/etc/passwd", "from/magic");
    symlink("nowhere", "from/dangling");
    symlink("self", "from/self");
    assert_int_equal(mkfifo("from/fifo", 0666), 0);
    mknod("from/null", S_IFCHR | 0666, 1 << 8 | 3); /* as root */
    put("from/name\nwith\033[2Jcontrol", "fine");
    fill(scene);
    static const char *const refused[] = {"relative", "absolute", "folder", "magic",
                                          "dangling", "self",     "fifo",   "null"};
    for (size_t i = 0; i < ARRAY_LENGTH(refused); i++) {
        cleanup_free char *path = file_join("run", refused[i]);
        assert_false(is_there(path));
    }
    assert_true(holds("run/name\nwith\033[2Jcontrol", "fine"));
    assert_int_equal(scene->files.left_out, 6);
}

static void leaves_out_the_answers_of_an_exercise(void **state) {
    struct scene *scene = *state;
    static const char *const named[] = {"mine.txt", NULL};
    scene->files.named = named;
    mkdir("from/task", 0755);
    put("from/task/exercise.yaml", "id: x");
    put("from/task/reference.cu", "secret");
    put("from/mine.txt", "mine");
    fill(scene);
    assert_true(holds("run/mine.txt", "mine"));
    assert_false(is_there("run/task/reference.cu"));
    card_files_free(&scene->files);
    scene->files = (struct card_files){.from = "from/task"};
    fill(scene);
    assert_false(is_there("run/reference.cu"));
}

static void has_limits(void **state) {
    struct scene *scene = *state;
    for (int i = 0; i < 1200; i++) {
        cleanup_free char *path = mem_printf("from/%05d", i);
        int file = open(path, O_CREAT | O_WRONLY, 0644);
        assert_true(file >= 0);
        close(file);
    }
    put("from/00000a-sparse", "");
    assert_int_equal(truncate("from/00000a-sparse", 100LL << 30), 0);
    put("from/00000b-holes", "");
    assert_int_equal(truncate("from/00000b-holes", 200 << 20), 0);
    fill(scene);
    struct stat info;
    assert_false(is_there("run/00000a-sparse"));
    assert_int_equal(stat("run/00000b-holes", &info), 0);
    assert_int_equal(info.st_size, 200 << 20);
    assert_true(info.st_blocks < 1000);
    assert_int_equal(scene->files.copied_count, CARD_FILES_MOST);
    assert_int_equal(scene->files.left_out, 1202 - CARD_FILES_MOST);
}

/* Each is a file by itself: their number is what is read of the folder at most. */
static void reads_no_more_names_than_it_may(void **state) {
    struct scene *scene = *state;
    put("from/0", "");
    for (int i = 1; i < 21000; i++) {
        char path[32];
        snprintf(path, sizeof path, "from/%d", i);
        assert_int_equal(link("from/0", path), 0);
    }
    fill(scene);
    assert_true(scene->files.cut);
    assert_int_equal(scene->files.copied_count, CARD_FILES_MOST);
}

static const struct card_written *find(const struct scene *scene, const char *path) {
    for (size_t i = 0; i < scene->files.written_count; i++)
        if (strcmp(scene->files.written[i].path, path) == 0)
            return &scene->files.written[i];
    return NULL;
}

static void keeps_what_was_written(void **state) {
    struct scene *scene = *state;
    put("from/same.txt", "same");
    put("from/changed.txt", "before");
    put("keep/output.ppm", "old");
    fill(scene);
    put("run/changed.txt", "after!");
    put("run/output.ppm", "picture");
    mkdir("run/deep", 0755);
    mkdir("run/deep/down", 0755);
    put("run/deep/down/.log", "log");
    collect(scene);
    assert_int_equal(scene->files.written_count, 3);
    assert_true(holds("keep/output.ppm", "picture"));
    assert_true(holds("keep/changed.txt", "after!"));
    assert_true(holds("keep/deep/down/.log", "log"));
    assert_false(is_there("keep/same.txt"));
    assert_int_equal(find(scene, "output.ppm")->bytes, 7);
    assert_string_equal(find(scene, "output.ppm")->kept, "");
}

static void keeps_nothing_unless_it_shall(void **state) {
    struct scene *scene = *state;
    scene->files.keep = NULL;
    fill(scene);
    put("run/output.ppm", "picture");
    collect(scene);
    assert_int_equal(scene->files.written_count, 1);
    assert_false(is_there("keep/output.ppm"));
}

/* Links on either side, in a folder's place as well. */
static void follows_no_link_back(void **state) {
    struct scene *scene = *state;
    put("secret", "secret");
    mkdir("outside", 0755);
    symlink("../secret", "keep/victim.txt");
    symlink("../outside", "keep/folder");
    fill(scene);
    symlink("../secret", "run/link.txt");
    symlink("/etc", "run/etc");
    assert_int_equal(mkfifo("run/fifo", 0666), 0);
    put("run/victim.txt", "new");
    mkdir("run/folder", 0755);
    put("run/folder/file", "new");
    put("run/name\nwith\033[2Jcontrol", "x");
    put("run/c1\302\233", "x");
    put("run/holes", "");
    assert_int_equal(truncate("run/holes", 300LL << 20), 0);
    collect(scene);
    assert_int_equal(scene->files.others, 3);
    assert_true(holds("secret", "secret"));
    assert_true(holds("keep/victim.txt", "new"));
    struct stat info;
    assert_int_equal(lstat("keep/victim.txt", &info), 0);
    assert_true(S_ISREG(info.st_mode));
    assert_false(is_there("outside/file"));
    assert_false(is_there("keep/link.txt"));
    assert_string_not_equal(find(scene, "folder/file")->kept, "");
    assert_string_equal(find(scene, "name\nwith\033[2Jcontrol")->kept,
                        "its name has control characters");
    assert_string_equal(find(scene, "c1\302\233")->kept, "its name has control characters");
    assert_string_equal(find(scene, "holes")->kept, "more than 256 MiB in all");
    assert_false(is_there("keep/.warpgrade-kept"));
}

static void names_no_more_than_it_may(void **state) {
    struct scene *scene = *state;
    scene->files.keep = NULL;
    fill(scene);
    for (int i = 0; i < 130; i++) {
        cleanup_free char *path = mem_printf("run/%d", i);
        put(path, "x");
    }
    collect(scene);
    assert_int_equal(scene->files.written_count, CARD_WRITTEN_MOST);
    assert_int_equal(scene->files.more_written, 130 - CARD_WRITTEN_MOST);
}

#define SCENE(test) cmocka_unit_test_setup_teardown(test, open_scene, close_scene)

int main(void) {
    const struct CMUnitTest tests[] = {
        SCENE(copies_files_and_folders),
        SCENE(leaves_out_what_leads_out),
        SCENE(leaves_out_the_answers_of_an_exercise),
        SCENE(has_limits),
        SCENE(reads_no_more_names_than_it_may),
        SCENE(keeps_what_was_written),
        SCENE(keeps_nothing_unless_it_shall),
        SCENE(follows_no_link_back),
        SCENE(names_no_more_than_it_may),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
