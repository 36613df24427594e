void reference(int n, const double* x, double* y) {
    for (int i = 0; i < n; ++i) y[i] = 2 * x[i];
}
