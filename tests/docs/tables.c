/* The lists in schemas and READMEs that repeat a table of the program: check_tables ROOT says which
 * of them differ from the tables, check_tables --write ROOT (`ninja tables`) puts them right.
 *
 * A row names a file, the text that stands before the list and the text after it, and what makes
 * the list. A row without these texts is a whole file. So a new hazard, verdict or counter is a row
 * of its .def file, and the rest follows. */
#include "grader/exercise/device.h"
#include "grader/exercise/exercise_schema.h"
#include "reports/report.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/profile.h"
#include "sandbox/base/text.h"
#include "sandbox/base/verdict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_COLUMNS = 108, SCHEMA_COLUMNS = 100 };

typedef const char *(*name_function)(size_t index);

static const char *hazard_name(size_t index) {
    return index < HAZARD_COUNT ? hazard_infos[index].name : NULL;
}

static const char *verdict_name(size_t index) {
    return index < VERDICT_COUNT ? verdict_infos[index].name : NULL;
}

static const char *counter_name(size_t index) {
    return index < COUNTER_COUNT ? counter_infos[index].name : NULL;
}

static const char *figure_name(size_t index) {
    return index < SAMPLED_FIGURE_COUNT ? sampled_figure_names[index] : NULL;
}

struct list {
    const char *file, *before, *after;
    void (*write)(const struct list *list, struct text *out);
    name_function name;
    unsigned indent;         /* of the lines after the first */
    enum schema_object root; /* of a whole schema */
};

/* Words with `quote` around each and `separator` between them, on lines of at most `columns`. The
 * first begins where the text before it ends, which is the indentation of all others. */
static void write_words(const struct list *list, const char *quote, const char *separator,
                        size_t columns, struct text *out) {
    size_t used = list->indent;
    for (size_t i = 0; list->name(i); i++) {
        const char *name = list->name(i);
        size_t width = strlen(name) + 2 * strlen(quote) + strlen(separator);
        if (i)
            text_append(out, separator);
        if (i && used + 1 + width > columns) {
            text_append_char(out, '\n');
            text_append_repeated(out, ' ', list->indent);
            used = list->indent;
        } else if (i) {
            text_append_char(out, ' ');
            used++;
        }
        text_printf(out, "%s%s%s", quote, name, quote);
        used += width;
    }
}

static void page_words(const struct list *list, struct text *out) {
    write_words(list, "", "", PAGE_COLUMNS, out);
}

static void schema_words(const struct list *list, struct text *out) {
    write_words(list, "\"", ",", SCHEMA_COLUMNS, out);
}

static void schema_properties(const struct list *list, struct text *out) {
    for (size_t i = 0; list->name(i); i++) {
        text_append(out, i ? ",\n" : "");
        text_append_repeated(out, ' ', i ? list->indent : 0);
        text_printf(out, "\"%s\": { \"$ref\": \"#/$defs/unsigned\" }", list->name(i));
    }
}

static void whole_schema(const struct list *list, struct text *out) {
    schema_write_json(list->root, out);
}

static void key_tables(const struct list *list, struct text *out) {
    (void)list;
    schema_write_markdown(out);
}

static void append_counts(struct text *out, const struct device_provenance *provenance) {
    for (size_t i = DEVICE_MEASURED; i < DEVICE_ORIGIN_COUNT; i++)
        text_printf(out, " %u |", provenance->counts[i]);
}

static void profile_table(const struct list *list, struct text *out) {
    (void)list;
    text_append(out, "| profile | measured | documented | assumed | rates: measured | documented "
                     "| assumed | modelled times |\n|---|---|---|---|---|---|---|---|");
    for (size_t i = 0; device_id(i); i++) {
        struct device_profile device;
        struct error error;
        if (device_load(device_id(i), &device, &error) != STATUS_OK) {
            fprintf(stderr, "%s: %s\n", device_id(i), error.message);
            exit(1);
        }
        struct device_provenance all = device_provenance(&device);
        struct device_provenance rates = device_rate_provenance(&device);
        text_printf(out, "\n| %s |", device.id);
        append_counts(out, &all);
        append_counts(out, &rates);
        text_printf(out, " %s |", device_describe_times(&rates));
    }
}

static void format_table(const struct list *list, struct text *out) {
    (void)list;
    text_append(out, "| format | |\n|---|---|");
    for (size_t i = 0; i < report_format_count; i++)
        text_printf(out, "\n| `%s` | %s |", report_formats[i].name, report_formats[i].summary);
}

