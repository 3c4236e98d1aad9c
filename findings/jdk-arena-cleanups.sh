#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# JDK 25 (seen with Temurin 25.0.3+9): the order of the clean-up actions of an arena.
#
# Input: five segments are attached to an arena with MemorySegment.reinterpret(size, arena, cleanup), and the
# arena is closed.
#
# Behaviour seen: a shared arena runs the actions in the reverse order of their registration: 5, 4, 3, 2, 1. A
# confined arena runs the first one first, and then the others in reverse order: 1, 5, 4, 3, 2. The
# documentation of both methods names no order. So code that registers a library first and its objects behind
# it, and was tested with a shared arena, closes the library before its objects when it has a confined one.
#
# Needs a JDK 25 in JAVA_HOME. Fails if the behaviour changes.
set -euo pipefail
java=${JAVA_HOME:?a JDK 25}/bin/java
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$java" -version 2>&1 | head -1
cat >Order.java <<'JAVA'
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

public class Order {
    static List<Integer> of(Arena arena) {
        List<Integer> order = new ArrayList<>();
        for (int i = 1; i <= 5; i++) {
            int number = i;
            MemorySegment.ofAddress(4096).reinterpret(1, arena, _ -> order.add(number));
        }
        arena.close();
        return order;
    }

    public static void main(String[] arguments) {
        System.out.println("shared " + of(Arena.ofShared()));
        System.out.println("confined " + of(Arena.ofConfined()));
    }
}
JAVA
cat >expected <<'T'
shared [5, 4, 3, 2, 1]
confined [1, 5, 4, 3, 2]
T
"$java" --enable-native-access=ALL-UNNAMED Order.java >seen
cat seen
diff expected seen >&2 || { echo "changed: the order of clean-up actions" >&2; exit 1; }
