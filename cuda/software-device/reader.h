// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "program.h"

namespace software {

struct Token {
    std::string text;
    int line;
};

// Reads the words and marks of PTX, without comments and the directives that end with their line. Throws an InvalidPtx.
class Reader {
  protected:
    explicit Reader(const char *text);

    // An empty one is the last, as often as it is taken.
    const std::string &peek() const { return all[next].text; }
    std::string take() { return all[isAtEnd() ? next : next++].text; }
    bool isAtEnd() const { return peek().empty(); }
    bool isLabel() const { return !isAtEnd() && all[next + 1].text == ":"; }

    // Takes a token if it is this one.
    bool takes(const char *text);
    void expect(const char *text);
    void skipStatement();

    // Takes a number: the bits of one with a fraction, too.
    u64 number();
    static bool isNumber(const std::string &text);

    [[noreturn]] void refuse(const std::string &why) const;

    std::vector<Token> all;
    size_t next = 0;
};

}  // namespace software
