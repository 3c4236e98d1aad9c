#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# JDK 25 (seen with Temurin 25.0.3+9): an ahead-of-time cache of a program that has an incubator module, such as that of
# the Vector API.
#
# Behaviour seen: with --add-modules=jdk.incubator.vector, training ends with exit code 0 and makes a cache of almost the
# same size, which a later run accepts (-XX:AOTMode=on), and yet
#   1. the cache has no linked classes, and so no lambdas;
#   2. it has no profile of any method, although the recording that it is made of has them;
#   3. it is the module that excludes them, and not the option: with --add-modules=java.sql a cache has both, and a JVM
#      without the module has neither from a recording that was made with it.
# The JVM says so in one line of the log of the second process of training ("archivedBootLayer not available"), which
# does not show at the level of warnings. So a program that is started with the Vector API pays for its classes and its
# warm-up as before: a tool that keeps caches must choose between the two.
#
# Needs a JDK 25 in JAVA_HOME. Fails if the behaviour changes.
set -euo pipefail
java=${JAVA_HOME:?a JDK 25}/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$java/java" -version 2>&1 | head -1

cat >Work.java <<'JAVA'
import java.util.stream.IntStream;

public class Work {
    public static void main(String[] arguments) {
        long sum = 0;
        for (int i = 0; i < 20_000; i++) {
            sum += IntStream.range(0, 20).map(n -> n * n).sum();
        }
        System.out.println(sum);
    }
}
JAVA
"$java/javac" -d classes Work.java
"$java/jar" --create --file work.jar -C classes .

fail() { echo "changed: $*" >&2; exit 1; }

# How many profiles of methods a log of training says.
profiles() { sed -n 's/.*MethodTrainingData *= *\([0-9]*\).*/\1/p' "$1" | tail -n 1; }

train() {
  local name=$1
  shift
  "$java/java" -XX:AOTMode=record -XX:AOTConfiguration="$name.recording" -Xlog:aot:file="$name.record" "$@" \
    -cp work.jar Work >out 2>&1 || fail "$name: recording ends with $?: $(cat out)"
}

make() {
  local name=$1 recording=$2
  shift 2
  "$java/java" -XX:AOTMode=create -XX:AOTConfiguration="$recording.recording" -XX:AOTCache="$name.aot" \
    -Xlog:aot*:file="$name.create" "$@" -cp work.jar >out 2>&1 || fail "$name: ends with $?: $(cat out)"
  [[ -s $name.aot ]] || fail "$name: no cache"
}

use() {
  local name=$1
  shift
  "$java/java" -XX:AOTMode=on -XX:AOTCache="$name.aot" -Xlog:aot:file="$name.use" "$@" -cp work.jar Work >out 2>&1 ||
    fail "$name: the cache is refused: $(cat out)"
  sed -n 's/.*Using AOT-linked classes: \(true\|false\).*/\1/p' "$name.use"
}

report() {
  echo "$1: $(profiles "$2.record") profiles recorded, $(profiles "$1.create") in the cache, linked classes: $3"
}

for module in none java.sql jdk.incubator.vector; do
  option=()
  [[ $module == none ]] || option=("--add-modules=$module")
  train "$module" "${option[@]}"
  make "$module" "$module" "${option[@]}"
  linked=$(use "$module" "${option[@]}")
  report "$module" "$module" "$linked"
  [[ $(profiles "$module.record") -gt 0 ]] || fail "$module: nothing is recorded"
  if [[ $module == jdk.incubator.vector ]]; then
    [[ $linked == false ]] || fail "linked classes with $module"
    [[ $(profiles "$module.create") -eq 0 ]] || fail "profiles with $module"
    grep -q 'archivedBootLayer not available' "$module.create" || fail "the log of $module does not say why"
  else
    [[ $linked == true ]] || fail "no linked classes with $module"
    [[ $(profiles "$module.create") -gt 0 ]] || fail "no profiles with $module"
  fi
done

make without jdk.incubator.vector
linked=$(use without)
report without jdk.incubator.vector "$linked"
[[ $linked == false && $(profiles without.create) -eq 0 ]] || fail "a recording with the module serves a JVM without it"
