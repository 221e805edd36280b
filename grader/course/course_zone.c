/* TZif files (RFC 8536): a table of instants at which a zone's offset changes, and a rule for the
 * time after the table. Only the second block, with 64-bit instants, is read; all machines of this
 * century write it. The file comes from the system, and is read as carefully as any other. */
#include "grader/course/course_zone.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER_BYTES = 44, MAX_FILE_BYTES = 1 << 20, MAX_TYPES = 256, MAX_NAMES = 1000 };
enum { MAX_OFFSET = 26 * 3600 };

struct zone_type {
    int32_t offset;
    bool daylight;
    char abbreviation[COURSE_ZONE_NAME];
};

struct course_zone {
    size_t change_count;
    int64_t *changes; /* rising */
    uint8_t *types;   /* from each change on */
    size_t type_count;
    struct zone_type type[MAX_TYPES];
    bool has_rule;
    struct course_zone_rule rule;
};

/* ---- the file ----------------------------------------------------------------------------- */

struct counts {
    size_t utc, standard, leap, change, type, name;
};

static uint32_t read_32(const unsigned char *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static int64_t read_64(const unsigned char *bytes) {
    return (int64_t)((uint64_t)read_32(bytes) << 32 | read_32(bytes + 4));
}

static bool read_header(const unsigned char *data, size_t length, struct counts *counts) {
    if (length < HEADER_BYTES || memcmp(data, "TZif", 4) != 0 || data[4] < '2')
        return false;
    *counts = (struct counts){read_32(data + 20), read_32(data + 24), read_32(data + 28),
                              read_32(data + 32), read_32(data + 36), read_32(data + 40)};
    return counts->utc <= MAX_TYPES && counts->standard <= MAX_TYPES && counts->leap <= 1000 &&
           counts->change <= 100000 && counts->type >= 1 && counts->type <= MAX_TYPES &&
           counts->name <= 10000;
}

static size_t block_bytes(const struct counts *counts, size_t instant_bytes) {
    return counts->change * (instant_bytes + 1) + counts->type * 6 + counts->name +
           counts->leap * (instant_bytes + 4) + counts->standard + counts->utc;
}

static bool read_types(struct course_zone *zone, const struct counts *counts,
                       const unsigned char *types, const char *names) {
    zone->type_count = counts->type;
    for (size_t i = 0; i < counts->type; i++) {
        const unsigned char *entry = types + i * 6;
        struct zone_type *type = &zone->type[i];
        type->offset = (int32_t)read_32(entry);
        type->daylight = entry[4] != 0;
        if (abs(type->offset) > MAX_OFFSET || entry[5] >= counts->name)
            return false;
        size_t length = strnlen(names + entry[5], counts->name - entry[5]);
        snprintf(type->abbreviation, sizeof type->abbreviation, "%.*s", (int)length,
                 names + entry[5]);
    }
    return true;
}

static bool read_changes(struct course_zone *zone, const struct counts *counts,
                         const unsigned char *instants, const unsigned char *types) {
    zone->changes = mem_calloc(counts->change + 1, sizeof *zone->changes);
    zone->types = mem_calloc(counts->change + 1, 1);
    zone->change_count = counts->change;
    for (size_t i = 0; i < counts->change; i++) {
        zone->changes[i] = read_64(instants + i * 8);
        zone->types[i] = types[i];
        if (types[i] >= counts->type || (i && zone->changes[i] <= zone->changes[i - 1]))
            return false;
    }
    return true;
}

/* The last line, between two line ends; an empty one says that the table is all there is. */
static bool read_rule(struct course_zone *zone, const char *text, const char *end) {
    if (text == end || *text++ != '\n')
        return false;
    const char *line_end = memchr(text, '\n', (size_t)(end - text));
    if (!line_end)
        return false;
    cleanup_free char *line = mem_strndup(text, (size_t)(line_end - text));
    zone->has_rule = *line != '\0';
    return !zone->has_rule || course_zone_rule_parse(line, &zone->rule);
}

static bool read_file(struct course_zone *zone, const unsigned char *data, size_t length) {
    struct counts counts;
    if (!read_header(data, length, &counts))
        return false;
    size_t first = HEADER_BYTES + block_bytes(&counts, 4);
    if (first > length || !read_header(data + first, length - first, &counts))
        return false;
    size_t start = first + HEADER_BYTES, bytes = block_bytes(&counts, 8);
    if (bytes > length - start ||
        counts.leap) /* leap seconds: such zones do not count as UTC does */
        return false;
    const unsigned char *instants = data + start;
    const unsigned char *types = instants + counts.change * 9;
    return read_changes(zone, &counts, instants, instants + counts.change * 8) &&
           read_types(zone, &counts, types, (const char *)types + counts.type * 6) &&
           read_rule(zone, (const char *)instants + bytes, (const char *)data + length);
}

enum status course_zone_parse(const char *name, const void *data, size_t length,
                              struct course_zone **out, struct error *error) {
    struct course_zone *zone = mem_zalloc(sizeof *zone);
    *out = NULL;
    if (!read_file(zone, data, length)) {
        course_zone_free(zone);
        return error_set(error, STATUS_INVALID,
                         "the machine's data of the time zone %.80s cannot be read", name);
    }
    *out = zone;
    return STATUS_OK;
}

void course_zone_free(struct course_zone *zone) {
    if (!zone)
        return;
    free(zone->changes);
    free(zone->types);
    free(zone);
}

/* ---- names -------------------------------------------------------------------------------- */

static const char *zone_folder(void) {
    const char *folder = getenv("TZDIR");
    return folder && *folder ? folder : "/usr/share/zoneinfo";
}

static bool is_zone_name(const char *name) {
    if (*name == '/' || strstr(name, "..") || strlen(name) > 80)
        return false;
    return name[strspn(name,
                       "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/_+-.")] ==
           '\0';
}

/* The closest of the names that zone.tab lists, in its third column. */
static void hint_zone(struct error *error, const char *name) {
    cleanup_free char *path = file_join(zone_folder(), "zone.tab");
    cleanup_free char *data = NULL;
    size_t length, count = 0;
    const char *names[MAX_NAMES] = {"UTC"};
    error_hint(error, "write a name as Europe/Zurich; an abbreviation does not say when clocks are "
                      "changed");
    if (file_read(path, MAX_FILE_BYTES, &data, &length, NULL) != STATUS_OK)
        return;
    count = 1;
    char *save = NULL;
    for (char *line = strtok_r(data, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        char *field = *line == '#' ? NULL : strchr(line, '\t');
        field = field ? strchr(field + 1, '\t') : NULL;
        if (!field || count == MAX_NAMES)
            continue;
        names[count++] = ++field;
        field[strcspn(field, "\t")] = '\0';
    }
    const char *closest = text_closest(name, names, count);
    if (closest)
        error_hint(error, "did you mean %s?", closest);
}

static enum status make_utc(struct course_zone **out) {
    struct course_zone *zone = mem_zalloc(sizeof *zone);
    zone->type_count = 1;
    snprintf(zone->type[0].abbreviation, sizeof zone->type[0].abbreviation, "UTC");
    *out = zone;
    return STATUS_OK;
}

enum status course_zone_load(const char *name, struct course_zone **zone, struct error *error) {
    *zone = NULL;
    if (strcmp(name, "UTC") == 0)
        return make_utc(zone);
    cleanup_free char *path = is_zone_name(name) ? file_join(zone_folder(), name) : NULL;
    cleanup_free char *data = NULL;
    size_t length;
    if (path && file_read(path, MAX_FILE_BYTES, &data, &length, NULL) == STATUS_OK)
        return course_zone_parse(name, data, length, zone, error);
    if (!file_exists(zone_folder())) {
        error_set(error, STATUS_ENVIRONMENT, "this machine has no data of time zones in %s",
                  zone_folder());
        error_hint(error, "install the package tzdata, or write times with an offset: "
                          "2026-10-02T23:59:00+02:00");
        return STATUS_ENVIRONMENT;
    }
    error_set(error, STATUS_INVALID, "there is no time zone %.80s", name);
    hint_zone(error, name);
    return STATUS_INVALID;
}

/* ---- offsets ------------------------------------------------------------------------------ */

/* Before the first change holds the first type that is no daylight saving time. */
static size_t first_type(const struct course_zone *zone) {
    for (size_t i = 0; i < zone->type_count; i++)
        if (!zone->type[i].daylight)
            return i;
    return 0;
}

int32_t course_zone_offset(const struct course_zone *zone, int64_t instant,
                           char abbreviation[COURSE_ZONE_NAME]) {
    size_t low = 0, high = zone->change_count; /* the first change after the instant */
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (zone->changes[middle] <= instant)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == zone->change_count && zone->has_rule) {
        int daylight = course_zone_rule_at(&zone->rule, instant);
        if (abbreviation)
            memcpy(abbreviation, zone->rule.abbreviation[daylight], COURSE_ZONE_NAME);
        return zone->rule.offset[daylight];
    }
    const struct zone_type *type = &zone->type[low ? zone->types[low - 1] : first_type(zone)];
    if (abbreviation)
        memcpy(abbreviation, type->abbreviation, COURSE_ZONE_NAME);
    return type->offset;
}

static size_t add_instant(const struct course_zone *zone, int64_t local, int32_t offset,
                          int64_t instants[2], size_t count) {
    int64_t instant = local - offset;
    if (course_zone_offset(zone, instant, NULL) != offset || count == 2 ||
        (count && instants[0] == instant))
        return count;
    instants[count] = instant;
    if (count && instants[0] > instant) {
        instants[1] = instants[0];
        instants[0] = instant;
    }
    return count + 1;
}

size_t course_zone_instants(const struct course_zone *zone, int64_t local, int64_t instants[2]) {
    size_t count = 0;
    for (size_t i = 0; i < zone->type_count; i++)
        count = add_instant(zone, local, zone->type[i].offset, instants, count);
    for (int i = 0; zone->has_rule && i < 2; i++)
        count = add_instant(zone, local, zone->rule.offset[i], instants, count);
    return count;
}
