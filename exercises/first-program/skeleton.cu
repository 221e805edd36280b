// warpgrade: first-program
//
// program n a: reads x and y, n numbers each, from standard input, and prints a * x[i] + y[i].
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    int n = atoi(argv[1]);
    float a = (float)atof(argv[2]);
    float *x = (float *)malloc(n * sizeof(float)), *y = (float *)malloc(n * sizeof(float));
    for (int i = 0; i < n; i++)
        if (scanf("%f", &x[i]) != 1)
            return 2;
    for (int i = 0; i < n; i++)
        if (scanf("%f", &y[i]) != 1)
            return 2;

    // your code: allocate, copy, launch, check, copy back
    (void)a;

    for (int i = 0; i < n; i++)
        printf("%.9g\n", y[i]);
    free(x);
    free(y);
    return 0;
}
