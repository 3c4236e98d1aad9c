#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# JDK 25 (seen with Temurin 25.0.3+9): what a JVM shows of virtual threads that wait.
#
# Input: a program that starts no virtual thread, one whose only virtual thread has ended, and one whose virtual thread
# sleeps for longer than idle carriers live (30 s). Each lists the platform threads of the JVM.
#
# Behaviour seen: no API lists a virtual thread, and while one sleeps for long there is no carrier either. But the thread
# "VirtualThread-unblocker" is in the list from the start of the first virtual thread on, and stays until the JVM ends;
# without a virtual thread there is none. The timer of sleeping ones is "ForkJoinPool-1-delayScheduler", in the group
# "CarrierThreads". In JDK 21 the timer was "VirtualThread-unparker".
#
# Needs a JDK 25 in JAVA_HOME. Takes 40 s. Fails if the behaviour changes.
set -euo pipefail
java=${JAVA_HOME:?a JDK 25}/bin/java
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$java" -version 2>&1 | head -1
cat >Mark.java <<'JAVA'
import java.util.Arrays;

public class Mark {
    static void show(String when) {
        ThreadGroup root = Thread.currentThread().getThreadGroup();
        while (root.getParent() != null) {
            root = root.getParent();
        }
        Thread[] all = new Thread[100];
        int count = root.enumerate(all, true);
        long marks = Arrays.stream(all, 0, count).filter(each -> each.getName().equals("VirtualThread-unblocker")).count();
        long carriers = Arrays.stream(all, 0, count).filter(each -> each.getName().contains("-worker-")).count();
        System.out.println(when + ": marks " + marks + ", carriers " + (carriers > 0 ? "some" : "none"));
    }

    public static void main(String[] arguments) throws Exception {
        show("before");
        Thread.startVirtualThread(() -> {}).join();
        show("one has ended");
        Thread sleeper = Thread.startVirtualThread(() -> {
            try {
                Thread.sleep(60_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Thread.sleep(35_000);
        show("one sleeps, " + (sleeper.isAlive() ? "alive" : "ended"));
    }
}
JAVA
"$java" Mark.java | tee seen
cat >expected <<'TEXT'
before: marks 0, carriers none
one has ended: marks 1, carriers some
one sleeps, alive: marks 1, carriers none
TEXT
diff expected seen
