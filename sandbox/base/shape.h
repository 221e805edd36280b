/* Shapes of variables, as comments after the last line of a PTX text.
 *
 * PTX knows a variable by its bytes: `__shared__ float tile[16][17]` is `.b8 tile[1088]`. The build
 * room learns the type from the debug information of a -G build and writes a line for each variable
 * that has an address; the simulated GPU reads it where a message names an element. To every other
 * reader it is a comment.
 *
 *     // shape _ZZ1kE4tile a16a17b4
 *     // shape _ZZ1kE5nodes a32s8{next@0b4weight@4b4}
 *
 * A type is b and its bytes; a, the number of elements and a type; or s, its bytes and in braces
 * each member's name, @, its offset and its type. A base class is a member without a name. a0 is an
 * array whose extent the launch decides. */
#ifndef WARPGRADE_SANDBOX_BASE_SHAPE_H
#define WARPGRADE_SANDBOX_BASE_SHAPE_H

#define SHAPE_COMMENT "// shape "

/* Longer descriptions, and deeper ones, are left out: the name would be too long to read. */
enum { SHAPE_MAX_BYTES = 1024, SHAPE_MAX_DEPTH = 16 };

#endif
