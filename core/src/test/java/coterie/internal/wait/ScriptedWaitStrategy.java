// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import coterie.spi.Conduit;
import coterie.spi.WaitStrategy;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/// Waiting by script: each idle takes a millisecond, and something happens in it. When the script is at its end
/// and the wait is not, the wait fails.
public final class ScriptedWaitStrategy implements WaitStrategy {
    private static final long IDLE_NANOS = 1_000_000;

    private final Deque<Runnable> script;
    private Runnable atNextClock = () -> {};
    private long now;

    ScriptedWaitStrategy(Runnable... script) {
        this.script = new ArrayDeque<>(List.of(script));
    }

    /// A conduit that has nothing to advance.
    public static Conduit conduit() {
        return (Conduit) Proxy.newProxyInstance(
                Conduit.class.getClassLoader(), new Class<?>[] {Conduit.class}, (self, method, arguments) -> {
                    return switch (method.getName()) {
                        case "progress" -> null;
                        case "arrivals" -> 0L;
                        case "isQuiet" -> true;
                        case "observer" -> Optional.empty();
                        default -> throw new AssertionError(method);
                    };
                });
    }

    /// Adds to the script.
    void then(Runnable event) {
        script.add(event);
    }

    /// What happens when the clock is read next, which a wait does between its poll and its look at the PEs.
    void atNextClock(Runnable event) {
        atNextClock = event;
    }

    boolean isOver() {
        return script.isEmpty();
    }

    @Override
    public int spins() {
        return 0;
    }

    @Override
    public long nanoTime() {
        Runnable event = atNextClock;
        atNextClock = () -> {};
        event.run();
        return now;
    }

    @Override
    public void idle(long waitedNanos, long leftNanos) {
        now += IDLE_NANOS;
        if (script.isEmpty()) {
            throw new AssertionError("still waiting when the script is at its end");
        }
        script.remove().run();
    }
}
