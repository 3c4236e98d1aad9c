// SPDX-License-Identifier: Apache-2.0
#include "reader.h"

#include <cctype>
#include <cstdlib>
#include <cstring>

namespace software {
namespace {

bool isWord(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '%' || c == '$'; }

}  // namespace

Reader::Reader(const char *at) {
    int line = 1;
    while (*at != 0) {
        if (*at == '\n') {
            line++;
            at++;
        } else if (isspace((unsigned char)*at)) {
            at++;
        } else if (at[0] == '/' && at[1] == '/') {
            at += strcspn(at, "\n");
        } else if (at[0] == '/' && at[1] == '*') {
            for (at += 2; *at != 0 && !(at[0] == '*' && at[1] == '/'); at++) {
                line += *at == '\n';
            }
            at += *at != 0 ? 2 : 0;
        } else if (*at == '"') {
            const char *end = strchr(at + 1, '"');
            if (end == nullptr) {
                throw InvalidPtx("line " + std::to_string(line) + ": a text without an end");
            }
            all.push_back({std::string(at, end + 1), line});
            at = end + 1;
        } else if (isWord(*at)) {
            const char *begin = at;
            while (isWord(*at)) {
                at++;
            }
            std::string word(begin, at);
            if (word == ".version" || word == ".target" || word == ".address_size" || word == ".file" ||
                word == ".loc") {
                at += strcspn(at, "\n");  // a directive that ends with its line
            } else {
                all.push_back({word, line});
            }
        } else {
            all.push_back({std::string(1, *at++), line});
        }
    }
    all.push_back({"", line});
}

bool Reader::takes(const char *text) {
    if (peek() == text) {
        next++;
        return true;
    }
    return false;
}

void Reader::expect(const char *text) {
    if (!takes(text)) {
        refuse(std::string("expected ") + text);
    }
}

void Reader::skipStatement() {
    while (!takes(";")) {
        if (isAtEnd()) {
            refuse("a statement without an end");
        }
        next++;
    }
}

u64 Reader::number() {
    bool isNegative = takes("-");
    std::string text = take();
    std::string prefix = text.substr(0, 2);
    u64 value = 32;
    if (prefix == "0f" || prefix == "0F" || prefix == "0d" || prefix == "0D") {
        value = strtoull(text.c_str() + 2, nullptr, 16);
    } else if (text != "WARP_SZ") {
        char *end;
        value = strtoull(text.c_str(), &end, 0);
        if (end == text.c_str() || (*end != 0 && strcmp(end, "U") != 0)) {
            next--;
            refuse("expected a number");
        }
    }
    return isNegative ? 0 - value : value;
}

bool Reader::isNumber(const std::string &text) {
    return text == "-" || text == "WARP_SZ" || isdigit((unsigned char)text[0]);
}

void Reader::refuse(const std::string &why) const {
    throw InvalidPtx("line " + std::to_string(all[next].line) + ", at \"" + peek() + "\": " + why);
}

}  // namespace software
