#!/bin/sh
# .ci/Dockerfile installs what ./bootstrap build asks for on a machine that has nothing, and no more.
# Usage: check_dockerfile.sh SOURCE
set -u
source=$1
machine=$(mktemp -d) || exit 1
trap 'rm -rf "$machine"' EXIT
mkdir -p "$machine/bin" "$machine/tree"
sed 's|/usr/local/cuda|/nowhere/cuda|g' "$source/bootstrap" >"$machine/tree/bootstrap"
chmod +x "$machine/tree/bootstrap"
for tool in sh dirname awk sed grep tr cat cmp ls rm mkdir mv ln; do
    ln -s "$(command -v $tool)" "$machine/bin/$tool"
done
printf '#!/bin/sh\necho 1000\n' >"$machine/bin/id"
printf '#!/bin/sh\n' >"$machine/bin/ldconfig"
chmod +x "$machine/bin/id" "$machine/bin/ldconfig"
env -i PATH="$machine/bin" "$machine/tree/bootstrap" build >"$machine/output" 2>&1 </dev/null
asked=$(sed -n 's/.*(On Debian the packages are: \(.*\))/\1/p' "$machine/output")
listed=$(sed -n '/^# packages of/,/&&.*dpkg-dev/p' "$source/.ci/Dockerfile" | sed '1,2d; $d' | tr -sc 'a-z0-9+-' ' ')
listed=${listed# }
listed=${listed% }
[ -n "$asked" ] || {
    echo "FAILED: bootstrap names no packages:"
    cat "$machine/output"
    exit 1
}
[ "$asked" = "$listed" ] || {
    printf 'FAILED: .ci/Dockerfile and bootstrap differ\n  bootstrap:  %s\n  Dockerfile: %s\n' "$asked" "$listed"
    exit 1
}
