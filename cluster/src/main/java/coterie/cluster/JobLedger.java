// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import coterie.cluster.JobFrame.Kind;
import coterie.spi.PeJob;
import coterie.spi.PeState;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// What a coordinator knows of its job: which PEs have joined and where, how they ended and in which order, and
/// the values of the fence that is under way. Each change goes to all PEs in one order. One thread uses it.
final class JobLedger {
    private static final int FREE = -1;

    private final PeState[] states;
    private final int[] exitCodes;
    private final long[] orders;
    private final String[] reasons;
    private final @Nullable ProcessPlace[] places;
    private final long[] heaps;
    private final byte[][] values;
    private final long[] fences;
    private final Consumer<ByteBuffer> toAll;
    private int joined;
    private long lastOrder;
    private long completeFence;
    private int begun;
    private int abortCode = FREE;

    /// Whether another coordinator had the job before: then one PE at least has ended, so that no fence completes.
    private boolean isTakenOver;

    /// @param toAll sends a message to all PEs that have joined
    JobLedger(int size, Consumer<ByteBuffer> toAll) {
        this.states = new PeState[size];
        Arrays.fill(states, PeState.STARTING);
        this.exitCodes = new int[size];
        Arrays.fill(exitCodes, PeJob.UNKNOWN_EXIT_CODE);
        this.orders = new long[size];
        this.reasons = new String[size];
        Arrays.fill(reasons, "");
        this.places = new ProcessPlace[size];
        this.heaps = new long[size];
        this.values = new byte[size][];
        this.fences = new long[size];
        this.toAll = toAll;
    }

    /// All PEs have joined, at another coordinator.
    void takeOver() {
        isTakenOver = true;
        joined = size();
    }

    /// Takes over what a PE knows of itself or another one, and tells no PE yet.
    ///
    /// @param order of an end or of a [#leave]; 0 for neither
    void merge(int pe, PeState state, int exitCode, long order, String reason) {
        if (!states[pe].hasTerminated()) {
            states[pe] = state;
            exitCodes[pe] = exitCode;
            reasons[pe] = reason;
        }
        if (orders[pe] == 0) {
            orders[pe] = order;
        }
        lastOrder = Math.max(lastOrder, order);
    }

    /// Tells all PEs what there is to know after a takeover.
    void announce() {
        history().forEach(toAll);
        for (int pe = 0; pe < size(); pe++) {
            if (!states[pe].hasTerminated()) {
                toAll.accept(stateOf(pe));
            }
        }
    }

    int size() {
        return states.length;
    }

    PeState state(int pe) {
        return states[pe];
    }

    /// Returns how a PE ended, for messages.
    String reason(int pe) {
        return exitCodes[pe] == PeJob.UNKNOWN_EXIT_CODE ? reasons[pe] : "it ended with exit code " + exitCodes[pe];
    }

    boolean hasJoined(int pe) {
        return isTakenOver || places[pe] != null;
    }

    /// Returns whether all PEs have joined.
    boolean isComplete() {
        return joined == states.length;
    }

    /// Returns the PEs that have not joined.
    List<Integer> missing() {
        List<Integer> missing = new ArrayList<>();
        for (int pe = 0; pe < states.length; pe++) {
            if (!hasJoined(pe)) {
                missing.add(pe);
            }
        }
        return missing;
    }

    /// Returns why a process can't join as a PE; empty if it can.
    ///
    /// @param pe its number, or −1 for any
    /// @param expected number of PEs that it expects, or 0 for any
    Optional<String> refusal(int pe, int expected) {
        if (expected != JobFrame.ANY_SIZE && expected != size()) {
            return Optional.of("PE " + pe + " expects a job of " + expected + " PEs, and the job has " + size()
                    + ": set one size in all processes");
        }
        if (pe < 0) {
            return isComplete() ? Optional.of("all " + size() + " PEs of the job have joined") : Optional.empty();
        }
        if (pe >= size()) {
            return Optional.of("the job has " + size() + " PEs, so that there is no PE " + pe);
        }
        if (states[pe].hasTerminated()) {
            return Optional.of("PE " + pe + " counts as " + (states[pe] == PeState.FAILED ? "failed" : "ended") + " ("
                    + reason(pe) + "), and can't come back");
        }
        return hasJoined(pe)
                ? Optional.of("PE " + pe + " has joined already: each process needs a number of its own")
                : Optional.empty();
    }

    /// Notes that a process has joined; there is no [#refusal]. Returns its number.
    ///
    /// @param pe its number, or −1 for the lowest that is free
    /// @param place where it runs
    /// @param heapBytes symmetric memory that it would have by itself
    int join(int pe, ProcessPlace place, long heapBytes) {
        int number = Math.max(0, pe);
        while (pe < 0 && (hasJoined(number) || states[number].hasTerminated())) {
            number++;
        }
        places[number] = place;
        heaps[number] = heapBytes;
        joined++;
        return number;
    }

    /// Returns the bytes of symmetric memory that all PEs can have.
    long leastHeapBytes() {
        return Arrays.stream(heaps).min().orElse(0);
    }

