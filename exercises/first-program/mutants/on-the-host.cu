#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    int n = atoi(argv[1]);
    float a = (float)atof(argv[2]);
    size_t bytes = n * sizeof(float);
    float *x = (float *)malloc(bytes), *y = (float *)malloc(bytes), *out = (float *)malloc(bytes);
    for (int i = 0; i < n; i++)
        if (scanf("%f", &x[i]) != 1)
            return 2;
    for (int i = 0; i < n; i++)
        if (scanf("%f", &y[i]) != 1)
            return 2;
    for (int i = 0; i < n; i++)
        out[i] = a * x[i] + y[i];
    for (int i = 0; i < n; i++)
        printf("%.9g\n", out[i]);
    return 0;
}
