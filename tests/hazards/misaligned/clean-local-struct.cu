// sim --grid 1 --block 32 --arg f64*32=uninit --arg i32*1=const:3
struct item { char tag; double value; };
__global__ void k(double *b, int *n) {
    item items[4];
    for (int i = 0; i < 4; i++)
        items[i] = {(char)i, i * 0.5};
    b[threadIdx.x] = items[*n].value + items[threadIdx.x % 4].tag;
}
