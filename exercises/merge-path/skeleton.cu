// warpgrade: merge-path
//
// c = the a_count elements of a and the b_count elements of b, both in ascending order, in
// ascending order.
// Launched with one thread for every ITEMS elements of c:
//     int elements = BLOCK_SIZE * ITEMS;
//     int blocks = (a_count + b_count + elements - 1) / elements;
//     merge<<<blocks, BLOCK_SIZE>>>(a, b, c, a_count, b_count);
//
// You may change BLOCK_SIZE to any power of two from 32 to 1024, and ITEMS to any number from 1 to
// 32; the launch follows them. Grade it with `warpgrade grade merge-path.cu`.

#define BLOCK_SIZE 128
#define ITEMS 8

__global__ void merge(const int *a, const int *b, int *c, int a_count, int b_count)
{
    // Step 1: where in c do this thread's elements begin?

    // Step 2: how many of the elements before come from a? Which numbers are possible at all?

    // Step 3: merge from there on. Which list is used up first, and what then?
}
