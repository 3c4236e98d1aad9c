// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import static coterie.gin.RemoteAction.NONE;
import static coterie.gin.RemoteAction.strongSignalAdd;
import static coterie.gin.RemoteAction.strongSignalInc;
import static coterie.gin.RemoteAction.weakSignalAdd;
import static coterie.gin.RemoteAction.weakSignalInc;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.sim.SimJob;
import coterie.sim.explore.Explorer;
import coterie.sim.schedule.SchedulingStrategy;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Programs of two and three operations in every order that a network allows, with its own fences and without:
/// what GIN's contract says holds in all of them, and what it does not say fails in some.
class GinSimulationTest {
    private static final int LEAST_SAMPLES = Boolean.getBoolean("coterie.soak") ? 10_000 : 16;

    /// For results that must occur, and have not in the first samples.
    private static final int MOST_SAMPLES = Boolean.getBoolean("coterie.soak") ? 10_000 : 300;

    /// Where the source of a put of word w is: it holds 11 × w.
    private static final int SOURCES = 64;

    /// Returns the results of all orders.
    static Set<String> explore(String order, int size, Function<GinFixture, String> program) {
        Explorer explorer = new Explorer();
        return run(order, size, program, explorer, explorer::advance);
    }

    /// Returns the results of some orders.
    ///
    /// @param expected results without which it goes on to the greatest number of orders
    static Set<String> sample(String order, int size, Set<String> expected, Function<GinFixture, String> program) {
        RandomOrders orders = new RandomOrders(MOST_SAMPLES);
        Set<String> missing = ConcurrentHashMap.newKeySet();
        missing.addAll(expected);
        Function<GinFixture, String> noted = gins -> {
            String seen = program.apply(gins);
            missing.remove(seen);
            return seen;
        };
        return run(
                order,
                size,
                noted,
                orders,
                () -> orders.advance() && (orders.count() < LEAST_SAMPLES || !missing.isEmpty()));
    }

    /// In the sampled orders a program has these results, all of them and no others.
    private static void assertResults(
            String order, int size, Set<String> expected, Function<GinFixture, String> program) {
        assertThat(sample(order, size, expected, program)).isEqualTo(expected);
    }

    private static Set<String> run(
            String order,
            int size,
            Function<GinFixture, String> program,
            SchedulingStrategy strategy,
            BooleanSupplier advance) {
        return SimJob.explore(
                size,
                "races=off,order=" + order,
                strategy,
                advance,
                world -> {
                    GinFixture gins = GinFixture.open(
                            world,
                            requirements -> requirements
                                    .withChecks(SignalChecks.OFF)
                                    .withContexts(2)
                                    .withTimeout(ChronoUnit.FOREVER.getDuration()));
                    for (int word = 0; word < 8; word++) {
                        gins.memory.longs().set(SOURCES + word, 11L * word);
                    }
                    return gins;
                },
                (_, gins) -> program.apply(gins),
                gins -> {
                    for (int context = 0; context < 2; context++) {
                        gins.gin(context).quiet();
                    }
                    gins.window.deregister();
                    gins.comm.destroy(); // a close would send words, in all orders
                    gins.memory.free();
                });
    }

    private static void put(GinFixture gins, int context, int peer, int word, RemoteAction action) {
        gins.gin(context).put(gins.all, peer, gins.window, word * 8L, gins.window, (SOURCES + word) * 8L, 8, action);
    }

    /// PE 0 does something; PE 1 waits for signal 0 of a context and reads words 1 and 2.
    ///
    /// @param isStrong whether PE 0 goes on until its signals are sent
    private static Function<GinFixture, String> told(int context, boolean isStrong, Consumer<GinFixture> does) {
        return gins -> {
            if (gins.me == 0) {
                does.accept(gins);
                if (isStrong) {
                    gins.gin(context).quiet();
                }
                return "";
            }
            if (gins.me == 1) {
                gins.gin(context).waitSignal(0, 1);
                return gins.memory.longs().get(1) + "," + gins.memory.longs().get(2);
            }
            return "";
        };
    }

    private static final Function<GinFixture, String> WEAK_AFTER_PUT = told(0, false, gins -> {
        put(gins, 0, 1, 1, NONE);
        put(gins, 0, 1, 2, weakSignalInc(0));
    });

