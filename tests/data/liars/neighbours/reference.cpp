void reference(int n, const double* x, double* y) {
    for (int i = 0; i < n; ++i) y[i] = (i > 0 ? x[i - 1] : 0) + x[i] + (i + 1 < n ? x[i + 1] : 0);
}
