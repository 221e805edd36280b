/* A list of devices and the table of one. Names and notes may be of a file of the user's own. */
#include "reports/device.h"

#include "reports/message.h"
#include "reports/terminal.h"
#include "sandbox/base/decimal.h"

#include <string.h>

enum { ID_COLUMNS = 8, NAME_COLUMNS = 24, VALUE_COLUMNS = 20, ORIGIN_COLUMNS = 10 };

void report_append_assumed(struct text *out, enum language language,
                           const struct device_provenance *rates) {
    if (device_is_guess(rates))
        text_printf(out, WORDS(language, assumed_rates), rates->counts[DEVICE_ASSUMED],
                    device_provenance_total(rates));
}

void report_append_guess(struct text *out, enum language language,
                         const struct device_provenance *rates) {
    report_append_assumed(out, language, rates);
    if (device_is_guess(rates))
        text_append(out, WORDS(language, times_are_a_guess));
}

void report_device_heading(struct text *out) {
    text_printf(out, "%-*s  %-*s  %2s  %4s  %4s  %5s  %8s  %10s  %7s  times\n", ID_COLUMNS,
                "device", NAME_COLUMNS, "name", "sm", "SMs", "MHz", "GB/s", "measured",
                "documented", "assumed");
}

void report_device_row(const struct device_profile *device, bool color, struct text *out) {
    const struct terminal t = {.out = out, .color = color, .width = TERMINAL_WIDTH};
    struct device_provenance all = device_provenance(device),
                             rates = device_rate_provenance(device);
    terminal_cell(&t, PEN_BOLD, device->id, ID_COLUMNS);
    text_append(out, "  ");
    terminal_cell(&t, PEN_PLAIN, device->name, NAME_COLUMNS);
    text_printf(out, "  %2.0f  %4.0f  %4.0f  %5.0f  %8u  %10u  %7u  %s\n",
                device->compute_capability, device->multiprocessors, device->clock_mhz,
                device->dram_gbps, all.counts[DEVICE_MEASURED], all.counts[DEVICE_DOCUMENTED],
                all.counts[DEVICE_ASSUMED], device_describe_times(&rates));
}

static void append_counts(struct text *out, const struct device_provenance *provenance) {
    const char *before = "";
    for (enum device_origin i = DEVICE_MEASURED; i < DEVICE_ORIGIN_COUNT; i++) {
        text_printf(out, "%s%u %s", before, provenance->counts[i], device_origin_names[i]);
        before = ", ";
    }
    if (provenance->counts[DEVICE_UNSAID])
        text_printf(out, ", %u of which nothing is said", provenance->counts[DEVICE_UNSAID]);
}

static size_t widest_name(void) {
    size_t widest = 0;
    for (size_t i = 0; i < DEVICE_NUMBER_COUNT; i++) {
        size_t length = strlen(device_numbers[i].name);
        widest = length > widest ? length : widest;
    }
    return widest;
}

static void print_number(const struct terminal *t, const struct device_profile *device,
                         const struct device_notes *notes, size_t index, size_t name_columns) {
    static const enum pen pens[DEVICE_ORIGIN_COUNT] = {PEN_DIM, PEN_GREEN, PEN_PLAIN, PEN_YELLOW};
    const struct device_number *number = &device_numbers[index];
    enum device_origin origin = device->origins[index];
    cleanup_text struct text value = {0};
    text_printf(&value, "%s %s", decimal(device_value(device, index), 12).text, number->unit);
    text_printf(t->out, "  %-*s  %-*s  ", (int)name_columns, number->name, VALUE_COLUMNS,
                text_string(&value));
    terminal_cell(t, pens[origin], origin == DEVICE_UNSAID ? "-" : device_origin_names[origin],
                  ORIGIN_COLUMNS);
    text_append(t->out, "  ");
    terminal_foreign(t, PEN_PLAIN, notes->numbers[index]);
    text_append_char(t->out, '\n');
}

static void print_head(const struct terminal *t, const struct device_profile *device,
                       const struct device_notes *notes) {
    struct device_provenance all = device_provenance(device),
                             rates = device_rate_provenance(device);
    cleanup_text struct text counts = {0}, guess = {0};
    terminal_foreign(t, PEN_BOLD, device->name);
    append_counts(&counts, &all);
    terminal_printf(t, PEN_PLAIN, ": %s\n", text_string(&counts));
    report_append_guess(&guess, LANGUAGE_EN, &rates);
    if (guess.length)
        terminal_printf(t, PEN_YELLOW, "  assumed: %s\n", text_string(&guess));
    if (!notes->checked)
        return;
    terminal_print(t, PEN_PLAIN, "  modelled times checked: ");
    terminal_foreign(t, PEN_PLAIN, notes->checked);
    text_append_char(t->out, '\n');
}

void report_device_text(const struct device_profile *device, const struct device_notes *notes,
                        bool color, struct text *out) {
    const struct terminal t = {.out = out, .color = color, .width = TERMINAL_WIDTH};
    size_t name_columns = widest_name();
    print_head(&t, device, notes);
    text_append_char(out, '\n');
    for (size_t i = 0; i < DEVICE_NUMBER_COUNT; i++)
        print_number(&t, device, notes, i, name_columns);
}
