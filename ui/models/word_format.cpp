#include "models/word_format.h"

#include <QCoreApplication>

#include <bit>
#include <cmath>
#include <cstdlib>

namespace ptxwb::ui {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("WordFormat", text);
}

/// Bits that the type has: of "u16" 16, whatever the register's word.
unsigned bitsOf(std::string_view type, unsigned bytes) {
    std::size_t digit = 0;
    while (digit < type.size() && (type[digit] < '0' || type[digit] > '9')) ++digit;
    unsigned bits = 0;
    for (; digit < type.size() && type[digit] >= '0' && type[digit] <= '9'; ++digit)
        bits = bits * 10 + static_cast<unsigned>(type[digit] - '0');
    if (type.ends_with("x2")) bits *= 2;
    return bits == 0 || bits > bytes * 8 ? bytes * 8 : bits;
}

/// IEEE 754 binary16.
double halfValue(std::uint32_t bits) {
    const std::uint32_t exponent = bits >> 10 & 31, fraction = bits & 1023;
    const double sign = bits >> 15 & 1 ? -1 : 1;
    if (exponent == 31) return fraction ? std::nan("") : sign * HUGE_VAL;
    return exponent == 0 ? sign * std::ldexp(fraction, -24) : sign * std::ldexp(1024 + fraction, int(exponent) - 25);
}

QString floatText(double value, int digits) {
    if (std::isnan(value)) return QStringLiteral("NaN");
    if (std::isinf(value)) return value < 0 ? QStringLiteral("-inf") : QStringLiteral("inf");
    return QString::number(value, 'g', digits);
}

QString hexText(std::uint64_t bits, unsigned width) {
    return QString::number(bits, 16).rightJustified(int(width + 3) / 4, QLatin1Char('0'));
}

bool isBfloat(std::string_view type) {
    return type.starts_with("bf16");
}

} // namespace

QString title(WordFormat format) {
    switch (format) {
    case WordFormat::byType: return tr("By type");
    case WordFormat::hex: return tr("Hexadecimal");
    case WordFormat::signedInteger: return tr("Signed integer");
    case WordFormat::unsignedInteger: return tr("Unsigned integer");
    case WordFormat::floating: return tr("Float");
    case WordFormat::halves: break;
    }
    return tr("Two halves (f16)");
}

QString wordText(std::uint64_t bits, std::string_view type, unsigned bytes, WordFormat format) {
    if (bytes == 0) return bits & 1 ? QStringLiteral("1") : QStringLiteral("0");
    const unsigned width = bitsOf(type, bytes);
    const std::uint64_t kept = width >= 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
    if (format == WordFormat::byType) {
        const char kind = type.empty() ? 'b' : type.front();
        format = kind == 's'                     ? WordFormat::signedInteger
                 : kind == 'f' || isBfloat(type) ? WordFormat::floating
                 : kind == 'u'                   ? WordFormat::unsignedInteger
                 : width <= 32 && kept < 0x10000 ? WordFormat::unsignedInteger // counters are what .b32 mostly holds
                                                 : WordFormat::hex;
        if (type.ends_with("x2")) format = WordFormat::halves;
    }
    switch (format) {
    case WordFormat::signedInteger: {
        const unsigned unused = 64 - width;
        return QString::number(static_cast<qlonglong>(static_cast<std::int64_t>(kept << unused) >> unused));
    }
    case WordFormat::unsignedInteger: return QString::number(static_cast<qulonglong>(kept));
    case WordFormat::floating:
        if (width == 64) return floatText(std::bit_cast<double>(kept), 8);
        if (width == 32) return floatText(double(std::bit_cast<float>(static_cast<std::uint32_t>(kept))), 6);
        if (isBfloat(type)) return floatText(double(std::bit_cast<float>(static_cast<std::uint32_t>(kept << 16))), 4);
        return floatText(halfValue(static_cast<std::uint32_t>(kept)), 4);
    case WordFormat::halves: {
        QString text;
        for (int part = int(std::max(width, 16U) / 16) - 1; part >= 0; --part) {
            const auto half = static_cast<std::uint32_t>(kept >> (16 * part) & 0xFFFF);
            const double value = isBfloat(type) ? double(std::bit_cast<float>(half << 16)) : halfValue(half);
            if (!text.isEmpty()) text += QLatin1Char(' ');
            text += floatText(value, 4);
        }
        return text;
    }
    case WordFormat::byType:
    case WordFormat::hex: break;
    }
    return hexText(kept, width);
}

} // namespace ptxwb::ui
