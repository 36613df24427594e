// What saxpy must compute, in double: the funnel widens the buffers and calls this on the host.
void reference(int n, double a, const double* x, double* y) {
    for (int i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}
