void reference(int h, int w, const double* x, double* y) {
    for (int r = 0; r < h; ++r)
        for (int c = 0; c < w; ++c) y[c * h + r] = x[r * w + c];
}
