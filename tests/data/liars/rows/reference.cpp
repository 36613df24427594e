void reference(int height, int width, int pitch, const double* x, double* y) {
    for (int r = 0; r < height; ++r)
        for (int c = 0; c < width; ++c) y[r * pitch + c] = x[r * pitch + c] + 1;
}
