#!/bin/bash
# The installed program, moved, from a folder that has nothing to do with it, where neither the sources nor
# the build folder can be seen; as another user; with a course's own exercises beside the shipped ones.
# Usage: check_program.sh PREFIX
set -u
prefix=$1
failed=0
work=$(mktemp -d "$(dirname "$prefix")/work.XXXXXX") # on one file system: links are enough
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

expect() { # expect WHAT CODE TEXT COMMAND ...
    what=$1 code=$2 text=$3
    shift 3
    "$@" >output 2>&1 </dev/null
    got=$?
    if [ $got -ne "$code" ] || ! grep -qF -e "$text" output; then
        echo "FAILED: $what: exit code $got, expected $code and \"$text\""
        cat output
        failed=1
    fi
}

cp "$TREE/tests/samples/saxpy/good.cu" saxpy.cu
cp -al "$prefix" "$work/opt"
program=$work/opt/bin/warpgrade
one=(grade --no-record --seed 1 --cases one-block saxpy.cu)
expect 'beside its data' 0 saxpy.cu "$program" "${one[@]}"
ln -s opt/bin/warpgrade link
expect 'through a link' 0 saxpy.cu ./link "${one[@]}"

# Where the sources and the build folder are not: empty folders over them. The toolkit may be in .cuda/.
hide=(--dev-bind / / --tmpfs "$TREE" --tmpfs "$BUILD" --bind "$work" "$work" --chdir "$work")
[ ! -d "$TREE/.cuda/" ] || hide+=(--ro-bind "$(cd "$TREE/.cuda/" && pwd -P)" "$TREE/.cuda")
if bwrap "${hide[@]}" true 2>/dev/null; then
    [ ! -d "$TREE/.cuda/" ] || export CUDA_HOME=$TREE/.cuda
    expect 'the tree is hidden' 2 'No such file' bwrap "${hide[@]}" ls "$TREE/exercises"
    expect 'without the sources' 0 saxpy.cu bwrap "${hide[@]}" "$program" "${one[@]}"
    unset CUDA_HOME
fi

# An autograder is made of what is installed.
expect 'an autograder' 0 autograder "$program" report bundle gradescope -e saxpy -o autograder.zip

# A program without its data says so, and takes nothing from elsewhere.
mkdir -p alone/bin
cp -l "$program" alone/bin/
expect 'no data' 3 'Move the program together with its share/' alone/bin/warpgrade list
mkdir -p alone/share
cp -al opt/share/warpgrade alone/share/
chmod o+w alone/share/warpgrade/reference
expect 'data of everybody' 3 'everybody can write to it' alone/bin/warpgrade "${one[@]}"
expect 'with their names' 3 'chmod o-w' alone/bin/warpgrade list
chmod o-w alone/share/warpgrade/reference

# A course's own exercises beside the shipped ones; one of the same id hides the shipped one.
mkdir -p course/exercises course/reference
cp -r opt/share/warpgrade/exercises/saxpy course/exercises/ours
cp -r opt/share/warpgrade/exercises/saxpy course/exercises/
cp -r opt/share/warpgrade/reference/saxpy course/reference/
sed -i 's/^id: .*/id: ours/' course/exercises/ours/exercise.yaml
sed -i 's/SAXPY: /Our own SAXPY: /' course/exercises/saxpy/exercise.yaml
expect 'a home beside' 0 'Our own SAXPY' "$program" list --home course
expect 'an exercise of it' 0 ours "$program" completions ids --home course
expect 'what it hides' 0 'share/warpgrade: saxpy (an earlier home has that, too)' "$program" list --home course
expect 'what is not graded here' 0 'without a reference here: ours' "$program" list --home course
expect 'by the environment' 0 'Our own SAXPY' env WARPGRADE_HOME="$work/course:" "$program" list
expect 'the shipped ones, too' 0 matmul-boundary env WARPGRADE_HOME="$work/course:" "$program" list

# Without its reference an exercise is shown, begun and looked at for hazards, and never passes.
expect 'no reference: list' 0 ours "$program" list --home course
expect 'no reference: show' 0 'float alpha' "$program" show --home course ours
expect 'no reference: new' 0 'ours.cu' "$program" new --home course ours begun
sed 's/warpgrade: saxpy/warpgrade: ours/' saxpy.cu >ours.cu
one_of_ours=(grade --no-record --seed 1 --cases one-block --home course)
expect 'no reference: grade' 3 'compared with nothing' "$program" "${one_of_ours[@]}" ours.cu
sed 's/i < n/i <= n/' ours.cu >stray.cu
expect 'no reference: a hazard' 1 'out-of-bounds at stray.cu' \
    "$program" grade --no-record --seed 1 --cases prime --home course stray.cu
expect 'no reference: validate' 3 'reference of ours is not on this machine' "$program" validate --home course ours
mkdir -p secret/reference
cp -r opt/share/warpgrade/reference/saxpy secret/reference/ours
expect 'the reference in a home of its own' 0 'ours.cu' \
    env WARPGRADE_HOME="$work/course:$work/secret" "$program" grade --no-record --seed 1 --cases one-block ours.cu

printf 'course: C\nhome: ../course\nexercises: [ours, dot]\nstudents: [{id: a, repository: .}]\n' >class.yaml
mkdir -p class && mv class.yaml class/
expect 'the home of a course' 1 ours "$program" course check class/class.yaml
sed -i 's/ours, dot/theirs/' class/class.yaml
expect 'an exercise that it has not' 2 'no exercise theirs' "$program" course check class/class.yaml
sed -i 's/^home: .*/home: nowhere/' class/class.yaml
expect 'a home that is not there' 2 'class.yaml:2' "$program" course check class/class.yaml
# A list of homes may begin with an empty entry, and a bad one is named.
expect 'a folder that is no home' 2 'has no folder exercises' "$program" list --home class

# NVRTC of the places that fetch-cuda fills; what else this machine has is hidden.
expect 'where NVRTC comes from' 3 libexec/warpgrade/fetch-cuda \
    env WARPGRADE_CUDA_HOME=/nowhere XDG_CACHE_HOME="$work" "$program" "${one[@]}"
exit $failed
