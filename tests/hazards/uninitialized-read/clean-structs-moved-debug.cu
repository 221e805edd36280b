// sim --device-debug --grid 1 --block 32 --arg i32*32=iota --arg i32*32=uninit
struct item {
    int key;
    char tag;
};
__device__ void push(item *h, int &n, item v) {
    int i = n++;
    while (i && h[(i - 1) / 2].key < v.key) {
        h[i] = h[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    h[i] = v;
}
__device__ item pop(item *h, int &n) {
    item r = h[0], l = h[--n];
    int i = 0;
    for (;;) {
        int c = 2 * i + 1;
        if (c >= n)
            break;
        if (c + 1 < n && h[c + 1].key > h[c].key)
            c++;
        if (h[c].key <= l.key)
            break;
        h[i] = h[c];
        i = c;
    }
    h[i] = l;
    return r;
}
__global__ void k(const int *in, int *out) {
    item h[33];
    int n = 0, x = threadIdx.x;
    for (int i = 0; i < 32; i++) {
        item v;
        v.key = (in[i] * 7 + x) % 31;
        v.tag = i;
        push(h, n, v);
    }
    int s = 0;
    for (int i = 0; i < 10; i++) {
        item v = pop(h, n);
        s = s * 3 + v.key + v.tag;
    }
    out[x] = s;
}
