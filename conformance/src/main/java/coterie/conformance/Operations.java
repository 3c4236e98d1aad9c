// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import coterie.AtomicOperation;
import coterie.ByteView;
import coterie.Comparison;
import coterie.Context;
import coterie.DoubleView;
import coterie.ElementView;
import coterie.FloatView;
import coterie.IntView;
import coterie.IntegerView;
import coterie.LongView;
import coterie.ShortView;
import coterie.SignalOperation;
import coterie.SignalUpdate;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Every one-sided operation there is, by name, on every type of element: what is refused must be refused by each.
final class Operations {
    /// Bytes of the memory at the other side of an operation.
    static final int LOCAL_BYTES = 1024;

    private final Context context;
    private final List<Operation> all = new ArrayList<>();

    /// What an operation lets its caller choose.
    enum Kind {
        /// index, count, PE, and where the elements are on my side
        BULK,
        /// index and PE
        ELEMENT,
        /// index, PE, and where the old value comes to
        FETCH_NBI,
        /// a PE; the word is fixed
        SIGNAL,
        /// an index of my own
        MINE,
        /// nothing: my own word is fixed
        MY_SIGNAL
    }

    /// One operation of one view, with what its caller chooses left open; what its kind does not have is ignored.
    @FunctionalInterface
    interface Call {
        /// Runs it.
        ///
        /// @param local index on my side
        void run(long index, long count, long local, int pe);
    }

    /// An operation and what it acts on.
    ///
    /// @param name as messages have it
    /// @param elements what the indices count
    record Operation(String name, Kind kind, ElementView elements, Call call) {
        boolean namesPe() {
            return kind != Kind.MINE && kind != Kind.MY_SIGNAL;
        }

        boolean hasIndex() {
            return kind != Kind.SIGNAL && kind != Kind.MY_SIGNAL;
        }

        boolean hasLocalSide() {
            return kind == Kind.BULK || kind == Kind.FETCH_NBI;
        }

        /// Whole elements in the memory at my side.
        long localLength() {
            return LOCAL_BYTES / elements.type().byteSize();
        }

        /// Runs it on the first element of a PE.
        void runAt(int pe) {
            call.run(0, 1, 0, pe);
        }

        @Override
        public String toString() {
            return name + " of " + elements.type();
        }
    }

    private Operations(Context context) {
        this.context = context;
    }

    /// All operations on a block through a context, in an order that is always the same. Their signal is the
    /// block's last 8 bytes.
    static List<Operation> on(SymmetricMemory memory, Context context) {
        Operations operations = new Operations(context);
        for (IntegerView signed : List.of(memory.bytes(), memory.shorts(), memory.ints(), memory.longs())) {
            operations.integers(signed.through(context));
            operations.integers(signed.unsigned().through(context));
        }
        operations.floats(memory.floats().through(context));
        operations.doubles(memory.doubles().through(context));
        SignalWord signal = memory.signal(memory.byteSize() / Long.BYTES - 1).through(context);
        ElementView words = memory.longs();
        operations.signal("set", words, pe -> signal.set(1, pe));
        operations.signal("add", words, pe -> signal.add(1, pe));
        operations.add("set", Kind.MY_SIGNAL, words, (index, count, local, pe) -> signal.set(1));
        operations.add("fetch", Kind.MY_SIGNAL, words, (index, count, local, pe) -> signal.fetch());
        operations.add(
                "waitUntil", Kind.MY_SIGNAL, words, (index, count, local, pe) -> signal.waitUntil(Comparison.LE, -1));
        return List.copyOf(operations.all);
    }

    @FunctionalInterface
    private interface OnPe {
        void run(int pe);
    }

    @FunctionalInterface
    private interface OnElement {
        void run(long index, int pe);
    }

    @FunctionalInterface
    private interface FetchNbi {
        void run(long index, MemorySegment result, long resultIndex, int pe);
    }

    @FunctionalInterface
    private interface OnMine {
        void run(long index);
    }

    private void add(String name, Kind kind, ElementView view, Call call) {
        all.add(new Operation(name, kind, view, call));
    }

    private void signal(String name, ElementView view, OnPe call) {
        add(name, Kind.SIGNAL, view, (index, count, local, pe) -> call.run(pe));
    }

