// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.Context;
import coterie.IntegerReduction;
import coterie.LongView;
import coterie.PeFailedException;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.TeamId;
import coterie.TeamRevokedException;
import coterie.World;
import coterie.spi.DescribedWait;
import coterie.spi.FaceSupport;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A world of threads that a [StepScheduler] runs: what the statements of images use of core, and nothing else.
/// Each load of another PE's word, each store that changes one, and each poll of a wait is one step.
final class ModelWorld {
    private final StepScheduler scheduler;
    private final int pes;
    private final Map<Object, ModelTeam> teams = new HashMap<>();
    private long ids;

    ModelWorld(StepScheduler scheduler, int pes) {
        this.scheduler = scheduler;
        this.pes = pes;
    }

    /// What the members of a team share.
    private final class ModelTeam {
        private final int[] members;
        private final int[] arrived;
        private final Map<Integer, long[][]> memories = new HashMap<>();
        private final Map<Integer, Long> reduced = new HashMap<>();
        private boolean isRevoked;

        ModelTeam(int[] members) {
            this.members = members;
            this.arrived = new int[members.length];
        }

        /// Waits for all members, or fails as core's barrier does: perhaps on some members only.
        void barrier(int pe) {
            int me = IntStream.range(0, members.length)
                    .filter(i -> members[i] == pe)
                    .findFirst()
                    .orElseThrow();
            int round = ++arrived[me];
            scheduler.changed();
            boolean[] isOver = new boolean[1];
            scheduler.await(pe, () -> {
                boolean areHere = IntStream.of(arrived).allMatch(other -> other >= round);
                boolean hasFailed = IntStream.of(members).anyMatch(scheduler::hasFailed);
                if (hasFailed && !(areHere && scheduler.chooses())) {
                    throw new PeFailedException("a member has failed", List.of(0));
                }
                if (isRevoked && !(areHere && scheduler.chooses())) {
                    throw new TeamRevokedException("a member has revoked the team", 0);
                }
                isOver[0] = areHere;
                return areHere;
            });
        }

        /// Returns the bits that all members pass, after a [#barrier].
        long and(int pe, long bits) {
            int round = 1
                    + arrived[
                            IntStream.range(0, members.length)
                                    .filter(i -> members[i] == pe)
                                    .findFirst()
                                    .orElseThrow()];
            reduced.merge(round, bits, (left, right) -> left & right);
            barrier(pe);
            return reduced.get(round);
        }

