/* What the build room knows of the source and PTX cannot say, as comments in a PTX text.
 *
 *     // returns 5 12                   after the last line: the lines that hold a `return`
 *     // store to constant memory       before a trap that the optimiser made of such a store
 *
 * The simulated GPU reads them where a message or its advice depends on them. To every other reader
 * they are comments. */
#ifndef WARPGRADE_SANDBOX_BASE_SOURCE_NOTE_H
#define WARPGRADE_SANDBOX_BASE_SOURCE_NOTE_H

#define RETURNS_COMMENT        "// returns"
#define CONSTANT_STORE_COMMENT "// store to constant memory"

#endif
