// warpgrade: saxpy
// aim: have the host compiler load or write something by a pragma
// defence: pragmas of the host compiler mean nothing to the device's compiler
// landlock: fails
// verdict: wrong-answer
#pragma GCC system_header
#pragma GCC dependency "/etc/passwd"
#pragma comment(lib, "/tmp/evil.so")
#pragma push_macro("__global__")
#pragma nv_exec_check_disable
#pragma once
__global__ void saxpy(int n, float alpha, const float *x, float *y) {}
