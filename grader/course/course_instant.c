/* Instants and durations as COURSE.yaml writes them.
 *
 * An instant is ISO 8601: a date, a time to the minute or second, an offset or Z. Without an offset
 * it is local time of the course's zone; a date alone means the last second of that day. A local
 * time that clocks skip or show twice is an error: who writes a deadline means one instant. */
#include "grader/course/course_private.h"

#include "grader/course/course_zone.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { MIN_YEAR = 1970, DAY_SECONDS = 86400 };
#define MAX_DURATION ((int64_t)3660 * DAY_SECONDS)

struct written {
    const char *text, *next;
    int year, month, day, hour, minute, second;
    bool has_time, has_offset;
    int64_t offset; /* seconds east */
    const char *fault;
    struct error *error;
};

static enum status fail(struct written *written, const char *at, const char *message) {
    written->fault = at;
    return error_set(written->error, STATUS_INVALID, "%s", message);
}

static enum status no_instant(struct written *written) {
    written->fault = written->text;
    error_set(written->error, STATUS_INVALID, "expected a date and a time, found \"%.60s\"",
              written->text);
    error_hint(written->error, "write 2026-10-02T23:59:00+02:00, or a date alone for its last "
                               "second");
    return STATUS_INVALID;
}

/* Exactly `count` digits. */
static bool digits(struct written *written, int count, int *value) {
    *value = 0;
    for (int i = 0; i < count; i++, written->next++) {
        if (*written->next < '0' || *written->next > '9')
            return false;
        *value = *value * 10 + (*written->next - '0');
    }
    return true;
}

static bool mark(struct written *written, char expected) {
    if (*written->next != expected)
        return false;
    written->next++;
    return true;
}

static enum status read_date(struct written *written) {
    if (!digits(written, 4, &written->year) || !mark(written, '-') ||
        !digits(written, 2, &written->month) || !mark(written, '-') ||
        !digits(written, 2, &written->day))
        return no_instant(written);
    if (written->year < MIN_YEAR)
        return fail(written, written->text, "the year is before 1970");
    if (written->month < 1 || written->month > 12)
        return fail(written, written->text + 5, "a month is 01 to 12");
    struct tm date = {
        .tm_year = written->year - 1900, .tm_mon = written->month - 1, .tm_mday = written->day};
    timegm(&date);
    if (written->day < 1 || date.tm_mday != written->day)
        return fail(written, written->text + 8, "the month has no such day");
    return STATUS_OK;
}

static enum status read_time(struct written *written) {
    const char *start = written->next;
    if (!digits(written, 2, &written->hour) || !mark(written, ':') ||
        !digits(written, 2, &written->minute))
        return no_instant(written);
    if (*written->next == ':' && (written->next++, !digits(written, 2, &written->second)))
        return no_instant(written);
    if (written->hour == 24) {
        fail(written, start, "a day ends with 23:59:59");
        error_hint(written->error, "24:00 is 00:00 of the day after");
        return STATUS_INVALID;
    }
    if (written->hour > 23 || written->minute > 59 || written->second > 59)
        return fail(written, start, "a time is 00:00 to 23:59:59");
    written->has_time = true;
    return STATUS_OK;
}

static enum status read_offset(struct written *written) {
    const char *start = written->next;
    if (*start == 'Z' || *start == 'z') {
        written->has_offset = true;
        written->next++;
        return STATUS_OK;
    }
    if (*start != '+' && *start != '-')
        return STATUS_OK;
    int hours, minutes = 0;
    written->next++;
    if (!digits(written, 2, &hours))
        return no_instant(written);
    bool colon = mark(written, ':');
    if ((colon || *written->next) && !digits(written, 2, &minutes))
        return no_instant(written);
    if (hours > 15 || minutes > 59)
        return fail(written, start, "an offset is at most 15:59");
    written->has_offset = true;
    written->offset = (*start == '-' ? -60 : 60) * (int64_t)(hours * 60 + minutes);
    return STATUS_OK;
}

