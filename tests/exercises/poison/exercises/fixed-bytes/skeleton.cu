// warpgrade: fixed-bytes
__global__ void fill(unsigned char *y, unsigned *z, int n)
{
}
