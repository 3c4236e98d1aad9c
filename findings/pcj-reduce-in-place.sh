#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# PCJ 5.3.0 (pl.edu.icm.pcj:pcj of Maven Central; seen with Temurin 25.0.3+9): a reduction whose operator returns its
# changed left argument; and which accesses to one's own variable copy.
# Input: two and three PCJ threads of one JVM; thread i stores an array with the number i + 1, and one thread calls
# PCJ.reduce with an operator that adds the right array to the left one and returns it.
#
# Behaviour seen:
#   1. The caller gets the right sum, whichever thread calls. But the stored array of thread 0 is the sum afterwards, also if
#      another thread has called; the arrays of the others are as they were. The operator gets thread 0's own object.
#   2. PCJ.put to oneself and PCJ.get from oneself copy, as between threads; PCJ.putLocal and PCJ.getLocal do not.
# So an operator of PCJ.reduce must make a new object, although values travel as copies elsewhere; a loop that reduces the
# same variable twice adds the first sum to the second one.
#
# Needs a JDK from 8 on in JAVA_HOME, and the artefact, by Maven (MVN, default mvn). Fails if the behaviour changes.
set -euo pipefail
java=${JAVA_HOME:?a JDK}/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"${MVN:-mvn}" -B -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy \
  -Dartifact=pl.edu.icm.pcj:pcj:5.3.0 -DoutputDirectory="$work" >log 2>&1 || { cat log; exit 1; }
"$java/java" -version 2>&1 | head -1

cat >Fold.java <<'JAVA'
import java.util.Arrays;
import org.pcj.*;

@RegisterStorage(Fold.Shared.class)
public class Fold implements StartPoint {
    @Storage(Fold.class)
    enum Shared { row }
    double[] row = new double[1];

    static double[] add(double[] left, double[] right) {
        left[0] += right[0];
        return left;
    }

    static synchronized void say(String line) {
        System.out.println("seen: " + line);
    }

    public static void main(String[] arguments) {
        String[] nodes = new String[Integer.parseInt(arguments[0])];
        Arrays.fill(nodes, "localhost");
        PCJ.executionBuilder(Fold.class).addNodes(nodes).start();
    }

    public void main() {
        int me = PCJ.myId();
        for (int caller = 0; caller < PCJ.threadCount(); caller++) {
            row = new double[] {me + 1};
            PCJ.barrier();
            if (me == caller) say("by " + caller + " sum " + PCJ.<double[]>reduce(Fold::add, Shared.row)[0]);
            PCJ.barrier();
            say("by " + caller + " thread " + me + " has " + row[0]);
            PCJ.barrier();
        }
        if (me > 0) return;
        double[] mine = {1};
        PCJ.put(mine, 0, Shared.row);
        mine[0] = 2;
        say("put copies: " + (row[0] == 1));
        PCJ.putLocal(mine, Shared.row);
        mine[0] = 3;
        say("putLocal copies: " + (row[0] == 2));
        double[] got = PCJ.get(0, Shared.row);
        got[0] = 4;
        say("get copies: " + (row[0] == 3));
        double[] own = PCJ.getLocal(Shared.row);
        own[0] = 5;
        say("getLocal copies: " + (row[0] == 3));
    }
}
JAVA
"$java/javac" -cp pcj-5.3.0.jar Fold.java
for threads in 2 3; do
  "$java/java" -cp "pcj-5.3.0.jar:." Fold "$threads" 2>/dev/null | grep '^seen' | sort >"out$threads"
  cat "out$threads"
done

cat >expected2 <<'END'
seen: by 0 sum 3.0
seen: by 0 thread 0 has 3.0
seen: by 0 thread 1 has 2.0
seen: by 1 sum 3.0
seen: by 1 thread 0 has 3.0
seen: by 1 thread 1 has 2.0
seen: get copies: true
seen: getLocal copies: false
seen: put copies: true
seen: putLocal copies: false
END
diff expected2 out2
grep -q 'by 2 thread 0 has 6.0' out3
grep -q 'by 2 thread 1 has 2.0' out3
grep -q 'by 2 thread 2 has 3.0' out3
echo "as described"