    @ParameterizedTest
    @ValueSource(strings = {"native", "weak"})
    @DisplayName("GI-V3 a weak signal covers its own put and no earlier one")
    void weakCoversItsOwnPut(String order) {
        assertResults(order, 2, Set.of("11,22", "0,22"), WEAK_AFTER_PUT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "weak"})
    @DisplayName("GI-V4 a strong signal covers its own put and the earlier one")
    void strongCoversAll(String order) {
        assertResults(order, 2, Set.of("11,22"), told(0, true, gins -> {
            put(gins, 0, 1, 1, NONE);
            put(gins, 0, 1, 2, strongSignalInc(0));
        }));
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "weak"})
    @Tag("soak")
    @DisplayName("GI-V3 a weak signal covers its own put and no earlier one, in all orders")
    void weakCoversItsOwnPutAlways(String order) {
        assertThat(explore(order, 2, WEAK_AFTER_PUT)).containsExactlyInAnyOrder("11,22", "0,22");
    }

    @Test
    @Tag("soak")
    @DisplayName("GI-V4 a strong signal covers its own put and the earlier one, in all orders")
    void strongCoversAllAlways() {
        assertThat(explore("native", 2, told(0, true, gins -> {
                    put(gins, 0, 1, 1, NONE);
                    put(gins, 0, 1, 2, strongSignalInc(0));
                })))
                .containsExactly("11,22");
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "weak"})
    @DisplayName("GI-V6 a weak signal without a put covers nothing")
    void weakAloneCoversNothing(String order) {
        assertResults(order, 2, Set.of("0,0", "11,0", "0,22", "11,22"), told(0, false, gins -> {
            put(gins, 0, 1, 1, NONE);
            put(gins, 0, 1, 2, NONE);
            gins.gin(0).signal(gins.all, 1, weakSignalInc(0));
        }));
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "weak"})
    @DisplayName("GI-V7 a strong signal covers no put of another context")
    void strongOfAnotherContext(String order) {
        assertResults(order, 2, Set.of("11,22", "0,22"), told(1, true, gins -> {
            put(gins, 0, 1, 1, NONE);
            put(gins, 1, 1, 2, strongSignalInc(0));
        }));
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "weak"})
    @DisplayName("GI-V8 a strong signal covers no put to another target")
    void strongToAnotherTarget(String order) {
        assertResults(order, 3, Set.of("0", "11"), gins -> {
            if (gins.me == 0) {
                put(gins, 0, 2, 1, NONE);
                gins.gin(0).signal(gins.all, 1, strongSignalInc(0));
                gins.gin(0).quiet();
            } else if (gins.me == 1) {
                gins.gin(0).waitSignal(0, 1);
                gins.gin(0).get(gins.all, 2, gins.window, 8, gins.window, 16, 8);
                gins.gin(0).flush();
                return Long.toString(gins.memory.longs().get(2));
            }
            return "";
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "weak"})
    @DisplayName("a weak put after a strong signal may pass it")
    void weakPassesStrong(String order) {
        assertThat(sample(order, 2, Set.of("0,0,22", "1,11,22"), gins -> {
                    if (gins.me == 0) {
                        put(gins, 0, 1, 1, strongSignalInc(0));
                        put(gins, 0, 1, 2, weakSignalInc(1));
                        gins.gin(0).quiet();
                        return "";
                    }
                    gins.gin(0).waitSignal(1, 1);
                    return gins.gin(0).readSignal(0) + "," + gins.memory.longs().get(1) + ","
                            + gins.memory.longs().get(2);
                }))
                .contains("0,0,22", "1,11,22")
                .doesNotContain("1,0,22");
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "weak"})
    @DisplayName("GI-V10 two strong adds are seen in their order")
    void strongAdds(String order) {
        assertResults(order, 2, Set.of("0", "1", "11"), GinSimulationTest::addTwice);
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "weak"})
    @Tag("soak")
    @DisplayName("GI-V10 two strong adds are seen in their order, in all orders of events")
    void strongAddsAlways(String order) {
        assertThat(explore(order, 2, GinSimulationTest::addTwice)).containsExactlyInAnyOrder("0", "1", "11");
    }

    /// PE 0 adds 1 and 10 to a signal of PE 1, which reads it.
    private static String addTwice(GinFixture gins) {
        Gin gin = gins.gin(0);
        if (gins.me == 0) {
            gin.signal(gins.all, 1, strongSignalAdd(0, 1));
            gin.signal(gins.all, 1, strongSignalAdd(0, 10));
            gin.quiet();
            return "";
        }
        return Long.toString(gin.readSignal(0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "weak"})
    @DisplayName("GI-V11 two weak adds are seen in either order")
    void weakAdds(String order) {
        assertThat(explore(order, 2, gins -> {
                    Gin gin = gins.gin(0);
                    if (gins.me == 0) {
                        gin.signal(gins.all, 1, weakSignalAdd(0, 1));
                        gin.signal(gins.all, 1, weakSignalAdd(0, 10));
                        return "";
                    }
                    return Long.toString(gin.readSignal(0));
                }))
                .containsExactlyInAnyOrder("0", "1", "10", "11");
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "weak"})
    @DisplayName("GI-C2 a flush is local: the target may still see nothing")
    void flushIsLocal(String order) {
        assertResults(order, 2, Set.of("0", "11"), gins -> {
            if (gins.me == 0) {
                put(gins, 0, 1, 1, NONE);
                gins.gin(0).flush();
                gins.gin(1).signal(gins.all, 1, weakSignalInc(0));
                return "";
            }
            gins.gin(1).waitSignal(0, 1);
            return Long.toString(gins.memory.longs().get(1));
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "weak"})
    @DisplayName("GI-C4 a counter says nothing of the source of another put")
    void countersAreWeak(String order) {
        assertResults(order, 2, Set.of("11,22", "99,22"), gins -> {
            Gin gin = gins.gin(0);
            if (gins.me == 0) {
                put(gins, 0, 1, 1, NONE);
                gin.put(
                        gins.all,
                        1,
                        gins.window,
                        16,
                        gins.window,
                        (SOURCES + 2) * 8L,
                        8,
                        NONE,
                        LocalAction.weakCounterInc(0));
                gin.waitCounter(0, 1);
                gins.memory.longs().set(SOURCES + 1, 99);
                gins.memory.longs().set(SOURCES + 2, 99);
                gin.signal(gins.all, 1, strongSignalInc(0));
                gin.quiet();
                return "";
            }
            gin.waitSignal(0, 1);
            return gins.memory.longs().get(1) + "," + gins.memory.longs().get(2);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "weak"})
    @DisplayName("GI-C6 without a flush the bytes of a get may be old ones")
    void getWithoutFlush(String order) {
        Set<String> seen = sample(order, 2, Set.of("0,11"), gins -> {
            if (gins.me == 0) {
                gins.gin(0).get(gins.all, 1, gins.window, (SOURCES + 1) * 8L, gins.window, 8, 8);
                long before = gins.memory.longs().get(1);
                gins.gin(0).flush();
                return before + "," + gins.memory.longs().get(1);
            }
            return "";
        });
        assertThat(seen).contains("0,11").isSubsetOf("0,11", "11,11");
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "weak"})
    @DisplayName("GI-B2 puts before a barrier with NONE may be absent after it; GI-B3 with PUT they are there")
    void barriers(String order) {
        assertThat(sample(order, 2, Set.of("0", "11"), barrier(FenceLevel.NONE, 0)))
                .contains("0", "11");
        assertResults(order, 2, Set.of("11"), barrier(FenceLevel.PUT, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "weak"})
    @DisplayName("GI-B7 a barrier on one context does not fence the puts of another")
    void barrierOfAnotherContext(String order) {
        assertThat(sample(order, 2, Set.of("0", "11"), barrier(FenceLevel.PUT, 1)))
                .contains("0", "11");
    }

    /// PE 0 puts to PE 1 on a context, and both sync on context 0.
    private static Function<GinFixture, String> barrier(FenceLevel fence, int context) {
        return gins -> {
            if (gins.me == 0) {
                put(gins, context, 1, 1, NONE);
            }
            try (BarrierSession barrier = gins.comm.worldBarrier(gins.gin(0), 0)) {
                barrier.sync(fence);
            }
            return gins.me == 1 ? Long.toString(gins.memory.longs().get(1)) : "";
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "weak"})
    @DisplayName("GI-B9 a put that another thread posts after the arrival is not fenced")
    void putAfterArrival(String order) {
        assertThat(sample(order, 2, Set.of("0"), gins -> {
                    try (BarrierSession barrier = gins.comm.worldBarrier(gins.gin(0), 1)) {
                        barrier.arrive(FenceLevel.PUT);
                        if (gins.me == 0) {
                            put(gins, 0, 1, 1, NONE); // as a thread does that has not handed over
                        }
                        barrier.await();
                    }
                    return gins.me == 1 ? Long.toString(gins.memory.longs().get(1)) : "";
                }))
                .contains("0");
    }
}
