// sim --grid 1 --block 8 --arg f32*16=zero
struct pair {
    char tag;
    float value;
};
__global__ void k(float *b) {
    __shared__ pair s[8];
    s[threadIdx.x].tag = threadIdx.x;
    s[threadIdx.x].value = 1;
    __syncthreads();
    b[threadIdx.x] = s[7 - threadIdx.x].tag + s[7 - threadIdx.x].value;
}
