// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CollectiveMismatchException;
import coterie.Reduction;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.lang.foreign.MemoryLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;

class StatementMismatchTest {

    /// A statement on the current team, whose name the message has, and its outcome. The end of the team returns
    /// null: the image leaves the body.
    private static Map<String, BiFunction<TeamScope, Coarray, Outcome>> statements() {
        Map<String, BiFunction<TeamScope, Coarray, Outcome>> statements = new LinkedHashMap<>();
        statements.put("sync", (scope, _) -> scope.team().trySync());
        statements.put("end team", (_, _) -> null);
        statements.put("deallocate", (scope, _) -> scope.tryDeallocate());
        statements.put("form team", (scope, _) -> scope.team().tryForm(1).outcome());
        statements.put("allocate of LONG", (scope, _) -> outcome(() -> scope.allocateLongs(1)));
        statements.put("min of text", (scope, _) -> outcome(() -> scope.team().min("a")));
        statements.put("max of text", (scope, _) -> outcome(() -> scope.team().max("a")));
        statements.put(
                "broadcast of text", (scope, _) -> outcome(() -> scope.team().broadcast("a", 1)));
        statements.put("sum", (scope, _) -> outcome(() -> scope.team().sum(1L)));
        statements.put("max", (scope, _) -> outcome(() -> scope.team().max(1L)));
        statements.put("broadcast", (scope, _) -> outcome(() -> scope.team().broadcast(1L, 1)));
        statements.put("reduce", (scope, a) -> scope.team().tryReduce(Reduction.SUM, a, 0, 1));
        return statements;
    }

    private static Outcome outcome(Runnable statement) {
        try {
            statement.run();
            return Outcome.Ok.DONE;
        } catch (CollectiveMismatchException e) {
            String message = String.valueOf(e.getMessage());
            return new Outcome.Fault(Outcome.Fault.MISMATCH, message.substring(message.indexOf(": ") + 2));
        }
    }

    @SpmdTest(pes = 3, modes = SpmdMode.THREADS, timeoutSeconds = 60)
    @DisplayName("images that call different statements get the same fault, which names both; the parent goes on")
    void everyPair(World world) {
        Images.run(world, scope -> {
            ImageTeam all = scope.team();
            Map<String, BiFunction<TeamScope, Coarray, Outcome>> statements = statements();
            List<String> names = List.copyOf(statements.keySet());
            Coarray a = scope.allocateLongs(1);
            for (int i = 0; i < names.size(); i++) {
                for (int j = 0; j < i; j++) {
                    String first = names.get(i);
                    String second = names.get(j);
                    boolean isFirst = all.thisImage() == 1 + (i + j) % 3;
                    ImageTeam team = all.form(1);
                    List<Outcome> found = new ArrayList<>();
                    Outcome end = team.tryRun(inner -> {
                        Outcome outcome =
                                statements.get(isFirst ? first : second).apply(inner, a);
                        if (outcome != null) {
                            found.add(outcome);
                        }
                    });
                    String both = first + " with " + second;
                    assertThat(end).as(both).isInstanceOf(Outcome.Fault.class);
                    assertThat(end.code()).as(both).isEqualTo(Outcome.Fault.MISMATCH);
                    assertThat(((Outcome.Fault) end).text()).as(both).contains(first + " as ", second + " as ");
                    assertThat(found).as(both).allMatch(end::equals);
                    team.close();
                    all.sync();
                }
            }
        });
    }

    @SpmdTest(pes = 2, modes = SpmdMode.THREADS)
    @DisplayName("an image that has begun a collective which another one has not gets a fault at the end of the team")
    void differentNumbers(World world) {
        Images.run(world, scope -> {
            ImageTeam all = scope.team();
            IntegerCoarray a = scope.allocateLongs(1);
            for (boolean isFreed : List.of(false, true)) {
                ImageTeam team = all.form(1);
                List<Completion> begun = new ArrayList<>();
                List<Outcome> freed = new ArrayList<>();
                Outcome end = team.tryRun(inner -> {
                    if (all.thisImage() == 1) {
                        begun.add(team.sumAsync(a, 0, 1));
                    }
                    if (isFreed) {
                        freed.add(inner.tryDeallocate());
                    }
                });
                assertThat(end.code()).isEqualTo(Outcome.Fault.MISMATCH);
                assertThat(((Outcome.Fault) end).text())
                        .contains("as statement 2 on images [2]", "as statement 3 on images [1]");
                assertThat(freed).allMatch(end::equals);
                assertThat(begun)
                        .allMatch(each -> each.isDone() && !each.tryAwait().isOk());
                team.close();
                all.sync();
            }
        });
    }

    @SpmdTest(pes = 2, modes = SpmdMode.THREADS)
    @DisplayName("an image that closes a team after a fault is still told by its statement, not by its close")
    void closedAfterFault(World world) {
        Images.run(world, scope -> {
            ImageTeam all = scope.team();
            ImageTeam faulted = all.form(1);
            ImageTeam closed = all.form(2);
            if (all.thisImage() == 1) {
                assertThat(faulted.trySync().code()).isEqualTo(Outcome.Fault.MISMATCH);
            } else {
                assertThat(outcome(() -> faulted.sum(1L)).code()).isEqualTo(Outcome.Fault.MISMATCH);
                faulted.close();
                closed.close();
            }
            all.sync();
            if (all.thisImage() == 1) {
                assertThat(found(faulted))
                        .isEqualTo("images call different statements: sync as statement 1 on images [1],"
                                + " sum as statement 1 on images [2]");
                assertThat(found(closed)).isEqualTo("image 2 has closed the team, and never comes to it");
                faulted.close();
                closed.close();
            }
        });
    }

