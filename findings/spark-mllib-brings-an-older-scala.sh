#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Spark 4.2.0 (org.apache.spark:spark-mllib_2.13 of Maven Central; seen with Maven 3 and Temurin 25.0.3+9): the version of Scala that
# a project gets whose one dependency is MLlib.
# Input: a POM with the one dependency spark-mllib_2.13 4.2.0, and a program that counts range(3) in a
# SparkSession with the master local[1].
#
# Behaviour seen:
#   1. Maven takes scala-library 2.13.13, since the first of MLlib's dependencies that asks for it, a parser library, asks for
#      that version. Spark itself is built with 2.13.18. With spark-core_2.13 or spark-sql_2.13 alone it is 2.13.18.
#   2. With it the count ends with NoSuchMethodError for scala.util.hashing.MurmurHash3$.caseClassHash.
#   3. With scala-library 2.13.18 as a direct dependency of the POM it counts.
# So a POM that has MLlib names scala-library too, in the version of Spark's build.
#
# Needs a JDK from 17 on in JAVA_HOME, and 250 MB of jars, by Maven (MVN, default mvn). Fails if the behaviour changes.
set -euo pipefail
java=${JAVA_HOME:?a JDK}/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
spark='<dependency><groupId>org.apache.spark</groupId><artifactId>spark-mllib_2.13</artifactId><version>4.2.0</version></dependency>'
scala='<dependency><groupId>org.scala-lang</groupId><artifactId>scala-library</artifactId><version>2.13.18</version></dependency>'
for case in alone named; do
  mkdir "$case"
  { echo '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
    echo '<groupId>x</groupId><artifactId>x</artifactId><version>1</version><dependencies>'
    if [[ $case == named ]]; then echo "$scala"; fi
    echo "$spark</dependencies></project>"; } >"$case/pom.xml"
  "${MVN:-mvn}" -B -q -f "$case/pom.xml" org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies \
    -DoutputDirectory="$work/$case/jars" >log 2>&1 || { cat log; exit 1; }
done
"$java/java" -version 2>&1 | head -1

cat >Start.java <<'JAVA'
import org.apache.spark.sql.SparkSession;

public class Start {
    public static void main(String[] arguments) throws Exception {
        try (SparkSession spark =
                SparkSession.builder().master("local[1]").config("spark.ui.enabled", "false").getOrCreate()) {
            System.out.println("seen: " + spark.range(3).count() + " rows");
        } catch (NoSuchMethodError e) {
            System.out.println("seen: NoSuchMethodError " + e.getMessage().contains("MurmurHash3$.caseClassHash"));
        }
    }
}
JAVA
"$java/javac" -nowarn -cp 'named/jars/*' Start.java
opens=()
for package in java.lang java.lang.invoke java.lang.reflect java.io java.net java.nio java.util java.util.concurrent \
  java.util.concurrent.atomic sun.nio.ch sun.nio.cs sun.util.calendar; do
  opens+=("--add-opens=java.base/$package=ALL-UNNAMED")
done
for case in alone named; do
  echo "seen: $case $(basename "$case"/jars/scala-library-*)"
  SPARK_LOCAL_IP=127.0.0.1 "$java/java" "${opens[@]}" -cp "$case/jars/*:." Start 2>errors | grep '^seen' || { tail -20 errors; exit 1; }
done >out
cat out
diff out - <<'SEEN' || { echo "behaves differently"; exit 1; }
seen: alone scala-library-2.13.13.jar
seen: NoSuchMethodError true
seen: named scala-library-2.13.18.jar
seen: 3 rows
SEEN
echo "as stated"
