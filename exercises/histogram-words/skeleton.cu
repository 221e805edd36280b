// warpgrade: histogram-words
//
// bins[v] += how many of the n bytes are v, for every v from 0 to 255, with one load for four
// bytes.
// Launched as histogram<<<max(1, (n + 1023) / 1024), 256>>>(data, bins, n): one thread for every
// four bytes, in whole blocks. The bins hold earlier counts, to which these are added.
//
// Grade it with `warpgrade grade histogram-words.cu`.

__global__ void histogram(const unsigned char *data, unsigned *bins, int n)
{
    // Step 1: which word of four bytes is this thread's, and is all of it there?

    // Step 2: load it at once, take it apart, and add 1 to the bins of its four bytes.

    // Step 3: let one thread (which?) count the bytes after the last whole word.
}
