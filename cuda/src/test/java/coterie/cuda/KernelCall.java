// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static coterie.cuda.KernelArgument.BARRIER;
import static coterie.cuda.KernelArgument.COMPARISON;
import static coterie.cuda.KernelArgument.CONTEXT;
import static coterie.cuda.KernelArgument.COUNTER;
import static coterie.cuda.KernelArgument.COUNTER_BITS;
import static coterie.cuda.KernelArgument.ELEMENT_OFFSET;
import static coterie.cuda.KernelArgument.FACTOR;
import static coterie.cuda.KernelArgument.FENCE;
import static coterie.cuda.KernelArgument.FROM_MEMORY;
import static coterie.cuda.KernelArgument.FROM_OFFSET;
import static coterie.cuda.KernelArgument.LENGTH;
import static coterie.cuda.KernelArgument.MEMORY;
import static coterie.cuda.KernelArgument.OFFSET;
import static coterie.cuda.KernelArgument.OPERATION;
import static coterie.cuda.KernelArgument.PE;
import static coterie.cuda.KernelArgument.POINTER;
import static coterie.cuda.KernelArgument.SIGNAL;
import static coterie.cuda.KernelArgument.SIGNAL_BITS;
import static coterie.cuda.KernelArgument.SIGNAL_MEMORY;
import static coterie.cuda.KernelArgument.SIGNAL_OFFSET;
import static coterie.cuda.KernelArgument.SIGNAL_PLACE;
import static coterie.cuda.KernelArgument.TICKET;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// A function of the device headers, by its number in `bad_arguments.cu`, with the arguments that it checks.
///
/// @param name as programs have it; with what sets it apart from others of the name
/// @param isGrouped whether it has forms for a warp and a block
/// @param length of the bytes to move
/// @param arguments that it has
record KernelCall(String name, int number, boolean isGrouped, long length, List<KernelArgument> arguments) {
    private static final List<KernelArgument> TARGET = List.of(MEMORY, OFFSET, PE);
    private static final List<KernelArgument> WORD = List.of(SIGNAL_MEMORY, SIGNAL_OFFSET, SIGNAL_PLACE);
    private static final List<KernelArgument> SOURCE = List.of(FROM_MEMORY, FROM_OFFSET);
    private static final List<KernelArgument> ELEMENT = List.of(MEMORY, OFFSET, ELEMENT_OFFSET, PE);

