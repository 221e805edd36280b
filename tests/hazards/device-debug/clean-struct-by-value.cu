// sim --grid 1 --block 32 --device-debug --arg u8*768=zero --arg i32*32=zero
// a struct with padding, and with a member that is never set, is copied, passed and returned
struct P {
    char c;
    double d;
    int x;
};
__device__ P make(int i) {
    P p;
    p.x = i;
    p.c = 1;
    return p;
}
__device__ int first(P p) {
    return p.x;
}
__global__ void k(P *out, int *sum) {
    P p = make(threadIdx.x);
    P q = p;
    int x = first(q);
    q.d = 2;
    out[threadIdx.x] = q;
    sum[threadIdx.x] = x;
}
