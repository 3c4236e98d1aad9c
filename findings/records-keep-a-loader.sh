#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# JDK 25 (seen with Temurin 25.0.3+9): what leads to a class loader whose record was asked for its hash code.
#
# Input: a loader that loads the record `Held(Part part)`, of which one hash code is computed, and the class `Part`. The
# program drops the loader and all that it has loaded. Once with soft references as they are, once in a JVM that clears
# them at each collection; once with a component of type `Object`.
#
# Behaviour seen: `java.lang.runtime.ObjectMethods` adapts `Objects.hashCode`, of which it has one method handle, to the
# type of the component by `MethodHandle.asType`. The handle caches its latest such form in a soft reference, and the
# form leads to the loader. `equals` does the same. So the loader stays, though no object of the program leads to it,
# until memory is short, the reference ages (one second for each free MiB of the heap), or a record of another loader
# takes its place. With `Object` nothing is adapted.
#
# Needs a JDK 25 in JAVA_HOME. Takes 10 s. Fails if the behaviour changes.
set -euo pipefail
jdk=${JAVA_HOME:?a JDK 25}/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$jdk/java" -version 2>&1 | head -1
mkdir -p loaded
cat >Part.java <<'JAVA'
public class Part implements Runnable {
    record Held(Part part) {}

    public void run() {
        new Held(this).hashCode();
    }
}
JAVA
cat >Plain.java <<'JAVA'
public class Plain implements Runnable {
    record Held(Object part) {}

    public void run() {
        new Held(this).hashCode();
    }
}
JAVA
cat >Keep.java <<'JAVA'
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

public class Keep {
    static WeakReference<ClassLoader> use(String name, ReferenceQueue<ClassLoader> gone) throws Exception {
        URL[] folder = {Path.of("loaded").toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(folder, ClassLoader.getPlatformClassLoader())) {
            ((Runnable) loader.loadClass(name).getConstructor().newInstance()).run();
            return new WeakReference<>(loader, gone);
        }
    }

    public static void main(String[] arguments) throws Exception {
        ReferenceQueue<ClassLoader> gone = new ReferenceQueue<>();
        WeakReference<ClassLoader> loader = use(arguments[0], gone);
        boolean isGone = false;
        for (int i = 0; i < 20 && !isGone; i++) {
            System.gc();
            isGone = gone.remove(100) == loader;
        }
        System.out.println(arguments[0] + ": " + (isGone ? "garbage" : "kept"));
    }
}
JAVA
"$jdk/javac" -d loaded Part.java Plain.java
"$jdk/javac" Keep.java
{
    "$jdk/java" -Xmx512m Keep Part
    "$jdk/java" -Xmx512m -XX:SoftRefLRUPolicyMSPerMB=0 Keep Part
    "$jdk/java" -Xmx512m Keep Plain
} | tee seen
cat >expected <<'TEXT'
Part: kept
Part: garbage
Plain: garbage
TEXT
diff expected seen
