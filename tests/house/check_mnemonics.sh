#!/bin/sh
# What an instruction is stands in the tables of the room program: other code asks for columns, and has no
# use for the text of a mnemonic or of a table's key. Nobody outside names either, but for those who find
# the rows, print the text or copy it. In the source folder.
set -eu
found=$(find "${1:-sandbox/simgpu}" -name '*.[ch]' ! -path '*/ptx/*' ! -name 'isa.[ch]' -exec \
    grep -HnE '(->|\.)mnemonic|isa_forms\[[^]]*\]\.key|form->key' {} + |
    grep -vE '/(decode|call_graph)\.c:' || :)
[ -z "$found" ] && exit 0
printf '%s\n' "$found"
echo "ask for the operation (insn_op) or another column of isa.def instead of the text"
exit 1
