// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.Context;
import coterie.PeFailedException;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.lang.reflect.Proxy;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;

/// The tickets for which a flush waits, with a context whose operations end when the test says so.
class PendingTicketsTest {
    private final Set<Long> done = new HashSet<>();
    private final Set<Long> failed = new HashSet<>();
    private int looks;

    private Context context(World world) {
        return (Context) Proxy.newProxyInstance(
                Context.class.getClassLoader(),
                new Class<?>[] {Context.class},
                (_, method, arguments) -> switch (method.getName()) {
                    case "team" -> world.team();
                    case "isComplete" -> {
                        long ticket = (long) arguments[0];
                        looks++;
                        if (failed.contains(ticket)) {
                            throw new PeFailedException("the PE of " + ticket + " has failed", List.of(1));
                        }
                        yield done.contains(ticket);
                    }
                    default -> throw new AssertionError(method);
                });
    }

    @SpmdTest(pes = 1, modes = SpmdMode.THREADS)
    @DisplayName("a flush waits for the operations before it, in any order of their ends, and for none after it")
    void order(World world) {
        Context context = context(world);
        PendingTickets pending = new PendingTickets();
        assertThat(pending.isComplete(pending.last())).isTrue();
        for (long ticket = 1; ticket <= 100; ticket++) {
            pending.add(context, ticket);
        }
        pending.add(context, 0);
        long flush = pending.last();
        pending.add(context, 101);
        assertThat(pending.isComplete(flush)).isFalse();
        for (long ticket = 100; ticket >= 2; ticket--) {
            done.add(ticket);
            assertThat(pending.isComplete(flush)).isFalse();
        }
        done.add(1L);
        assertThat(pending.isComplete(flush)).isTrue();
        assertThat(pending.isComplete(pending.last())).isFalse();
        done.add(101L);
        assertThat(pending.isComplete(pending.last())).isTrue();
    }

    @SpmdTest(pes = 1, modes = SpmdMode.THREADS)
    @DisplayName("operations without a flush cost a few looks each, whether they end or not")
    void looks(World world) {
        Context context = context(world);
        int operations = 10_000;
        for (boolean end : new boolean[] {true, false}) {
            PendingTickets pending = new PendingTickets();
            looks = 0;
            done.clear();
            for (long ticket = 1; ticket <= operations; ticket++) {
                pending.add(context, ticket);
                if (end) {
                    done.add(ticket - 10);
                }
            }
            assertThat(looks).isLessThan(3 * operations);
        }
    }

    @SpmdTest(pes = 1, modes = SpmdMode.THREADS)
    @DisplayName("a failed operation is reported by the next flush, once, also if it was found when no flush asked")
    void failures(World world) {
        Context context = context(world);
        for (int operations : new int[] {3, 100}) {
            PendingTickets pending = new PendingTickets();
            done.clear();
            failed.clear();
            failed.add(2L);
            for (long ticket = 1; ticket <= operations; ticket++) {
                pending.add(context, ticket);
            }
            assertThatThrownBy(() -> pending.isComplete(pending.last()))
                    .isInstanceOf(PeFailedException.class)
                    .hasMessageContaining("the PE of 2");
            assertThat(pending.isComplete(pending.last())).isFalse();
            for (long ticket = 1; ticket <= operations; ticket++) {
                done.add(ticket);
            }
            assertThat(pending.isComplete(pending.last())).isTrue();
        }
    }
}
