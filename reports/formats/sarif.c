/* The report for code scanning (SARIF 2.1.0): findings as results, and what `warpgrade explain`
 * says of each as the help of its rule.
 *
 * One run holds all submissions, because GitHub takes one run of a tool from a file. Rules are
 * named after hazards and verdicts, results carry fingerprints, and both stay the same from run to
 * run. In a message, {0} and [text](link) mean something to readers; what a submission says never
 * does. */
#include "reports/escape.h"
#include "reports/explain.h"
#include "reports/formats/finding.h"
#include "reports/json_parts.h"
#include "reports/utf8.h"
#include "reports/writers.h"
#include "sandbox/base/memory.h"

#include <inttypes.h>
#include <string.h>

#define SCHEMA                                                                                     \
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

enum { MOST_RESULTS = 5000 }; /* GitHub shows no more of a file, and takes 25,000 */

/* ---- text ------------------------------------------------------------------------------------ */

/* Braces are doubled (SARIF 2.1.0, 3.11.5), and no "](" is left that would end a link's text. */
static json_t *message_json(const char *raw) {
    cleanup_text struct text text = {0};
    for (const char *c = raw; *c; c++) {
        text_append_char(&text, *c);
        if (*c == '{' || *c == '}')
            text_append_char(&text, *c);
        else if (*c == ']' && c[1] == '(')
            text_append_char(&text, ' ');
    }
    return json_pack("{so}", "text", json_shown(text_string(&text)));
}

/* A path as a URI reference: relative as it is, absolute with a scheme. Bytes that a URI cannot
 * hold are written as %XX, so that a colon makes no scheme. */
static json_t *uri_json(const char *file) {
    cleanup_text struct text uri = {0}, valid = {0};
    while (strncmp(file, "./", 2) == 0)
        file += 2;
    escape_utf8(&valid, file, strlen(file));
    const char *path = text_string(&valid);
    if (*path == '/')
        text_append(&uri, "file://");
    for (; *path; path++)
        if ((*path >= '0' && *path <= '9') || (*path >= 'a' && *path <= 'z') ||
            (*path >= 'A' && *path <= 'Z') || strchr("-._~/+,=@", *path))
            text_append_char(&uri, *path);
        else
            text_printf(&uri, "%%%02X", (unsigned char)*path);
    return json_string(text_string(&uri));
}

/* ---- places ---------------------------------------------------------------------------------- */

/* The column in characters, as `columnKind` says; 0 where it is not known. */
static unsigned character_column(const struct finding *finding) {
    const char *line;
    size_t length, at = 0;
    unsigned column = 1;
    if (!finding->column || !finding_source_line(finding, &line, &length) ||
        finding->column > length)
        return 0;
    for (; at + 1 < finding->column; column++)
        at += utf8_decode(line + at, length - at).length;
    return column;
}

/* GitHub drops a result without a line: a file as a whole is its first one. */
static json_t *location_json(const char *file, unsigned line, unsigned column) {
    json_t *region = json_pack("{so}", "startLine", json_integer(line ? line : 1));
    if (column)
        json_object_set_new(region, "startColumn", json_integer(column));
    return json_pack("{s{s{so} so}}", "physicalLocation", "artifactLocation", "uri", uri_json(file),
                     "region", region);
}

static json_t *related_json(const struct finding *finding) {
    json_t *list = json_array();
    for (size_t i = 0; i < finding->place_count; i++) {
        const struct finding_place *place = &finding->places[i];
        json_t *location = location_json(place->file, place->line, 0);
        json_object_set_new(location, "id", json_integer((json_int_t)i + 1));
        json_object_set_new(location, "message", message_json(place->message));
        json_array_append_new(list, location);
    }
    return list;
}

/* ---- rules ----------------------------------------------------------------------------------- */

struct rules {
    const char *ids[HAZARD_COUNT + VERDICT_COUNT + 2];
    size_t count;
};

static size_t rule_index(struct rules *rules, const char *id) {
    size_t i = 0;
    while (i < rules->count && strcmp(rules->ids[i], id) != 0)
        i++;
    if (i == rules->count)
        rules->ids[rules->count++] = id;
    return i;
}

