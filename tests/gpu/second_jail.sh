#!/bin/sh
# A grade on a card in the jail of machines without user namespaces: second_jail.sh PROGRAM. 77: there is no card.
[ -e /dev/nvidiactl ] || { echo "skipped: no card here (/dev/nvidiactl)"; exit 77; }
exec "$1" grade --jail landlock --engine cuda "$(dirname "$0")/../samples/saxpy/good.cu"
