// sim --grid 1 --block 32 --arg i32*32=zero --arg i32=6
// both builds
struct matrix {
    int head, rows[3][4], tail;
};
union bits {
    int word;
    unsigned char bytes[4];
};
__global__ void k(int *out, int n) {
    matrix m;
    bits u;
    int other[4];
    for (int i = 0; i < 14; i++)
        (&m.head)[i] = i;
    for (int i = 0; i < 4; i++)
        other[i] = i;
    u.word = n;
    int s = 0;
    for (int i = 0; i < 4; i++)
        s += u.bytes[i] + m.rows[n % 3][i] + other[i];
    int *flat = &m.rows[0][0];
    for (int i = 0; i < 12; i++)
        s += flat[i];
    out[threadIdx.x] = s + m.tail;
}
