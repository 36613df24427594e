void reference(int n, double scale, double shift, const double* x, double* y) {
    for (int i = 0; i < n; ++i) y[i] = scale * x[i] + shift;
}
