void reference(int n, const double* x, const double* y, double* total) {
    for (int i = 0; i < n; ++i) *total += x[i] * y[i];
}