static enum status resolve(struct written *written, const struct course_zone *zone, int64_t local,
                           int64_t *instant) {
    int64_t instants[2];
    size_t count = course_zone_instants(zone, local, instants);
    if (count == 0) {
        fail(written, written->text, "clocks are put forward over this time: nobody sees it");
        error_hint(written->error, "choose another time, or write its offset: +02:00");
        return STATUS_INVALID;
    }
    if (count == 2 && written->has_time) {
        fail(written, written->text, "clocks are put back over this time and show it twice");
        error_hint(written->error, "write which one is meant by its offset: +02:00");
        return STATUS_INVALID;
    }
    *instant = instants[count - 1]; /* of a date alone, the end of the day */
    return STATUS_OK;
}

static enum status read_written(struct written *written) {
    enum status status = read_date(written);
    if (status != STATUS_OK)
        return status;
    const char *after_date = written->next;
    if (*written->next == 'T' || *written->next == 't' || *written->next == ' ') {
        written->next++;
        status = read_time(written);
    } else {
        written->hour = 23;
        written->minute = written->second = 59;
    }
    if (status == STATUS_OK)
        status = read_offset(written);
    if (status == STATUS_OK && *written->next)
        return written->next == after_date ? no_instant(written)
                                           : fail(written, written->next, "text after the time");
    return status;
}

enum status course_instant_parse(const char *text, const struct course_zone *zone, int64_t *instant,
                                 size_t *offset, struct error *error) {
    struct written written = {.text = text, .next = text, .fault = text, .error = error};
    enum status status = read_written(&written);
    if (status == STATUS_OK) {
        struct tm date = {.tm_year = written.year - 1900,
                          .tm_mon = written.month - 1,
                          .tm_mday = written.day,
                          .tm_hour = written.hour,
                          .tm_min = written.minute,
                          .tm_sec = written.second};
        int64_t local = timegm(&date);
        if (written.has_offset) {
            *instant = local - written.offset;
        } else if (zone) {
            status = resolve(&written, zone, local, instant);
        } else {
            status = fail(&written, written.next, "a time without its zone is no instant");
            error_hint(error, "write Z or +02:00 after it, or once for the course timezone: "
                              "Europe/Zurich");
        }
    }
    *offset = (size_t)(written.fault - text);
    return status;
}

bool course_duration_parse(const char *text, int64_t *seconds) {
    static const struct {
        char letter;
        int64_t seconds;
    } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', DAY_SECONDS}, {'w', 7 * DAY_SECONDS}};
    int64_t sum = 0;
    if (strcmp(text, "0") == 0) {
        *seconds = 0;
        return true;
    }
    if (!*text)
        return false;
    while (*text) {
        int64_t number = 0, unit = 0;
        size_t length = strspn(text, "0123456789");
        if (length == 0 || length > 9)
            return false;
        for (size_t i = 0; i < length; i++)
            number = number * 10 + (text[i] - '0');
        for (size_t i = 0; i < sizeof units / sizeof *units; i++)
            if (text[length] == units[i].letter)
                unit = units[i].seconds;
        if (!unit)
            return false;
        sum += number * unit;
        text += length + 1;
    }
    *seconds = sum;
    return sum <= MAX_DURATION;
}

void course_append_instant(const struct course *course, int64_t instant, struct text *out) {
    char name[COURSE_ZONE_NAME] = "UTC";
    if (instant == COURSE_NEVER) {
        text_append(out, "never");
        return;
    }
    int32_t offset = course->zone ? course_zone_offset(course->zone, instant, name) : 0;
    time_t local = (time_t)(instant + offset);
    struct tm date;
    if (!gmtime_r(&local, &date))
        return;
    text_printf(out, "%04d-%02d-%02d %02d:%02d:%02d %s", date.tm_year + 1900, date.tm_mon + 1,
                date.tm_mday, date.tm_hour, date.tm_min, date.tm_sec, name);
}
