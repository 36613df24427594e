void reference(int n, const double* x, unsigned*, double*, double* y) {
    double total = 0;
    for (int i = 0; i < n; ++i) total += x[i];
    for (int i = 0; i < n; ++i) y[i] = x[i] / total;
}