/* ---- functions of the CUDA runtime ------------------------------------------------------------
 */

static const struct {
    const char *name;
    bool is_here;
} symbols[] = {
#define HERE                 true
#define MISSING              false
#define SYMBOL(name, status) {#name, status},
#include "sandbox/runtime/symbol.def"
#undef SYMBOL
#undef HERE
#undef MISSING
};

/* The first group one of whose words is in the name; the last one has all others. */
static const struct {
    const char *name;
    const char *words[14];
} groups[] = {
    {"what the compiler calls", {"__cuda"}},
    {"the names of per-thread default streams", {"_ptsz", "_ptds"}},
    {"graphics, video and other APIs' memory",
     {"Graphics", "cudaGL", "EGL", "VDPAU", "External", "NvSci"}},
    {"graphs and capture", {"Graph", "Capture", "UserObject"}},
    {"arrays, textures, surfaces", {"Array", "Texture", "Surface", "ChannelDesc"}},
    {"libraries loaded at run time", {"cudaLibrary"}},
    {"streams and events", {"cudaStream", "cudaEvent", "StreamPriority", "LaunchHostFunc"}},
    {"launches, functions, occupancy",
     {"cudaLaunch", "cudaFunc", "cudaOccupancy", "GetKernel", "FuncBySymbol", "KernelSet"}},
    {"processes", {"cudaIpc"}},
    {"pools", {"MemPool", "MallocAsync", "FreeAsync", "FromPool"}},
    {"memory, copies, variables",
     {"cudaMalloc", "cudaFree", "cudaMem", "cudaHost", "Pointer", "SymbolAddress", "SymbolSize"}},
    {"errors", {"Error"}},
    {"devices and what is asked of them", {""}},
};

static size_t group_of(const char *symbol) {
    for (size_t i = 0; i < ARRAY_LENGTH(groups); i++)
        for (size_t j = 0; j < ARRAY_LENGTH(groups[i].words) && groups[i].words[j]; j++)
            if (strstr(symbol, groups[i].words[j]))
                return i;
    return ARRAY_LENGTH(groups);
}

static void append_missing(size_t group, size_t count, struct text *out) {
    enum { NAMED = 6 };
    size_t named = 0;
    for (size_t i = 0; i < ARRAY_LENGTH(symbols) && named < NAMED; i++)
        if (!symbols[i].is_here && group_of(symbols[i].name) == group)
            text_printf(out, "%s`%s`", named++ ? ", " : " ", symbols[i].name);
    if (count > NAMED)
        text_printf(out, " and %zu more", count - NAMED);
}

static void runtime_table(const struct list *list, struct text *out) {
    (void)list;
    size_t all[2] = {0};
    text_append(out, "| functions | there | not there | not there are |\n|---|---|---|---|");
    for (size_t group = 0; group < ARRAY_LENGTH(groups); group++) {
        size_t counts[2] = {0};
        for (size_t i = 0; i < ARRAY_LENGTH(symbols); i++)
            counts[symbols[i].is_here] += group_of(symbols[i].name) == group;
        text_printf(out, "\n| %s | %zu | %zu |", groups[group].name, counts[1], counts[0]);
        append_missing(group, counts[0], out);
        text_append(out, " |");
        all[0] += counts[0];
        all[1] += counts[1];
    }
    text_printf(out, "\n| all | %zu | %zu | |", all[1], all[0]);
}

/* What stands before the figures of relative_errors, which lie deeper in one schema than in
 * another. */
#define SAMPLED(indent)                                                                            \
    "0: nothing was sampled.\",\n" indent "\"type\": \"object\",\n" indent "\"required\": ["

