#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# JDK 25 (seen with Temurin 25.0.3+9), incubating Vector API: a loop with many vector operations in its body.
#
# Input: a loop over an array that loads a vector, calls a short static method of eight operations several times, and
# stores the vector; and the same in plain `int`s. Once with 3 calls in the body, once with 24.
#
# Behaviour seen: the compiler inlines the methods of the Vector API whatever their number, but a method of the program
# only as long as the graph of the compilation is small (its limit can't be set in a product build). Behind the limit
# the calls stay calls, their vectors become objects, and each operation takes several times as long. No warning is
# printed; `-XX:+PrintInlining` says "NodeCountInliningCutoff". The vector loop with 24 calls is slower than the plain
# one, which the compiler does not stop to inline.
# So a kernel of some hundred vector operations must be measured beside its plain twin, and divided into loops.
#
# Needs a JDK 25 in JAVA_HOME and vectors of 256 bits or more. Takes 5 s. Fails if the behaviour changes.
set -euo pipefail
jdk=${JAVA_HOME:?a JDK 25}/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$jdk/java" -version 2>&1 | head -1
calls() { # expression, number
    local text=$1
    for ((i = 0; i < $2; i++)); do text="eight($text)"; done
    echo "$text"
}
cat >Budget.java <<JAVA
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

public class Budget {
    static final VectorSpecies<Integer> SPECIES = IntVector.SPECIES_PREFERRED;

    static IntVector eight(IntVector v) {
        IntVector w = v.add(7).lanewise(VectorOperators.LSHL, 3).lanewise(VectorOperators.XOR, v).sub(5);
        return w.lanewise(VectorOperators.LSHR, 1).and(0x7FFF_FFF1).max(3).add(w);
    }

    static int eight(int v) {
        int w = ((v + 7 << 3) ^ v) - 5;
        return Math.max(w >>> 1 & 0x7FFF_FFF1, 3) + w;
    }

    static void vectorsFew(int[] a) {
        for (int i = 0; i < a.length; i += SPECIES.length()) {
            $(calls 'IntVector.fromArray(SPECIES, a, i)' 3).intoArray(a, i);
        }
    }

    static void vectorsMany(int[] a) {
        for (int i = 0; i < a.length; i += SPECIES.length()) {
            $(calls 'IntVector.fromArray(SPECIES, a, i)' 24).intoArray(a, i);
        }
    }

    static void plainFew(int[] a) {
        for (int i = 0; i < a.length; i++) {
            a[i] = $(calls 'a[i]' 3);
        }
    }

    static void plainMany(int[] a) {
        for (int i = 0; i < a.length; i++) {
            a[i] = $(calls 'a[i]' 24);
        }
    }

    interface Loop {
        void run(int[] a);
    }

    /// Nanoseconds for each call of each element, the least of some rounds.
    static double nanos(Loop loop, int calls) {
        int[] a = new int[4096];
        double least = Double.MAX_VALUE;
        for (int round = 0; round < 12; round++) {
            long start = System.nanoTime();
            for (int n = 0; n < 300; n++) {
                loop.run(a);
            }
            least = Math.min(least, (System.nanoTime() - start) / (300.0 * a.length * calls));
        }
        return least;
    }

    public static void main(String[] arguments) {
        double few = nanos(Budget::vectorsFew, 3);
        double many = nanos(Budget::vectorsMany, 24);
        double plainFew = nanos(Budget::plainFew, 3);
        double plainMany = nanos(Budget::plainMany, 24);
        System.out.printf("vectors: %.3f and %.3f ns for a call; ", few, many);
        System.out.printf("plain: %.3f and %.3f%n", plainFew, plainMany);
        System.out.println("24 calls take more than 4 times as long for each: " + (many > 4 * few));
        System.out.println("and are slower than plain: " + (many > plainMany));
    }
}
JAVA
"$jdk/javac" --add-modules jdk.incubator.vector Budget.java 2>/dev/null
"$jdk/java" --add-modules jdk.incubator.vector Budget 2>/dev/null | tee seen
grep -q 'for each: true' seen && grep -q 'plain: true' seen
