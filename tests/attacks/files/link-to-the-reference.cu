// warpgrade: saxpy
// aim: hand in a symbolic link to the reference
// defence: a submission that is a symbolic link is refused
// setup: rm "$FILE" && ln -s "$SOURCE/tests/samples/saxpy/good.cu" "$FILE"
// verdict: none
// says: is a symbolic link, not a file