    /// Returns the number of each PE's node: nodes count from 0 in the order of their first PEs.
    int[] nodeNumbers() {
        Map<String, Integer> known = new HashMap<>();
        int[] numbers = new int[size()];
        for (int pe = 0; pe < numbers.length; pe++) {
            numbers[pe] = known.computeIfAbsent(place(pe).node(), key -> known.size());
        }
        return numbers;
    }

    private ProcessPlace place(int pe) {
        return Objects.requireNonNull(places[pe], "a PE that has not joined");
    }

    /// Returns for each PE how many processors the PEs of its node share. Those that may run on the same ones share
    /// these; those that a launcher has bound to different ones have them all.
    int[] usableCpus() {
        Map<String, Map<String, Integer>> ofNodes = new HashMap<>();
        for (int pe = 0; pe < size(); pe++) {
            ofNodes.computeIfAbsent(place(pe).node(), node -> new HashMap<>())
                    .merge(place(pe).affinity(), place(pe).processors(), Math::max);
        }
        Map<String, Integer> sums = new HashMap<>();
        ofNodes.forEach((node, sets) -> sums.put(
                node, sets.values().stream().mapToInt(Integer::intValue).sum()));
        return IntStream.range(0, size()).map(pe -> sums.get(place(pe).node())).toArray();
    }

    /// Notes that a PE is in a state of its own choice. Returns whether that is news.
    boolean enter(int pe, PeState state) throws ProtocolException {
        if (state.hasTerminated()) {
            throw new ProtocolException("PE " + pe + " reports " + state + " of itself");
        }
        if (states[pe].hasTerminated() || states[pe] == state) {
            return false;
        }
        states[pe] = state;
        toAll.accept(stateOf(pe));
        return true;
    }

    /// Notes that a PE has terminated, once, and gives the end its number. Returns whether that is news.
    ///
    /// @param exitCode of its process, or [PeJob#UNKNOWN_EXIT_CODE]
    /// @param reason one phrase, if the exit code is unknown
    boolean end(int pe, PeState state, int exitCode, String reason) {
        if (states[pe].hasTerminated()) {
            return false;
        }
        states[pe] = state;
        exitCodes[pe] = exitCode;
        reasons[pe] = reason;
        if (orders[pe] == 0) {
            orders[pe] = ++lastOrder;
        }
        toAll.accept(stateOf(pe));
        return true;
    }

    /// Notes that a PE has closed its world while others may go on.
    void leave(int pe) {
        if (orders[pe] == 0) {
            orders[pe] = ++lastOrder;
            toAll.accept(leftOf(pe));
        }
    }

    /// Returns whether a PE has asked for an abort.
    boolean isAborted() {
        return abortCode != FREE;
    }

    /// Notes that a PE asks for an abort, the first to do so.
    void abort(int exitCode) {
        abortCode = exitCode;
        toAll.accept(aborted());
    }

    /// Notes that a PE has begun a fence with its values. The last PE completes the fence, and all PEs get the
    /// values of all.
    void fence(int pe, long fence, byte[] bytes) throws ProtocolException {
        if (isTakenOver) {
            return;
        }
        if (fence != completeFence + 1 || fences[pe] == fence) {
            throw new ProtocolException("PE " + pe + " begins fence " + fence + " after " + fences[pe]);
        }
        fences[pe] = fence;
        values[pe] = bytes;
        begun++;
        if (begun == size()) {
            begun = 0;
            completeFence = fence;
            for (int each = 0; each < size(); each++) {
                toAll.accept(new JobFrame.Builder(Kind.VALUES)
                        .number(each)
                        .bytes(values[each])
                        .build());
                values[each] = new byte[0];
            }
            toAll.accept(new JobFrame.Builder(Kind.FENCED).number(fence).build());
        }
    }

    /// Returns what a PE that joins late must know of the others: ends, in their order, and an abort.
    List<ByteBuffer> history() {
        List<Integer> ended = new ArrayList<>();
        for (int pe = 0; pe < size(); pe++) {
            if (orders[pe] != 0) {
                ended.add(pe);
            }
        }
        ended.sort((one, other) -> Long.compare(orders[one], orders[other]));
        List<ByteBuffer> history = new ArrayList<>();
        for (int pe : ended) {
            history.add(states[pe].hasTerminated() ? stateOf(pe) : leftOf(pe));
        }
        if (abortCode != FREE) {
            history.add(aborted());
        }
        return history;
    }

    private ByteBuffer stateOf(int pe) {
        return new JobFrame.Builder(Kind.STATE)
                .number(pe)
                .number(states[pe].ordinal())
                .number(exitCodes[pe])
                .number(orders[pe])
                .text(reasons[pe])
                .build();
    }

    private ByteBuffer leftOf(int pe) {
        return new JobFrame.Builder(Kind.LEFT).number(pe).number(orders[pe]).build();
    }

    private ByteBuffer aborted() {
        return new JobFrame.Builder(Kind.ABORT).number(abortCode).build();
    }
}
