/* `warpgrade gradebook override`: a grade set by hand, with who and why, or such a one taken back.
 */
#include "grader/cli/gradebook/gradebook_cli.h"

#include "sandbox/base/decimal.h"
#include "sandbox/base/text.h"

#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { OPTION_BY = 256, OPTION_WHY, OPTION_WITHDRAW };

struct arguments {
    struct gradebook_arguments shared;
    const char *who, *why;
    bool withdraw;
};

static error_t parse_option(int key, char *value, struct argp_state *state) {
    struct arguments *arguments = state->input;
    switch (key) {
    case OPTION_BY:
        arguments->who = value;
        return 0;
    case OPTION_WHY:
        arguments->why = value;
        return 0;
    case OPTION_WITHDRAW:
        arguments->withdraw = true;
        return 0;
    case ARGP_KEY_END:
        if (!arguments->who || !*arguments->who || !arguments->why || !*arguments->why)
            argp_error(state,
                       "--by WHO and --why TEXT: a grade that is set by hand can be explained");
        if (arguments->withdraw && arguments->shared.word_count > 2)
            argp_error(state, "--withdraw takes no POINTS");
        if (!arguments->withdraw && arguments->shared.word_count < 3)
            argp_error(state, "how many POINTS? A number, or a percentage with %%");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* "8.5", "85%" */
static enum status read_value(const char *word, struct gradebook_override *override,
                              struct error *error) {
    char *end;
    override->value = strtod(word, &end);
    override->is_percent = end != word && strcmp(end, "%") == 0;
    if (end == word || (*end && !override->is_percent) || !isfinite(override->value) ||
        override->value < 0)
        return error_set(error, STATUS_INVALID,
                         "POINTS is a number from 0 on, or a percentage as 85%%, not \"%.80s\"",
                         word);
    return STATUS_OK;
}

/* More than the exercise gives may be meant, and may be a slip. */
static void print_result(struct gradebook *book, const struct arguments *arguments,
                         struct error *error) {
    const struct gradebook_filter filter = {.student = arguments->shared.words[0],
                                            .exercise = arguments->shared.words[1]};
    struct gradebook_grades grades;
    if (gradebook_grades(book, &filter, &grades, error) != STATUS_OK)
        return;
    cleanup_text struct text out = {0};
    const struct terminal t = gradebook_terminal(&arguments->shared, &out);
    for (size_t i = 0; i < grades.count; i++) {
        const struct gradebook_grade *grade = &grades.rows[i];
        terminal_foreign(&t, PEN_BOLD, grade->student);
        terminal_print(&t, PEN_PLAIN, " ");
        terminal_foreign(&t, PEN_PLAIN, grade->exercise);
        terminal_printf(&t, PEN_PLAIN, ": %s of %s points%s\n", decimal_points(grade->final).text,
                        decimal_points(grade->max_score).text,
                        grade->final > grade->max_score ? ", more than the exercise gives" : "");
    }
    gradebook_print(&out);
    gradebook_grades_free(&grades);
}

static enum status work(struct gradebook *book, void *input, struct error *error) {
    const struct arguments *arguments = input;
    struct gradebook_override override = {.student = arguments->shared.words[0],
                                          .exercise = arguments->shared.words[1],
                                          .who = arguments->who,
                                          .why = arguments->why,
                                          .at = (int64_t)time(NULL)};
    enum status status = STATUS_OK;
    if (arguments->withdraw)
        status = gradebook_withdraw(book, &override, error);
    else
        status = read_value(arguments->shared.words[2], &override, error);
    if (status == STATUS_OK && !arguments->withdraw)
        status = gradebook_override(book, &override, error);
    if (status == STATUS_OK)
        print_result(book, arguments, error);
    return status;
}

int gradebook_override_command(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"by", OPTION_BY, "WHO", 0, "who decided it", 1},
        {"why", OPTION_WHY, "TEXT", 0, "the reason, for whoever asks", 1},
        {"withdraw", OPTION_WITHDRAW, NULL, 0,
         "takes back what is set by hand; what was graded counts again", 1},
        {0}};
    static const struct gradebook_command command = {
        .words = "BOOK STUDENT EXERCISE POINTS --by WHO --why TEXT\n"
                 "BOOK STUDENT EXERCISE --withdraw --by WHO --why TEXT",
        .about = "Sets a grade by hand: POINTS, or a percentage as 85%, in place of what was "
                 "graded and of its penalty. Nothing is forgotten: `warpgrade gradebook history` "
                 "shows it all.",
        .shared = &gradebook_argp,
        .options = options,
        .parse = parse_option,
        .work = work,
        .writes = true};
    struct arguments arguments = {
        .shared = {.wanted = 3, .least = 2, .missing = "which STUDENT and EXERCISE?"}};
    return gradebook_cli_run(&command, argc, argv, &arguments);
}
