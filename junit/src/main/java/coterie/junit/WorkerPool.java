// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import coterie.internal.launch.Machine;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;

/// The groups of workers that have nothing to do, of one run of JUnit.
///
/// A test takes a group of its layout or starts one, and gives it back unless something went wrong. Tests that run
/// at the same time use different groups.
final class WorkerPool implements AutoCloseable {
    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(WorkerPool.class);

    /// Starting a JVM costs a third of a second: keep what the usual PE counts, up to 12, and some nodes need in
    /// all modes.
    private static final int MOST_IDLE_JVMS = 128;

    /// Memory of an idle JVM, as long as its tests have been small; all of them together get a quarter of the
    /// machine's.
    private static final long IDLE_BYTES = 60 << 20;

    /// Least recently used first.
    private final Deque<WorkerGroup> idle = new ArrayDeque<>();

    private final long mostIdle = Math.min(MOST_IDLE_JVMS, Machine.memoryBytes() / 4 / IDLE_BYTES);

    private int idleJvms;

    private WorkerPool() {}

    /// The pool of this run; JUnit closes it at the end.
    static WorkerPool of(ExtensionContext context) {
        return context.getRoot()
                .getStore(NAMESPACE)
                .computeIfAbsent(WorkerPool.class, key -> new WorkerPool(), WorkerPool.class);
    }

    /// Runs a test, and shows what it prints; returns if it passed.
    ///
    /// @param seeds of a simulated test, or null
    /// @throws Throwable what the test ends with
    void run(JobShape shape, TestMethod test, @Nullable Seeds seeds, Duration timeout) throws Throwable {
        ResultReporter resultReporter = judge(shape, test, seeds, timeout);
        resultReporter.run().output().forEach(WorkerPool::show);
        if (!resultReporter.run().passed()) {
            throw resultReporter.verdict(
                    seeds == null ? "" : new FailureReplay(this, shape, test, timeout).note(resultReporter));
        }
    }

    /// Runs a test.
    ///
    /// @throws Throwable what keeps the PEs from being started
    ResultReporter judge(JobShape shape, TestMethod test, @Nullable Seeds seeds, Duration timeout) throws Throwable {
        WorkerGroup group = acquire(shape);
        if (group == null) {
            group = WorkerGroup.start(shape);
        }
        ResultReporter resultReporter;
        try {
            resultReporter = group.run(test, seeds, timeout);
        } catch (Throwable broken) {
            group.kill();
            throw broken;
        }
        if (resultReporter.run().passed()) {
            for (WorkerGroup tooMany : release(group)) {
                tooMany.close();
            }
        } else {
            group.kill();
        }
        return resultReporter;
    }

    private static void show(OutputLine line) {
        (line.standardError() ? System.err : System.out).println(line);
    }

    private synchronized @Nullable WorkerGroup acquire(JobShape shape) {
        for (Iterator<WorkerGroup> latestFirst = idle.descendingIterator(); latestFirst.hasNext(); ) {
            WorkerGroup group = latestFirst.next();
            if (group.shape().equals(shape)) {
                latestFirst.remove();
                idleJvms -= shape.jvms();
                if (group.isAlive()) {
                    return group;
                }
            }
        }
        return null;
    }

    private synchronized List<WorkerGroup> release(WorkerGroup group) {
        idle.addLast(group);
        idleJvms += group.shape().jvms();
        List<WorkerGroup> tooMany = new ArrayList<>();
        boolean isShort = Machine.availableBytes() < Machine.memoryBytes() / 4; // what a JVM had, it keeps
        while (idle.size() > 1 && (idleJvms > mostIdle || isShort)) {
            WorkerGroup oldest = idle.removeFirst();
            idleJvms -= oldest.shape().jvms();
            tooMany.add(oldest);
        }
        return tooMany;
    }

    @Override
    public synchronized void close() {
        idle.forEach(WorkerGroup::dismiss); // so that they end side by side
        idle.forEach(WorkerGroup::close);
        idle.clear();
        idleJvms = 0;
    }
}
