/* What reports/embed.cmake makes of sandbox/devices/. Private to device.c. */
#ifndef WARPGRADE_GRADER_EXERCISE_DEVICE_SOURCE_H
#define WARPGRADE_GRADER_EXERCISE_DEVICE_SOURCE_H

struct device_source {
    const char *id;   /* the file's name without .yaml; NULL ends the table */
    const char *text; /* the file */
};
extern const struct device_source device_sources[];

#endif