static json_t *rule_json(const char *id) {
    struct explain_page page;
    json_t *rule = json_pack("{ss}", "id", id);
    if (explain_find(id, &page, NULL) != STATUS_OK) {
        const char *what = strcmp(id, FINDING_NOT_GRADED) == 0
                               ? "nothing was graded: the message says what is missing or wrong"
                               : "a warning of the compiler";
        json_object_set_new(rule, "shortDescription", json_pack("{ss}", "text", what));
        return rule;
    }
    cleanup_text struct text summary = {0}, help = {0}, fix = {0};
    explain_summary(&page, &summary);
    if (explain_head(&page, "fix", &fix))
        text_printf(&help, "%s\n\n", text_string(&fix));
    text_append(&help, page.body);
    json_object_set_new(rule, "shortDescription", json_pack("{ss}", "text", text_string(&summary)));
    json_object_set_new(
        rule, "help",
        json_pack("{ss ss}", "text", text_string(&help), "markdown", text_string(&help)));
    return rule;
}

/* ---- results --------------------------------------------------------------------------------- */

static json_t *result_message(const struct finding *finding) {
    cleanup_text struct text message = {0};
    finding_append_text(finding, &message);
    return message_json(text_string(&message));
}

static json_t *result_json(const struct finding *finding, struct rules *rules) {
    static const char *const levels[FINDING_LEVEL_COUNT] = {"error", "warning"};
    json_t *result = json_object();
    json_object_set_new(result, "ruleId", json_string(finding->rule));
    json_object_set_new(result, "ruleIndex",
                        json_integer((json_int_t)rule_index(rules, finding->rule)));
    json_object_set_new(result, "level", json_string(levels[finding->level]));
    json_object_set_new(result, "message", result_message(finding));
    json_object_set_new(
        result, "locations",
        json_pack("[o]", location_json(finding->file, finding->line, character_column(finding))));
    if (finding->place_count)
        json_object_set_new(result, "relatedLocations", related_json(finding));
    /* The second is the one that GitHub follows. */
    json_object_set_new(result, "partialFingerprints",
                        json_pack("{ss ss}", "warpgradeFinding/v1", finding->fingerprint,
                                  "primaryLocationLineHash", finding->fingerprint));
    if (finding->count && finding->count <= INT32_MAX)
        json_object_set_new(result, "occurrenceCount", json_integer((json_int_t)finding->count));
    return result;
}

/* What was not graded, or not judged by fault of the grader, failed as an analysis, too. */
static json_t *invocations_json(const struct findings *findings) {
    bool complete = true;
    for (size_t i = 0; i < findings->count; i++)
        complete &= findings->items[i].weight != WEIGHT_UNGRADED;
    return json_pack("[{sb}]", "executionSuccessful", complete);
}

enum status report_write_sarif(const struct report *const *reports, size_t count,
                               const struct report_options *options, struct text *out,
                               struct error *error) {
    (void)options;
    (void)error; /* writing into memory does not fail */
    struct findings findings;
    findings_collect(reports, count, &findings);
    struct rules rules = {0};
    json_t *results = json_array(), *rule_list = json_array();
    for (size_t i = 0; i < findings.count && i < MOST_RESULTS; i++)
        json_array_append_new(results, result_json(&findings.items[i], &rules));
    for (size_t i = 0; i < rules.count; i++)
        json_array_append_new(rule_list, rule_json(rules.ids[i]));
    json_t *driver = json_pack("{ss ss so}", "name", "warpgrade", "version", WARPGRADE_VERSION,
                               "rules", rule_list);
    json_t *run = json_pack("{s{so} so ss so}", "tool", "driver", driver, "invocations",
                            invocations_json(&findings), "columnKind", "unicodeCodePoints",
                            "results", results);
    findings_free(&findings);
    json_append_shown(
        out, json_pack("{ss ss s[o]}", "$schema", SCHEMA, "version", "2.1.0", "runs", run));
    return STATUS_OK;
}
