// QCOMPARE for std::string and std::string_view that shows both texts.
// Used by the tests of this folder.
#pragma once

#include <QString>
#include <QtTest>
#include <string>

#define QCOMPARE_TEXT(actual, expected)                                                                                \
    QCOMPARE(QString::fromStdString(std::string(actual)), QString::fromStdString(std::string(expected)))