    @SafeVarargs
    @SuppressWarnings("varargs") // the list is only read
    private static KernelCall grouped(String name, int number, List<KernelArgument>... arguments) {
        return new KernelCall(name, number, true, LENGTH.right, join(List.of(arguments)));
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // the list is only read
    private static KernelCall alone(String name, int number, List<KernelArgument>... arguments) {
        return new KernelCall(name, number, false, LENGTH.right, join(List.of(arguments)));
    }

    private static KernelCall empty(KernelCall call) {
        List<KernelArgument> arguments = new ArrayList<>(call.arguments);
        arguments.remove(LENGTH);
        return new KernelCall(call.name + " of 0 bytes", call.number, call.isGrouped, 0, arguments);
    }

    private static List<KernelArgument> join(List<List<KernelArgument>> lists) {
        return lists.stream().flatMap(List::stream).toList();
    }

    private static Stream<KernelCall> core() {
        List<KernelArgument> transfer = join(List.of(TARGET, List.of(LENGTH, POINTER)));
        List<KernelArgument> signal = join(List.of(WORD, List.of(OPERATION)));
        return Stream.of(
                grouped("coterie_put", 0, transfer),
                grouped("coterie_put_nbi", 1, transfer),
                grouped("coterie_put_signal", 2, transfer, signal),
                grouped("coterie_put_signal_nbi", 3, transfer, signal),
                grouped("coterie_get", 4, transfer),
                grouped("coterie_get_nbi", 5, transfer),
                grouped("coterie_signal_wait", 6, WORD, List.of(COMPARISON)),
                grouped("coterie_sync", 7, List.of(BARRIER)),
                grouped("coterie_barrier", 8, List.of(BARRIER)),
                alone("coterie_signal", 40, signal, List.of(PE)),
                alone("coterie_signal_fetch", 41, WORD),
                alone("coterie_signal_wait_value", 42, WORD, List.of(COMPARISON)),
                alone("coterie_put_value", 43, ELEMENT),
                alone("coterie_get_value", 44, ELEMENT),
                alone("coterie_atomic_set", 45, ELEMENT),
                alone("coterie_atomic_add", 46, ELEMENT),
                alone("coterie_atomic_xor", 47, ELEMENT),
                alone("coterie_atomic_fetch", 48, ELEMENT),
                alone("coterie_atomic_swap", 49, ELEMENT),
                alone("coterie_atomic_compare_swap", 50, ELEMENT),
                alone("coterie_atomic_fetch_or", 51, ELEMENT));
    }

    private static Stream<KernelCall> pieces() {
        List<KernelArgument> words = join(List.of(WORD, List.of(KernelArgument.WORDS, COMPARISON)));
        List<KernelArgument> strides =
                List.of(KernelArgument.FAR_STRIDE, KernelArgument.FAR_REACH, KernelArgument.NEAR_STRIDE, POINTER);
        List<KernelArgument> elements = join(List.of(ELEMENT, List.of(KernelArgument.ELEMENTS)));
        List<KernelArgument> transfer = join(List.of(TARGET, List.of(LENGTH, POINTER)));
        List<KernelArgument> pointer = List.of(POINTER);
        List<KernelArgument> places = List.of(KernelArgument.PLACES);
        return Stream.of(
                grouped("coterie_put_signal_counted", 100, transfer, WORD),
                grouped("coterie_put_signal_counted_nbi", 101, transfer, WORD),
                grouped("coterie_signal_counted_wait", 102, WORD),
                grouped("coterie_signal_wait_any", 103, words, pointer),
                grouped("coterie_signal_wait_some, indices", 104, words, pointer),
                grouped("coterie_signal_wait_some, how many", 105, words, pointer),
                grouped("coterie_signal_wait_all", 106, words),
                grouped("coterie_iput", 107, elements, strides),
                grouped("coterie_iget", 108, elements, strides),
                grouped("coterie_reduce_copy, sources", 109, elements, places),
                grouped("coterie_reduce_copy, targets", 110, elements, places),
                grouped("coterie_reduce_copy, an address", 111, elements, pointer),
                grouped("coterie_reduce_copy, a list", 112, elements, pointer),
                alone("coterie_signal_counted_reset", 81, WORD),
                alone("coterie_atomic_add of double", 82, ELEMENT),
                alone("coterie_atomic_fetch_add of double", 83, ELEMENT),
                alone("coterie_atomic_set of double", 84, ELEMENT));
    }

    private static Stream<KernelCall> ginTransfers() {
        List<KernelArgument> context = List.of(CONTEXT);
        List<KernelArgument> ends = join(List.of(TARGET, SOURCE, List.of(LENGTH), context));
        List<KernelArgument> counter = List.of(COUNTER);
        KernelCall put = grouped("put", 18, ends);
        KernelCall get = grouped("get", 19, ends);
        Stream<KernelCall> puts = IntStream.range(0, 8)
                .mapToObj(i -> grouped("put, action " + i, 28 + i, ends, counter, i < 4 ? List.of(SIGNAL) : WORD))
                .flatMap(each -> Stream.of(each, empty(each)));
        Stream<KernelCall> values = IntStream.range(0, 4)
                .mapToObj(
                        i -> alone("putValue, action " + i, 60 + i, ELEMENT, context, i < 2 ? List.of(SIGNAL) : WORD));
        Stream<KernelCall> signals = IntStream.range(0, 4)
                .mapToObj(i ->
                        alone("signal, action " + i, 64 + i, List.of(PE), context, i < 2 ? List.of(SIGNAL) : WORD));
        Stream<KernelCall> factors =
                Stream.of(alone("teamInnerFactor", 79, List.of(FACTOR)), alone("teamOuterFactor", 80, List.of(FACTOR)));
        return Stream.of(Stream.of(put, empty(put), get, empty(get)), puts, values, signals, factors)
                .flatMap(each -> each);
    }

    private static Stream<KernelCall> ginWaits() {
        List<KernelArgument> context = List.of(CONTEXT);
        List<KernelArgument> signal = List.of(CONTEXT, SIGNAL);
        List<KernelArgument> bits = List.of(SIGNAL_BITS);
        return Stream.of(
                grouped("flush", 20, context),
                grouped("waitSignal", 21, signal, bits),
                grouped("waitSignal of a window", 22, context, WORD, bits),
                grouped("waitSignalMeetShadow", 23, signal, bits),
                grouped("waitSignalFollowShadow, before", 24, signal, bits, List.of(POINTER)),
                grouped("waitSignalFollowShadow, delta", 25, signal, bits, List.of(POINTER)),
                grouped("waitCounter", 26, context, List.of(COUNTER, COUNTER_BITS)),
                grouped("BarrierSession.sync", 27, context, List.of(BARRIER, FENCE)),
                alone("flushAsync", 68, context, List.of(PE, POINTER)),
                alone("wait", 69, context, List.of(TICKET)),
                alone("quiet", 70, context),
                alone("readSignal", 71, signal, bits),
                alone("readSignal of a window", 72, context, WORD, bits),
                alone("resetSignal", 73, signal),
                alone("resetSignal of a window", 74, context, WORD),
                alone("getSignalShadowPtr", 75, signal),
                alone("increaseSignalShadow", 76, signal),
                alone("readCounter", 77, context, List.of(COUNTER, COUNTER_BITS)),
                alone("resetCounter", 78, context, List.of(COUNTER)));
    }

    /// What `coterie_gin.cuh` has of symmetric pointers and flags, and `coterie_lsa.cuh`.
    private static Stream<KernelCall> ginPieces() {
        List<KernelArgument> flags = List.of(KernelArgument.FLAGS);
        List<KernelArgument> ends = join(List.of(TARGET, SOURCE, List.of(LENGTH, CONTEXT)));
        List<KernelArgument> elements = join(List.of(TARGET, SOURCE, List.of(KernelArgument.ELEMENTS, CONTEXT)));
        List<KernelArgument> slots = List.of(MEMORY, OFFSET, ELEMENT_OFFSET, KernelArgument.SLOT);
        return Stream.of(
                grouped("put with flags", 12, ends, flags),
                grouped("get with flags", 13, ends, flags),
                grouped("put by symmetric pointers", 14, elements),
                grouped("LsaBarrierSession.sync", 36, List.of(BARRIER)),
                grouped("LsaBarrierSession.sync of a factor", 37, List.of(FACTOR)),
                grouped("TeamBarrierSession.sync", 38, List.of(BARRIER, FENCE)),
                grouped("TeamBarrierSession.sync of a factor", 39, List.of(FACTOR)),
                alone("putValue with flags", 85, ELEMENT, flags),
                alone("signal with flags", 86, List.of(PE, SIGNAL), flags),
                alone("flushAsync with flags", 87, List.of(PE), flags),
                alone("LLA2ASession.send", 88, slots, List.of(PE)),
                alone("LLA2ASession.recv", 89, slots, List.of(POINTER)));
    }

    /// Returns all functions that have arguments to check.
    static List<KernelCall> all() {
        return Stream.of(core(), pieces(), ginTransfers(), ginWaits(), ginPieces())
                .flatMap(each -> each)
                .toList();
    }

    @Override
    public String toString() {
        return name;
    }
}
