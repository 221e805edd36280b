// sim --grid 1 --block 64 --arg i32*128=uninit --arg i32*64=iota:const
// copying a struct copies its padding
struct tagged {
    char tag;
    int value;
};
__global__ void k(tagged *out, const int *in) {
    __shared__ tagged s[64];
    int t = threadIdx.x;
    s[t].tag = in[t];
    s[t].value = in[t] + 1;
    __syncthreads();
    out[t] = s[63 - t];
}
