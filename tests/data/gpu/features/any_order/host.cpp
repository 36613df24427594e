#include <algorithm>
#include <vector>

/// Some zeros of both signs among the numbers: they are not positive.
void inputs(unsigned long long seed, int n, double* x, double*, unsigned*) {
    for (int i = 0; i < n; ++i)
        if ((seed + static_cast<unsigned>(i) * 7u) % 5 == 0) x[i] = i % 2 ? 0.0 : -0.0;
}

void reference(int n, const double* x, double* kept, unsigned* count) {
    for (int i = 0; i < n; ++i)
        if (x[i] > 0) kept[(*count)++] = x[i];
}

bool compare(int, const double*, const double* kept, const double* keptExpected, const unsigned* count,
             const unsigned* countExpected) {
    if (*count != *countExpected) return false;
    std::vector<double> got(kept, kept + *count), wanted(keptExpected, keptExpected + *count);
    std::sort(got.begin(), got.end());
    std::sort(wanted.begin(), wanted.end());
    return got == wanted;
}