static const struct list lists[] = {
    {"docs/grading-a-class.md", "one of these verdicts:\n`", "`", page_words, verdict_name},
    {"docs/simulated-gpu.md", "The hazards are\n`", "`", page_words, hazard_name},
    {"reports/report.schema.json", "\"verdict\": {\n      \"enum\": [", "]", schema_words,
     verdict_name, 15},
    {"reports/report.schema.json", "\"hazard_kind\": {\n      \"enum\": [", "]", schema_words,
     hazard_name, 15},
    {"reports/report.schema.json",
     "\"counters\": {\n      \"type\": \"object\",\n      \"required\": [", "]", schema_words,
     counter_name, 19},
    {"reports/sim.schema.json", "\"hazard_kind\": {\n      \"enum\": [", "]", schema_words,
     hazard_name, 15},
    {"reports/sim.schema.json",
     "\"registers_per_thread\", \"theoretical_occupancy\",\n                   ", "]", schema_words,
     counter_name, 19},
    {"reports/sim.schema.json", "\"minimum\": 0, \"maximum\": 1 },\n        ", "\n      }",
     schema_properties, counter_name, 8},
    {"reports/sim.schema.json", "\"required\": [\"file\", \"line\",\n                     ", "]",
     schema_words, counter_name, 21},
    {"reports/sim.schema.json", "\"line\": { \"type\": \"integer\", \"minimum\": 0 },\n          ",
     "\n        }", schema_properties, counter_name, 10},
    {"reports/run.schema.json", "\"hazard_kind\": {\n      \"enum\": [", "]", schema_words,
     hazard_name, 15},
    {"reports/run.schema.json",
     "a card counts nothing.\",\n      \"type\": [\"object\", \"null\"],\n      \"required\": [",
     "]", schema_words, counter_name, 19},
    {"reports/report.schema.json", SAMPLED("          "), "]", schema_words, figure_name, 23},
    {"reports/sim.schema.json", SAMPLED("          "), "]", schema_words, figure_name, 23},
    {"reports/profile.schema.json", SAMPLED("      "), "]", schema_words, figure_name, 19},
    {"exercises/exercise.schema.json", NULL, NULL, whole_schema, .root = SCHEMA_exercise},
    {"exercises/track.schema.json", NULL, NULL, whole_schema, .root = SCHEMA_track},
    {"exercises/README.md", "<!-- keys: begin -->\n", "\n<!-- keys: end -->", key_tables},
    {"docs/grading-a-class.md", "<!-- formats: begin -->\n", "\n<!-- formats: end -->",
     format_table},
    {"sandbox/devices/README.md", "<!-- profiles: begin -->\n", "\n<!-- profiles: end -->",
     profile_table},
    {"sandbox/runtime/README.md", "<!-- functions: begin -->\n", "\n<!-- functions: end -->",
     runtime_table},
};

/* The file as it should be; NULL where the texts around the list are not in it. */
static char *corrected(const struct list *list, const char *old) {
    const char *from = old, *to = old + strlen(old);
    if (list->before) {
        from = strstr(old, list->before);
        from = from ? from + strlen(list->before) : NULL;
        to = from ? strstr(from, list->after) : NULL;
    }
    if (!from || !to)
        return NULL;
    struct text out = {0};
    text_append_bytes(&out, old, (size_t)(from - old));
    list->write(list, &out);
    text_append(&out, to);
    return text_steal(&out);
}

static bool check(const struct list *list, const char *root, bool write) {
    cleanup_free char *path = file_join(root, list->file), *old = NULL;
    size_t length;
    struct error error;
    if (file_read(path, 1 << 20, &old, &length, &error) != STATUS_OK) {
        fprintf(stderr, "%s\n", error.message);
        return false;
    }
    cleanup_free char *new = corrected(list, old);
    if (!new) {
        fprintf(stderr, "%s: no list between \"%s\" and \"%s\"\n", list->file, list->before,
                list->after);
        return false;
    }
    if (strcmp(old, new) == 0)
        return true;
    if (!write) {
        fprintf(stderr, "%s: %s%s differs from its table; run `ninja tables`\n", list->file,
                list->name
                    ? "the list of "
                    : "what is made from exercise.def, format.def, symbol.def or sandbox/devices/",
                list->name ? list->name(0) : "");
        return false;
    }
    printf("%s\n", list->file);
    if (file_write(path, new, strlen(new), &error) == STATUS_OK)
        return true;
    fprintf(stderr, "%s\n", error.message);
    return false;
}

int main(int argc, char **argv) {
    bool write = argc == 3 && strcmp(argv[1], "--write") == 0;
    if (!write && argc != 2) {
        fprintf(stderr, "usage: check_tables [--write] ROOT\n");
        return 2;
    }
    bool right = true;
    for (size_t i = 0; i < ARRAY_LENGTH(lists); i++)
        right = check(&lists[i], argv[argc - 1], write) && right;
    return right ? 0 : 1;
}
