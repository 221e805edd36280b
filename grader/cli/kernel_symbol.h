/* Variables of a module that a launch finds set or unset: what `--symbol` and `--dump-symbol` name.
 */
#ifndef WARPGRADE_GRADER_CLI_KERNEL_SYMBOL_H
#define WARPGRADE_GRADER_CLI_KERNEL_SYMBOL_H

#include "grader/cli/kernel_launch.h"

/* Appends an argument for each of launch->symbols and, where it is not among those, of
 * launch->dumped_symbols, with its bytes to the data. The kernel is compiled. */
enum status kernel_symbols_add(struct kernel_launch *launch, struct error *error);
/* The argument of the variable, or NULL. */
const struct engine_argument *kernel_symbol_find(const struct kernel_launch *launch,
                                                 const char *name);
/* Appends a warning for each variable that the source reads, gives no value and never writes, and
 * that no symbol sets. */
void kernel_symbols_warn(const struct kernel_launch *launch, struct engine_result *result);

#endif