        /// Waits for all living members.
        void syncLiving(int pe) {
            int me = IntStream.range(0, members.length)
                    .filter(i -> members[i] == pe)
                    .findFirst()
                    .orElseThrow();
            int round = ++arrived[me];
            scheduler.changed();
            scheduler.await(
                    pe,
                    () -> IntStream.range(0, members.length)
                            .allMatch(i -> arrived[i] >= round || scheduler.hasFailed(members[i])));
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return proxy(type, handler, type);
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler, Class<?>... types) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), types, handler));
    }

    private static UnsupportedOperationException missing(Method method) {
        return new UnsupportedOperationException("the model has no " + method);
    }

    World world(int pe) {
        int[] all = IntStream.range(0, pes).toArray();
        Team team = team(pe, teams.computeIfAbsent("world", _ -> new ModelTeam(all)), "world");
        InvocationHandler handler = (_, method, arguments) -> switch (method.getName()) {
            case "team" -> team;
            case "pe" -> pe;
            case "size" -> pes;
            case "faultSteps" -> Optional.empty();
            case "context" ->
                proxy(Context.class, (_, called, _) -> {
                    if (!called.getName().equals("quiet")) {
                        throw missing(called);
                    }
                    return null;
                });
            case "failedPes" -> IntStream.of(all).filter(scheduler::hasFailed).toArray();
            case "stoppedPes" -> new int[0];
            case "await" -> {
                await(pe, (DescribedWait) arguments[0]);
                yield null;
            }
            case "newTeamId" -> new TeamId(++ids);
            case "formTeam" -> form(pe, (TeamId) arguments[0], (int) arguments[1], (int) arguments[2]);
            default -> throw missing(method);
        };
        return proxy(World.class, handler, World.class, FaceSupport.class);
    }

    private void await(int pe, DescribedWait wait) {
        scheduler.await(pe, () -> {
            inPoll.add(pe);
            try {
                return wait.isOver();
            } finally {
                inPoll.remove(pe);
            }
        });
    }

    /// Members of a team that is being formed.
    private static final class Forming {
        private final Map<Integer, Integer> pes = new HashMap<>();
        private @Nullable Boolean isFormed;
    }

    private final Map<TeamId, Forming> formings = new HashMap<>();

    /// Forms a team on all callers or on none, as core does.
    private Team form(int pe, TeamId id, int size, int member) {
        Forming forming = formings.computeIfAbsent(id, _ -> new Forming());
        forming.pes.put(member, pe);
        scheduler.changed();
        scheduler.await(pe, () -> {
            boolean areHere = forming.pes.size() == size;
            boolean anyFailed = IntStream.range(0, pes).anyMatch(scheduler::hasFailed);
            boolean memberFailed = forming.pes.values().stream().anyMatch(scheduler::hasFailed);
            if (forming.isFormed == null && areHere) {
                forming.isFormed = !(memberFailed && scheduler.chooses());
                scheduler.changed();
            } else if (forming.isFormed == null && anyFailed) { // perhaps a member, which never comes
                forming.isFormed = scheduler.chooses() ? null : Boolean.FALSE;
                scheduler.changed();
            }
            return forming.isFormed != null;
        });
        if (!Boolean.TRUE.equals(forming.isFormed)) {
            throw new PeFailedException("a member has failed", List.of(0));
        }
        int[] members = new int[size];
        forming.pes.forEach((place, each) -> members[place] = each);
        return team(pe, teams.computeIfAbsent(id, _ -> new ModelTeam(members)), id.toString());
    }

    private Team team(int pe, ModelTeam shared, String name) {
        int[] copies = new int[2];
        return proxy(Team.class, (_, method, arguments) -> switch (method.getName()) {
            case "duplicate" -> {
                String copy = name + "/" + ++copies[0];
                yield team(pe, teams.computeIfAbsent(copy, _ -> new ModelTeam(shared.members)), copy);
            }
            case "size" -> shared.members.length;
            case "member" ->
                IntStream.range(0, shared.members.length)
                        .filter(i -> shared.members[i] == pe)
                        .findFirst()
                        .orElseThrow();
            case "hasFailed" -> scheduler.hasFailed(shared.members[(int) arguments[0]]);
            case "hasStopped" -> false;
            case "allocate" -> memory(pe, shared, ++copies[1], (long) arguments[0]);
            case "barrier" -> {
                shared.barrier(pe);
                yield null;
            }
            case "allReduce" -> {
                if (arguments[0] != IntegerReduction.AND) {
                    throw missing(method);
                }
                yield shared.and(pe, (long) arguments[1]);
            }
            case "syncLiving" -> {
                shared.syncLiving(pe);
                yield new int[0];
            }
            case "revoke" -> {
                shared.isRevoked = true;
                scheduler.changed();
                yield null;
            }
            case "isValid" -> true;
            case "close" -> null;
            default -> throw missing(method);
        });
    }

    private SymmetricMemory memory(int pe, ModelTeam team, int number, long bytes) {
        long[][] words = team.memories.computeIfAbsent(
                number, _ -> new long[team.members.length][Math.toIntExact(bytes / Long.BYTES)]);
        return proxy(SymmetricMemory.class, (_, method, _) -> {
            if (!method.getName().equals("longs")) {
                throw missing(method);
            }
            return proxy(
                    LongView.class,
                    (self, called, arguments) ->
                            called.getName().equals("writtenBy") ? self : access(pe, words, called, arguments));
        });
    }

    private @Nullable Object access(int pe, long[][] words, Method method, Object[] arguments) {
        int index = Math.toIntExact((long) arguments[0]);
        return switch (method.getName()) {
            case "get" -> {
                int target = arguments.length == 1 ? pe : (int) arguments[1];
                if (target != pe && !inPoll.contains(pe)) {
                    scheduler.step(pe);
                }
                yield words[target][index];
            }
            case "set" -> store(pe, words[pe], index, (long) arguments[1]);
            case "put" -> store(pe, words[(int) arguments[2]], index, (long) arguments[1]);
            case "add" -> {
                long[] target = words[(int) arguments[2]];
                yield store(pe, target, index, target[index] + (long) arguments[1]);
            }
            case "compareAndExchange" -> {
                scheduler.step(pe);
                long[] target = words[(int) arguments[3]];
                long former = target[index];
                if (former == (long) arguments[1]) {
                    target[index] = (long) arguments[2];
                    scheduler.changed();
                }
                yield former;
            }
            default -> throw missing(method);
        };
    }

    /// PEs whose waits poll now: a poll is one step.
    private final Set<Integer> inPoll = new HashSet<>();

    private @Nullable Object store(int pe, long[] target, int index, long value) {
        if (target[index] != value) {
            scheduler.step(pe);
            target[index] = value;
            scheduler.changed();
        }
        return null;
    }
}
