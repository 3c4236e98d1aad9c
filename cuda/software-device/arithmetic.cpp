// SPDX-License-Identifier: Apache-2.0
// Instructions that work on registers alone.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "handlers.h"

namespace software {
namespace {

#define UNARY(name, expression)                            \
    template <class T>                                     \
    struct name {                                          \
        static void run(Thread &t, const Instruction &i) { \
            T a = get<T>(t, i.operands[0]);                \
            set<T>(t, i.results[0], (T)(expression));      \
        }                                                  \
    };
#define BINARY(name, expression)                                          \
    template <class T>                                                    \
    struct name {                                                         \
        static void run(Thread &t, const Instruction &i) {                \
            T a = get<T>(t, i.operands[0]), b = get<T>(t, i.operands[1]); \
            set<T>(t, i.results[0], (T)(expression));                     \
        }                                                                 \
    };
#define TERNARY(name, expression)                                                                       \
    template <class T>                                                                                  \
    struct name {                                                                                       \
        static void run(Thread &t, const Instruction &i) {                                              \
            T a = get<T>(t, i.operands[0]), b = get<T>(t, i.operands[1]), c = get<T>(t, i.operands[2]); \
            set<T>(t, i.results[0], (T)(expression));                                                   \
        }                                                                                               \
    };

// Arithmetic is that of unsigned numbers of 64 bits, which has no overflow.
template <class T>
T product(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
        return a * b;
    else
        return (T)((u64)a * (u64)b);
}
template <class T>
T sum(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
        return a + b;
    else
        return (T)((u64)a + (u64)b);
}
template <class T>
T difference(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
        return a - b;
    else
        return (T)((u64)a - (u64)b);
}
template <class T>
T quotient(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
        return a / b;
    else if (b == 0)
        return (T)~0ull;
    else if (std::is_signed_v<T> && b == (T)-1)
        return difference<T>(0, a);
    else
        return a / b;
}
template <class T>
T remainderOf(T a, T b) {
    if (b == 0) return a;
    if (std::is_signed_v<T> && b == (T)-1) return 0;
    return a % b;
}
template <class T>
T high(T a, T b) {
    if constexpr (std::is_signed_v<T>)
        return (T)(((__int128)a * (__int128)b) >> (8 * sizeof(T)));
    else
        return (T)(((unsigned __int128)a * (unsigned __int128)b) >> (8 * sizeof(T)));
}
template <class T>
T least(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
        return std::fmin(a, b);
    else
        return std::min(a, b);
}
template <class T>
T greatest(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
        return std::fmax(a, b);
    else
        return std::max(a, b);
}

BINARY(Add, sum<T>(a, b))
BINARY(Sub, difference<T>(a, b))
BINARY(MulLo, product<T>(a, b))
BINARY(MulHi, high<T>(a, b))
BINARY(Div, quotient<T>(a, b))
BINARY(Rem, remainderOf<T>(a, b))
BINARY(Min, least<T>(a, b))
BINARY(Max, greatest<T>(a, b))
BINARY(And, a &b)
BINARY(Or, a | b)
BINARY(Xor, a ^ b)
UNARY(Not, ~a)
UNARY(Neg, difference<T>(0, a))
UNARY(Abs, a < 0 ? difference<T>(0, a) : a)
UNARY(Reciprocal, (T)1 / a)
UNARY(Root, std::sqrt(a))
TERNARY(MadLo, sum<T>(product<T>(a, b), c))
TERNARY(Fma, std::fma(a, b, c))

template <class T>
struct NegFloat {
    static void run(Thread &t, const Instruction &i) { set<T>(t, i.results[0], -get<T>(t, i.operands[0])); }
};

template <class T>
struct MulWide {
    static void run(Thread &t, const Instruction &i) {
        if constexpr (std::is_signed_v<T>) {
            set<int64_t>(t, i.results[0], (int64_t)get<T>(t, i.operands[0]) * (int64_t)get<T>(t, i.operands[1]));
        } else {
            set<u64>(t, i.results[0], (u64)get<T>(t, i.operands[0]) * (u64)get<T>(t, i.operands[1]));
        }
    }
};

template <class T>
struct MadWide {
    static void run(Thread &t, const Instruction &i) {
        MulWide<T>::run(t, i);
        t.registers[i.results[0]] += value(t, i.operands[2]);
    }
};

template <class T>
struct Shl {
    static void run(Thread &t, const Instruction &i) {
        uint32_t by = get<uint32_t>(t, i.operands[1]);
        set<T>(t, i.results[0], by >= 8 * sizeof(T) ? (T)0 : (T)((u64)get<T>(t, i.operands[0]) << by));
    }
};

template <class T>
struct Shr {
    static void run(Thread &t, const Instruction &i) {
        uint32_t by = get<uint32_t>(t, i.operands[1]);
        T a = get<T>(t, i.operands[0]);
        if (by >= 8 * sizeof(T)) {
            set<T>(t, i.results[0], a < 0 ? (T)-1 : (T)0);
        } else {
            set<T>(t, i.results[0], (T)(a >> by));
        }
    }
};

template <class T>
struct Select {
    static void run(Thread &t, const Instruction &i) {
        set<T>(t, i.results[0], value(t, i.operands[2]) & 1 ? get<T>(t, i.operands[0]) : get<T>(t, i.operands[1]));
    }
};

template <class T>
struct BitFieldInsert {
    static void run(Thread &t, const Instruction &i) {
        u64 a = get<T>(t, i.operands[0]), b = get<T>(t, i.operands[1]);
        unsigned at = value(t, i.operands[2]) & 255, length = value(t, i.operands[3]) & 255, width = 8 * sizeof(T);
        length = at >= width ? 0 : std::min(length, width - at);
        u64 mask = length == 0 ? 0 : (length == 64 ? ~0ull : (1ull << length) - 1) << at;
        set<T>(t, i.results[0], (T)((b & ~mask) | ((a << at) & mask)));
    }
};

enum Comparison { EQ, NE, LT, LE, GT, GE, EQU, NEU, LTU, LEU, GTU, GEU, NUM, NAN_, COMPARISONS };

template <class T, int comparison>
bool compare(T a, T b) {
    bool isUnordered = false;
    if constexpr (std::is_floating_point_v<T>) isUnordered = std::isnan(a) || std::isnan(b);
    switch (comparison) {
        case EQ:
            return a == b;
        case NE:
            return !isUnordered && a != b;
        case LT:
            return a < b;
        case LE:
            return a <= b;
        case GT:
            return a > b;
        case GE:
            return a >= b;
        case EQU:
            return isUnordered || a == b;
        case NEU:
            return isUnordered || a != b;
        case LTU:
            return isUnordered || a < b;
        case LEU:
            return isUnordered || a <= b;
        case GTU:
            return isUnordered || a > b;
        case GEU:
            return isUnordered || a >= b;
        case NUM:
            return !isUnordered;
        default:
            return isUnordered;
    }
}

// `offset` says how a third operand, a predicate, takes part: 0 not, 1 and, 2 or, 3 xor.
template <int comparison>
struct Setp {
    template <class T>
    struct Of {
        static void run(Thread &t, const Instruction &i) {
            bool is = compare<T, comparison>(get<T>(t, i.operands[0]), get<T>(t, i.operands[1]));
            bool other = value(t, i.operands[2]) & 1;
            bool first = i.offset == 0 ? is : i.offset == 1 ? is && other : i.offset == 2 ? is || other : is != other;
            set<u64>(t, i.results[0], first);
            if (i.results[1] >= 0) {
                set<u64>(t, i.results[1], !is);
            }
        }
    };
};

template <int comparison = 0>
Handler setp(int wanted, const std::string &type) {
    if constexpr (comparison < COMPARISONS) {
        return wanted == comparison ? typed<Setp<comparison>::template Of>(type) : setp<comparison + 1>(wanted, type);
    } else {
        return nullptr;
    }
}

Handler setpOf(const std::vector<std::string> &words, Instruction &instruction) {
    static const char *const NAMES[] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ",
                                        "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
    static const char *const SAME[] = {"", "", "lo", "ls", "hi", "hs"};
    instruction.offset = has(words, "and") ? 1 : has(words, "or") ? 2 : has(words, "xor") ? 3 : 0;
    for (int i = 0; i < COMPARISONS; i++) {
        if (words[1] == NAMES[i] || (i < 6 && words[1] == SAME[i])) {
            return setp(i, words.back());
        }
    }
    return nullptr;
}

// `offset` is how a number with a fraction is rounded: 0 to the nearest, 1 to zero, 2 down, 3 up.
template <class T>
T rounded(T a, int64_t how) {
    return how == 0 ? std::nearbyint(a) : how == 1 ? std::trunc(a) : how == 2 ? std::floor(a) : std::ceil(a);
}

template <class From>
struct Convert {
    template <class To>
    struct Of {
        static void run(Thread &t, const Instruction &i) {
            From a = get<From>(t, i.operands[0]);
            if constexpr (std::is_floating_point_v<From> && !std::is_floating_point_v<To>) {
                From whole = rounded(a, i.offset);
                To result = std::isnan(a)                                      ? (To)0
                            : whole <= (From)std::numeric_limits<To>::lowest() ? std::numeric_limits<To>::lowest()
                            : whole >= (From)std::numeric_limits<To>::max()    ? std::numeric_limits<To>::max()
                                                                               : (To)whole;
                set<To>(t, i.results[0], result);
            } else if constexpr (std::is_floating_point_v<From>) {
                set<To>(t, i.results[0], (To)(i.offset < 0 ? a : rounded(a, i.offset)));
            } else {
                set<To>(t, i.results[0], (To)a);
            }
        }
    };
};

// Numbers of binary16, which C++ has no type of: exact one way, to the nearest one the other way, to the even of two.
void ofHalf(Thread &t, const Instruction &i) {
    uint16_t bits = get<uint16_t>(t, i.operands[0]);
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    float a = exponent == 31  ? (fraction != 0 ? NAN : INFINITY)
              : exponent == 0 ? std::ldexp((float)fraction, -24)
                              : std::ldexp((float)(fraction | 1024), exponent - 25);
    set<float>(t, i.results[0], bits >> 15 ? -a : a);
}

void toHalf(Thread &t, const Instruction &i) {
    float a = get<float>(t, i.operands[0]), size = std::fabs(a);
    int exponent = size < 0x1p-14f ? -14 : size < 65520 ? std::ilogb(size) : 16;
    // a fraction that is rounded up to 2048 carries into the exponent, as it should; one of a subnormal number is
    // less than 1024, whose exponent is 0
    int bits = std::isnan(a)    ? 0x7FFF
               : exponent == 16 ? 0x7C00
                                : ((exponent + 14) << 10) + (int)std::nearbyint(std::ldexp(size, 10 - exponent));
    set<uint16_t>(t, i.results[0], (uint16_t)(std::signbit(a) && !std::isnan(a) ? bits | 0x8000 : bits));
}

template <class From>
Handler convertTo(const std::string &to) {
    return typed<Convert<From>::template Of>(to);
}

Handler convertOf(const std::vector<std::string> &words, Instruction &instruction) {
    const std::string &from = words.back(), &to = words[words.size() - 2];
    bool isFloating = from[0] == 'f';
    instruction.offset = has(words, "rzi")            ? 1
                         : has(words, "rmi")          ? 2
                         : has(words, "rpi")          ? 3
                         : has(words, "rni")          ? 0
                         : isFloating && to[0] == 'f' ? -1
                                                      : 1;
    if (has(words, "sat")) return nullptr;
    if (from == "f16") return to == "f32" ? ofHalf : nullptr;
    if (to == "f16") return from == "f32" && has(words, "rn") ? toHalf : nullptr;
    if (from == "f32") return convertTo<float>(to);
    if (from == "f64") return convertTo<double>(to);
    if (from == "u8" || from == "b8") return convertTo<uint8_t>(to);
    if (from == "s8") return convertTo<int8_t>(to);
    if (from == "u16" || from == "b16") return convertTo<uint16_t>(to);
    if (from == "s16") return convertTo<int16_t>(to);
    if (from == "u32" || from == "b32") return convertTo<uint32_t>(to);
    if (from == "s32") return convertTo<int32_t>(to);
    if (from == "u64" || from == "b64") return convertTo<uint64_t>(to);
    if (from == "s64") return convertTo<int64_t>(to);
    return nullptr;
}

void move(Thread &t, const Instruction &i) {
    if (i.vector == -1) {
        t.registers[i.results[0]] = value(t, i.operands[0]) + (u64)i.offset;
        return;
    }
    int count = i.vector > 0 ? i.vector : -i.vector, width = i.target / count;  // bits of an element
    u64 mask = ~0ull >> (64 - width);
    if (i.vector > 0) {
        u64 whole = value(t, i.operands[0]);
        for (int k = 0; k < count; k++) {
            t.registers[i.results[k]] = whole >> (k * width) & mask;
        }
    } else {
        u64 whole = 0;
        for (int k = 0; k < count; k++) {
            whole |= (value(t, i.operands[k]) & mask) << (k * width);
        }
        t.registers[i.results[0]] = whole;
    }
}

void same(Thread &t, const Instruction &i) { t.registers[i.results[0]] = value(t, i.operands[0]) + (u64)i.offset; }

void andPred(Thread &t, const Instruction &i) {
    t.registers[i.results[0]] = value(t, i.operands[0]) & value(t, i.operands[1]) & 1;
}
void orPred(Thread &t, const Instruction &i) {
    t.registers[i.results[0]] = (value(t, i.operands[0]) | value(t, i.operands[1])) & 1;
}
void xorPred(Thread &t, const Instruction &i) {
    t.registers[i.results[0]] = (value(t, i.operands[0]) ^ value(t, i.operands[1])) & 1;
}
void notPred(Thread &t, const Instruction &i) { t.registers[i.results[0]] = ~value(t, i.operands[0]) & 1; }

}  // namespace

Handler arithmeticOf(const std::vector<std::string> &words, Instruction &instruction) {
    const std::string &name = words[0], &type = words.back(), how = words.size() > 2 ? words[1] : "";
    if (name == "setp") return setpOf(words, instruction);
    if (name == "cvt") return convertOf(words, instruction);
    if (name == "mov") {
        instruction.target = atoi(words.back().c_str() + 1);
        return move;
    }
    if (name == "cvta") return same;
    bool isFloating = type[0] == 'f';
    if (type == "pred") {
        return name == "and"   ? andPred
               : name == "or"  ? orPred
               : name == "xor" ? xorPred
               : name == "not" ? notPred
                               : nullptr;
    }
    if (name == "add") return typed<Add>(type);
    if (name == "sub") return typed<Sub>(type);
    if (name == "mul" && how == "wide") return typed<MulWide, false>(type);
    if (name == "mul" && how == "hi") return typed<MulHi, false>(type);
    if (name == "mul") return typed<MulLo>(type);
    if (name == "mad" && how == "wide") return typed<MadWide, false>(type);
    if (name == "mad") return typed<MadLo>(type);
    if (name == "div") return typed<Div>(type);
    if (name == "rem") return typed<Rem, false>(type);
    if (name == "min") return typed<Min>(type);
    if (name == "max") return typed<Max>(type);
    if (name == "and") return typed<And, false>(type);
    if (name == "or") return typed<Or, false>(type);
    if (name == "xor") return typed<Xor, false>(type);
    if (name == "not") return typed<Not, false>(type);
    if (name == "shl") return typed<Shl, false>(type);
    if (name == "shr") return typed<Shr, false>(type);
    if (name == "selp") return typed<Select>(type);
    if (name == "bfi") return typed<BitFieldInsert, false>(type);
    if (name == "abs") return typed<Abs>(type);
    if (name == "neg") return isFloating ? typed<NegFloat>(type) : typed<Neg, false>(type);
    if (isFloating && name == "fma") return type == "f32" ? Fma<float>::run : Fma<double>::run;
    if (isFloating && name == "rcp") return type == "f32" ? Reciprocal<float>::run : Reciprocal<double>::run;
    if (isFloating && name == "sqrt") return type == "f32" ? Root<float>::run : Root<double>::run;
    return nullptr;
}

}  // namespace software
