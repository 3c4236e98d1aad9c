#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# JDK 25 (seen with Temurin 25.0.3+9): ahead-of-time caches and folders on the class path.
#
# Behaviour seen:
#   1. A training run whose class path has a non-empty folder ends with exit code 0, prints what the program prints, and
#      leaves no cache: the JVM that assembles it refuses the folder ("directory is not empty"), although a run with such a
#      folder has just been recorded.
#   2. A cache made with jars alone is accepted (-XX:AOTMode=on) by a run whose class path has non-empty folders behind
#      the same jars; classes in the folders load as usual.
#   3. The class path of a run is not compared with that of the training: with another version of the class in front, in a
#      folder or a jar, or with that other version alone, the JVM starts with -XX:AOTMode=on, and runs the class of the
#      cache.
# So a tool that trains on the class path of a build (target/classes in front, as Maven has it) gets no cache, and no error
# by exit code; and a tool that keeps a cache must compare paths, sizes and times of the jars before each start.
#
# Needs a JDK 25 in JAVA_HOME. Fails if the behaviour changes.
set -euo pipefail
java=${JAVA_HOME:?a JDK 25}/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$java/java" -version 2>&1 | head -1

mkdir source classes folder
cat >source/Hello.java <<'JAVA'
public class Hello {
    public static void main(String[] arguments) throws Exception {
        System.out.println("hello");
        for (String name : arguments) {
            System.out.println(Class.forName(name).getName());
        }
    }
}
JAVA
echo 'public class Late {}' >source/Late.java
"$java/javac" -d classes source/Hello.java
"$java/javac" -d folder source/Late.java
"$java/jar" --create --file hello.jar -C classes .

fail() { echo "changed: $*" >&2; exit 1; }

code=0
"$java/java" -XX:AOTCacheOutput=with-folder.aot -cp hello.jar:folder Hello >out 2>&1 || code=$?
[[ $code -eq 0 ]] || fail "the training run with a folder ends with $code"
grep -q 'hello' out || fail "the program did not run"
grep -q 'directory is not empty' out || fail "nothing is said of the folder: $(cat out)"
[[ ! -s with-folder.aot ]] || fail "a class path with a folder has a cache"
echo "1. trained with hello.jar:folder: exit code 0, no cache"

"$java/java" -XX:AOTCacheOutput=jar.aot -cp hello.jar Hello >out 2>&1
[[ -s jar.aot ]] || fail "no cache for a jar: $(cat out)"
"$java/java" -XX:AOTCache=jar.aot -XX:AOTMode=on -cp hello.jar:folder Hello Late >out 2>&1 ||
  fail "the cache is refused with a folder behind: $(cat out)"
grep -qx 'Late' out || fail "the folder's class did not load"
echo "2. trained with hello.jar, run with hello.jar:folder: cache accepted"

mkdir newer
sed -i 's/"hello"/"newer"/' source/Hello.java
"$java/javac" -d newer source/Hello.java
"$java/jar" --create --file newer.jar -C newer .
for path in newer:hello.jar newer.jar:hello.jar newer newer.jar; do
  [[ $("$java/java" -cp "$path" Hello) == newer ]] || fail "without the cache, $path does not run the newer class"
  [[ $("$java/java" -XX:AOTCache=jar.aot -XX:AOTMode=on -cp "$path" Hello 2>&1) == hello ]] ||
    fail "with the cache of hello.jar, $path runs another class or not at all"
  echo "3. trained with hello.jar, run with $path: cache accepted, the class of hello.jar runs"
done
