// warpgrade: histogram-coarsened
//
// bins[v] += how many of the n bytes are v, for every v from 0 to 255.
// Launched with one thread for every WORDS words of four bytes:
//     int bytes = 4 * BLOCK_SIZE * WORDS;      // of a block
//     histogram<<<max(1, (n + bytes - 1) / bytes), BLOCK_SIZE>>>(data, bins, n);
// The bins hold earlier counts, to which these are added.
//
// You may change BLOCK_SIZE to any power of two from 32 to 1024, and WORDS to any number from 1 to
// 256; the launch follows them. Grade it with `warpgrade grade histogram-coarsened.cu`.

#define BLOCK_SIZE 256
#define WORDS 4

__global__ void histogram(const unsigned char *data, unsigned *bins, int n)
{
    // Step 1: declare 256 counters that the block shares, clear all of them, and wait.

    // Step 2: in each of WORDS rounds, count the four bytes of one word, where there is one.

    // Step 3: let one thread (which?) count the bytes after the last whole word.

    // Step 4: wait, and add the counters to the bins, where other blocks add theirs.

    // Step 5: what do the lanes of a warp do to each other where all bytes are equal?
}