    private void element(String name, ElementView view, OnElement call) {
        add(name, Kind.ELEMENT, view, (index, count, local, pe) -> call.run(index, pe));
    }

    private void fetchNbi(String name, ElementView view, FetchNbi call) {
        MemorySegment result = MemorySegment.ofArray(new long[LOCAL_BYTES / Long.BYTES]);
        add(name, Kind.FETCH_NBI, view, (index, count, local, pe) -> call.run(index, result, local, pe));
    }

    private void mine(String name, ElementView view, OnMine call) {
        add(name, Kind.MINE, view, (index, count, local, pe) -> call.run(index));
    }

    private void bulk(ElementView view) {
        mine("getBits", view, view::getBits);
        mine("setBits", view, index -> view.setBits(index, 1));
        MemorySegment side = MemorySegment.ofArray(new long[LOCAL_BYTES / Long.BYTES]);
        SignalWord signal =
                view.memory().signal(view.memory().byteSize() / Long.BYTES - 1).through(context);
        add("put", Kind.BULK, view, (index, count, local, pe) -> view.put(index, side, local, count, pe));
        add("putNbi", Kind.BULK, view, (index, count, local, pe) -> view.putNbi(index, side, local, count, pe));
        add("get", Kind.BULK, view, (index, count, local, pe) -> view.get(index, side, local, count, pe));
        add("getNbi", Kind.BULK, view, (index, count, local, pe) -> view.getNbi(index, side, local, count, pe));
        add(
                "putStrided",
                Kind.BULK,
                view,
                (index, count, local, pe) -> view.putStrided(index, 1, side, local, 1, 1, count, pe));
        add(
                "getStrided",
                Kind.BULK,
                view,
                (index, count, local, pe) -> view.getStrided(index, 1, side, local, 1, 1, count, pe));
        for (SignalOperation operation : SignalOperation.values()) {
            add(
                    "putSignal",
                    Kind.BULK,
                    view,
                    (index, count, local, pe) ->
                            view.putSignal(index, side, local, count, new SignalUpdate(signal, operation, 1), pe));
            add(
                    "putSignalNbi",
                    Kind.BULK,
                    view,
                    (index, count, local, pe) ->
                            view.putSignalNbi(index, side, local, count, new SignalUpdate(signal, operation, 1), pe));
        }
    }

    private void integers(IntegerView view) {
        bulk(view);
        switch (view) {
            case ByteView bytes -> {
                byte[] side = new byte[LOCAL_BYTES];
                add("put", Kind.BULK, view, (index, count, local, pe) -> bytes.put(index, side, local, count, pe));
                add("get", Kind.BULK, view, (index, count, local, pe) -> bytes.get(index, side, local, count, pe));
            }
            case ShortView shorts -> {
                short[] side = new short[LOCAL_BYTES / Short.BYTES];
                add("put", Kind.BULK, view, (index, count, local, pe) -> shorts.put(index, side, local, count, pe));
                add("get", Kind.BULK, view, (index, count, local, pe) -> shorts.get(index, side, local, count, pe));
            }
            case IntView ints -> {
                int[] side = new int[LOCAL_BYTES / Integer.BYTES];
                add("put", Kind.BULK, view, (index, count, local, pe) -> ints.put(index, side, local, count, pe));
                add("get", Kind.BULK, view, (index, count, local, pe) -> ints.get(index, side, local, count, pe));
            }
            case LongView longs -> {
                long[] side = new long[LOCAL_BYTES / Long.BYTES];
                add("put", Kind.BULK, view, (index, count, local, pe) -> longs.put(index, side, local, count, pe));
                add("get", Kind.BULK, view, (index, count, local, pe) -> longs.get(index, side, local, count, pe));
            }
            default -> throw new AssertionError(view);
        }
        element("get", view, view::get);
        element("put", view, (index, pe) -> view.put(index, 1, pe));
        element("getAcquire", view, view::getAcquire);
        element("setRelease", view, (index, pe) -> view.setRelease(index, 1, pe));
        element("add", view, (index, pe) -> view.add(index, 1, pe));
        element("getAndAdd", view, (index, pe) -> view.getAndAdd(index, 1, pe));
        element("getAndSet", view, (index, pe) -> view.getAndSet(index, 1, pe));
        element("compareAndExchange", view, (index, pe) -> view.compareAndExchange(index, 0, 1, pe));
        element("and", view, (index, pe) -> view.and(index, 1, pe));
        element("getAndBitwiseAnd", view, (index, pe) -> view.getAndBitwiseAnd(index, 1, pe));
        element("or", view, (index, pe) -> view.or(index, 1, pe));
        element("getAndBitwiseOr", view, (index, pe) -> view.getAndBitwiseOr(index, 1, pe));
        element("xor", view, (index, pe) -> view.xor(index, 1, pe));
        element("getAndBitwiseXor", view, (index, pe) -> view.getAndBitwiseXor(index, 1, pe));
        for (AtomicOperation operation : AtomicOperation.values()) {
            fetchNbi("fetchNbi", view, (index, result, at, pe) -> view.fetchNbi(operation, index, 1, result, at, pe));
        }
        fetchNbi(
                "compareAndExchangeNbi",
                view,
                (index, result, at, pe) -> view.compareAndExchangeNbi(index, 0, 1, result, at, pe));
        mine("get", view, view::get);
        mine("set", view, index -> view.set(index, 1));
        // Holds whatever others have just done to the element.
        long greatest = view.type().name().startsWith("UNSIGNED")
                ? -1
                : ~(-1L << (8 * view.type().byteSize() - 1));
        mine("waitUntil", view, index -> view.waitUntil(index, Comparison.LE, greatest));
        mine("waitUntil", view, index -> view.waitUntil(index, Comparison.LE, greatest, Duration.ofSeconds(20)));
        mine("test", view, index -> view.test(index, Comparison.LE, greatest));
        mine("waitSet", view, index -> view.waitSet(index, 1));
    }

