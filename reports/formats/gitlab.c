/* The report for GitLab's merge requests: code quality, which is a list of findings. GitLab
 * compares the lists of two branches by fingerprint, and shows none of the findings that lack a
 * line. */
#include "reports/formats/finding.h"
#include "reports/json_parts.h"
#include "reports/writers.h"

#include <string.h>

static const char *severity_of(const struct finding *finding) {
    static const char *const severities[] = {
        [WEIGHT_UNGRADED] = "blocker", [WEIGHT_BUILD] = "blocker", [WEIGHT_HAZARD] = "critical",
        [WEIGHT_CASE] = "major",       [WEIGHT_REMARK] = "minor",
    };
    return finding->level == FINDING_WARNING ? "minor" : severities[finding->weight];
}

static json_t *entry_json(const struct finding *finding) {
    cleanup_text struct text description = {0};
    text_printf(&description, "%s: ", finding->rule);
    finding_append_text(finding, &description);
    const char *path = finding->file; /* GitLab takes none that begins with ./ */
    while (strncmp(path, "./", 2) == 0)
        path += 2;
    return json_pack("{so ss ss ss s{so s{so}}}", "description",
                     json_shown(text_string(&description)), "check_name", finding->rule,
                     "fingerprint", finding->fingerprint, "severity", severity_of(finding),
                     "location", "path", json_shown(path), "lines", "begin",
                     json_integer(finding->line ? finding->line : 1));
}

enum status report_write_gitlab(const struct report *const *reports, size_t count,
                                const struct report_options *options, struct text *out,
                                struct error *error) {
    (void)options;
    (void)error; /* writing into memory does not fail */
    struct findings findings;
    findings_collect(reports, count, &findings);
    json_t *list = json_array();
    for (size_t i = 0; i < findings.count; i++)
        json_array_append_new(list, entry_json(&findings.items[i]));
    findings_free(&findings);
    json_append_shown(out, list);
    return STATUS_OK;
}
