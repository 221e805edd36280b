/* See fixture_parts.h. */
#include "tests/golden/fixture_parts.h"

#include "sandbox/base/memory.h"

#include <stdio.h>
#include <string.h>

struct report *fixture_report(const char *exercise, const char *title, const char *file,
                              const char *source) {
    struct report *report = mem_zalloc(sizeof *report);
    report->exercise = mem_strdup(exercise);
    report->title = mem_strdup(title);
    report->language = mem_strdup("en");
    report->file = mem_strdup(file);
    report->source = mem_strdup(source);
    report->source_length = source ? strlen(source) : 0;
    memset(report->sha256, 'a', 64);
    report->engine = mem_strdup("sim");
    report->seed = 42;
    report->max_score = 100;
    report->pass_mark = 60;
    report->compiler = mem_strdup("NVRTC 13.0");
    report->environment = mem_strdup("Linux 6.1, 2 CPUs");
    report->protection =
        (struct protection){PROTECTION_JAIL, "cgroup v2", "cgroup v2", "cgroup v2"};
    return report;
}

void fixture_group(struct report *report, const char *name, double max_score) {
    report->groups = mem_realloc(report->groups, report->group_count + 1, sizeof *report->groups);
    report->groups[report->group_count++] =
        (struct report_group){.name = mem_strdup(name), .max_score = max_score};
}

/* A case of the last group; its size is n. */
struct report_case *fixture_case(struct report *report, const char *name, int64_t n,
                                 enum verdict verdict, const char *message) {
    struct report_group *group = &report->groups[report->group_count - 1];
    report->cases = mem_realloc(report->cases, report->case_count + 1, sizeof *report->cases);
    struct report_case *item = &report->cases[report->case_count++];
    *item = (struct report_case){.name = mem_strdup(name),
                                 .group = mem_strdup(group->name),
                                 .verdict = verdict,
                                 .max_score = 10,
                                 .score = verdict == VERDICT_PASS ? 10 : 0,
                                 .message = mem_strdup(message),
                                 .wall_ms = 12.5};
    item->sizes = mem_zalloc(sizeof *item->sizes);
    item->sizes[0] = (struct report_size){.name = mem_strdup("n"), .value = n};
    item->size_count = 1;
    group->case_count++;
    group->passed_count += verdict == VERDICT_PASS;
    if (report->cases[0].verdict == VERDICT_PASS ||
        verdict_infos[verdict].severity > verdict_infos[report->verdict].severity)
        report->verdict = verdict_infos[verdict].severity > verdict_infos[report->verdict].severity
                              ? verdict
                              : report->verdict;
    return item;
}

struct hazard *fixture_hazard(struct report_case *item, enum hazard_kind kind, unsigned line,
                              uint64_t count, const char *message) {
    item->hazards = mem_realloc(item->hazards, item->hazard_count + 1, sizeof *item->hazards);
    struct hazard *hazard = &item->hazards[item->hazard_count++];
    *hazard = (struct hazard){.kind = kind, .line = line, .count = count, .thread_count = 1};
    snprintf(hazard->file, sizeof hazard->file, "dot.cu");
    snprintf(hazard->message, sizeof hazard->message, "%s", message);
    return hazard;
}

void fixture_finish(struct report *report, const char *message) {
    for (size_t i = 0; i < report->group_count; i++) {
        struct report_group *group = &report->groups[i];
        if (group->case_count)
            group->score =
                group->max_score * (double)group->passed_count / (double)group->case_count;
        report->score += group->score;
    }
    report->passed = report->score >= report->pass_mark;
    report->message = mem_strdup(message);
}

void fixture_difference(struct report_case *item, const char *output, const char *index,
                        double expected, double actual, double allowed) {
    item->difference = (struct report_difference){.present = true,
                                                  .output = mem_strdup(output),
                                                  .index = mem_strdup(index),
                                                  .flat_index = 88,
                                                  .expected = expected,
                                                  .actual = actual,
                                                  .allowed = allowed,
                                                  .differing = 3,
                                                  .total = 90};
}