    private void floats(FloatView view) {
        bulk(view);
        float[] side = new float[LOCAL_BYTES / Float.BYTES];
        add("put", Kind.BULK, view, (index, count, local, pe) -> view.put(index, side, local, count, pe));
        add("get", Kind.BULK, view, (index, count, local, pe) -> view.get(index, side, local, count, pe));
        element("get", view, view::get);
        element("put", view, (index, pe) -> view.put(index, 1, pe));
        element("getAcquire", view, view::getAcquire);
        element("setRelease", view, (index, pe) -> view.setRelease(index, 1, pe));
        element("getAndSet", view, (index, pe) -> view.getAndSet(index, 1, pe));
        element("add", view, (index, pe) -> view.add(index, 1, pe));
        element("getAndAdd", view, (index, pe) -> view.getAndAdd(index, 1, pe));
        for (AtomicOperation operation : floating()) {
            fetchNbi("fetchNbi", view, (index, result, at, pe) -> view.fetchNbi(operation, index, 1, result, at, pe));
        }
        mine("get", view, view::get);
        mine("set", view, index -> view.set(index, 1));
    }

    private void doubles(DoubleView view) {
        bulk(view);
        double[] side = new double[LOCAL_BYTES / Double.BYTES];
        add("put", Kind.BULK, view, (index, count, local, pe) -> view.put(index, side, local, count, pe));
        add("get", Kind.BULK, view, (index, count, local, pe) -> view.get(index, side, local, count, pe));
        element("get", view, view::get);
        element("put", view, (index, pe) -> view.put(index, 1, pe));
        element("getAcquire", view, view::getAcquire);
        element("setRelease", view, (index, pe) -> view.setRelease(index, 1, pe));
        element("getAndSet", view, (index, pe) -> view.getAndSet(index, 1, pe));
        element("add", view, (index, pe) -> view.add(index, 1, pe));
        element("getAndAdd", view, (index, pe) -> view.getAndAdd(index, 1, pe));
        for (AtomicOperation operation : floating()) {
            fetchNbi("fetchNbi", view, (index, result, at, pe) -> view.fetchNbi(operation, index, 1, result, at, pe));
        }
        mine("get", view, view::get);
        mine("set", view, index -> view.set(index, 1));
    }

    /// What can be done to a number that is no integer.
    static List<AtomicOperation> floating() {
        return List.of(AtomicOperation.FETCH, AtomicOperation.SWAP, AtomicOperation.ADD);
    }
}