    /// Returns what an image finds of another one that has closed the team and never comes to a statement.
    private static String found(ImageTeam team) {
        TeamAgreement agreement = TeamAgreement.ofFormed(team.runtime(), team.roster());
        return agreement.closedBefore(Long.MAX_VALUE) instanceof Outcome.Fault fault ? fault.text() : "";
    }

    private static final MemoryLayout PAIR = MemoryLayout.structLayout(JAVA_INT.withName("a"), JAVA_INT.withName("b"));
    private static final MemoryLayout OTHER_PAIR = MemoryLayout.structLayout(JAVA_LONG.withName("a"));
    private static final MemoryLayout BYTE = MemoryLayout.structLayout(JAVA_BYTE.withName("a"));

    /// Allocations of 8 bytes on each image; the names are those of the message.
    private static Map<String, Function<TeamScope, Object>> allocations() {
        Map<String, Function<TeamScope, Object>> allocations = new LinkedHashMap<>();
        allocations.put("LONG", scope -> scope.allocateLongs(1));
        allocations.put("INT", scope -> scope.allocateInts(2));
        allocations.put("SHORT", scope -> scope.allocateShorts(4));
        allocations.put("BYTE", scope -> scope.allocateBytes(8));
        allocations.put("FLOAT", scope -> scope.allocateFloats(2));
        allocations.put("DOUBLE", scope -> scope.allocateDoubles(1));
        allocations.put("record", scope -> scope.allocateRecords(PAIR, 1));
        allocations.put("event", scope -> scope.allocateEvents(1));
        allocations.put("notification", scope -> scope.allocateNotifications(1));
        allocations.put("critical", TeamScope::allocateCritical);
        return allocations;
    }

    @SpmdTest(pes = 2, modes = SpmdMode.THREADS, timeoutSeconds = 60)
    @DisplayName("an allocation of different elements is a fault on all images, which names both; nothing is allocated")
    void elementTypes(World world) {
        Images.run(world, scope -> {
            int me = Images.thisImage();
            Map<String, Function<TeamScope, Object>> allocations = allocations();
            long used = world.heapStatistics().usedBytes();
            allocations.forEach((first, here) -> allocations.forEach((second, there) -> {
                if (!first.equals(second)) {
                    assertThatThrownBy(() -> (me == 1 ? here : there).apply(scope))
                            .isInstanceOf(CollectiveMismatchException.class)
                            .hasMessageContaining("allocate in initial")
                            .hasMessageMatching(".*images allocate different coarrays: \\d+ " + first
                                    + ".* on images \\[1], \\d+ " + second + ".* on images \\[2]");
                }
            }));
            assertThatThrownBy(() -> scope.allocateLocks(me)).isInstanceOf(CollectiveMismatchException.class);
            assertThatThrownBy(() -> {
                        Object a = me == 1 ? scope.allocateLocks(1) : scope.allocateLongs(4);
                        assertThat(a).isNull();
                    })
                    .isInstanceOf(CollectiveMismatchException.class)
                    .hasMessageContaining("lock");
            for (MemoryLayout other : List.of(OTHER_PAIR, BYTE)) {
                MemoryLayout mine = me == 1 ? PAIR : other;
                assertThatThrownBy(() -> scope.allocateRecords(mine, 8 / mine.byteSize()))
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContaining("1 record " + PAIR + " on images [1], ")
                        .hasMessageContaining(" record " + other + " on images [2]");
            }
            assertThat(world.heapStatistics().usedBytes()).isEqualTo(used);
            IntegerCoarray a = scope.allocateLongs(2);
            a.put(1, me, 3 - me);
            scope.team().sync();
            assertThat(a.get(1)).isEqualTo(3 - me);
        });
    }

    @SpmdTest(pes = 2, modes = SpmdMode.THREADS)
    @DisplayName("a coarray that occurs twice in deallocate is refused by name, and none is freed")
    void freeTwice(World world) {
        Images.run(world, scope -> {
            int me = Images.thisImage();
            IntegerCoarray first = scope.allocateLongs(2);
            IntegerCoarray c = scope.allocateLongs(3);
            List<Integer> released = new ArrayList<>();
            c.onRelease(() -> released.add(3));
            first.onRelease(() -> released.add(2));
            for (Coarray again : List.of(c, c.in(scope.team()), scope.associate(c, Cobounds.from(0)))) {
                for (Runnable free : List.<Runnable>of(
                        () -> scope.deallocate(first, c, again), () -> scope.tryDeallocate(first, c, again))) {
                    assertThatThrownBy(free::run)
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("deallocate on image " + me)
                            .hasMessageContaining("coarray of 3 LONG of initial occurs as coarrays[1] and coarrays[2]");
                }
            }
            c.put(0, me, 3 - me);
            first.put(0, me, 3 - me);
            scope.team().sync();
            assertThat(c.get(0)).isEqualTo(3 - me);
            assertThat(released).isEmpty();
            scope.deallocate(first, c);
            assertThat(released).containsExactly(2, 3);
        });
    }
}
