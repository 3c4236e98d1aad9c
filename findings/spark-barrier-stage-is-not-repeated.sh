#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Spark 4.2.0 (org.apache.spark:spark-core_2.13 of Maven Central; seen with Temurin 25.0.3+9): which barrier stages Spark
# repeats after a failed task.
# Input: an RDD of two partitions in local[2,4], so that a task may fail three times, with
# spark.stage.maxConsecutiveAttempts at its default of 4. In the first attempt of the barrier stage one task throws. The same
# tasks run once with collect() behind them, and once with repartition(2) and then collect().
#
# Behaviour seen:
#   1. With an action behind the barrier stage the job fails at the first failure: "Could not recover from a failed barrier
#      ResultStage". There is no second attempt, whatever the two properties say.
#   2. With a shuffle behind it Spark repeats the whole stage, and the job ends well at attempt 1.
# The guide of RDDs says of barrier stages only that Spark restarts all tasks when one fails. So a barrier stage that shall
# survive the loss of an executor needs a shuffle behind it.
#
# Needs a JDK from 17 on in JAVA_HOME, and 150 MB of jars, by Maven (MVN, default mvn). Fails if the behaviour changes.
set -euo pipefail
java=${JAVA_HOME:?a JDK}/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >pom.xml <<'XML'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>x</groupId><artifactId>x</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.spark</groupId><artifactId>spark-core_2.13</artifactId><version>4.2.0</version></dependency>
    <dependency><groupId>org.scala-lang</groupId><artifactId>scala-library</artifactId><version>2.13.18</version></dependency>
  </dependencies>
</project>
XML
"${MVN:-mvn}" -B -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=jars \
  >log 2>&1 || { cat log; exit 1; }
"$java/java" -version 2>&1 | head -1

cat >Repeats.java <<'JAVA'
import java.util.List;
import org.apache.spark.*;
import org.apache.spark.api.java.*;
import org.apache.spark.rdd.RDD;
import scala.collection.Iterator;
import scala.reflect.ClassTag;

public class Repeats {
    static class Fails extends scala.runtime.AbstractFunction1<Iterator<Integer>, Iterator<Integer>>
            implements java.io.Serializable {
        @Override
        public Iterator<Integer> apply(Iterator<Integer> rows) {
            TaskContext task = TaskContext.get();
            if (task.stageAttemptNumber() == 0 && task.partitionId() == 1) throw new IllegalStateException("planted");
            return Iterator.single(task.stageAttemptNumber());
        }
    }

    public static void main(String[] arguments) {
        SparkConf conf = new SparkConf().setMaster("local[2,4]").setAppName("x").set("spark.ui.enabled", "false");
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            ClassTag<Integer> tag = ClassTag.apply(Integer.class);
            RDD<Integer> attempts = spark.parallelize(List.of(1, 2), 2).rdd().barrier().mapPartitions(new Fails(), false, tag);
            try {
                System.out.println("seen: action, attempts " + attempts.toJavaRDD().collect());
            } catch (Exception e) {
                System.out.println("seen: action, " + e.getMessage().contains("Could not recover from a failed barrier ResultStage"));
            }
            System.out.println("seen: shuffle, attempts " + attempts.toJavaRDD().repartition(2).collect());
        }
    }
}
JAVA
"$java/javac" -nowarn -cp 'jars/*' Repeats.java
opens=()
for package in java.lang java.lang.invoke java.lang.reflect java.io java.net java.nio java.util java.util.concurrent \
  java.util.concurrent.atomic sun.nio.ch sun.nio.cs sun.security.action sun.util.calendar; do
  opens+=("--add-opens=java.base/$package=ALL-UNNAMED")
done
SPARK_LOCAL_IP=127.0.0.1 "$java/java" "${opens[@]}" -cp 'jars/*:.' Repeats 2>errors | grep '^seen' >out || { tail -20 errors; exit 1; }
cat out
diff out - <<'SEEN' || { echo "behaves differently"; exit 1; }
seen: action, true
seen: shuffle, attempts [1, 1]
SEEN
echo "as stated"
