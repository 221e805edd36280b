// sim --grid 1 --block 32 --arg f32*64=iota:const --arg f32*256=uninit --arg f64*128=uninit --arg i32=3
// both builds
// padding of four bytes, and of a struct that is aligned to more than it has
struct __align__(16) point {
    float x, y, z;
};
struct entry {
    double value;
    int key;
};
struct pair {
    int key;
    double value;
};
__global__ void k(const float *in, point *points, entry *entries, int n) {
    __shared__ point s[32];
    __shared__ entry e[32];
    int t = threadIdx.x;
    s[t].x = in[t];
    s[t].y = 1;
    s[t].z = 2;
    e[t].value = 1;
    e[t].key = t;
    __syncthreads();
    points[t] = s[31 - t];
    entries[t] = e[31 - t];
    point here[4];
    entry own[4];
    pair pairs[4], other;
    for (int i = 0; i < 4; i++) {
        here[i].x = in[i];
        here[i].y = 4;
        here[i].z = 3;
        own[i].value = i;
        own[i].key = i;
        pairs[i].key = i;
        pairs[i].value = t;
    }
    points[32 + t] = here[n & 3];
    entries[32 + t] = own[n & 3];
    other = pairs[n & 3];
    *(pair *)&entries[t] = other;
}
