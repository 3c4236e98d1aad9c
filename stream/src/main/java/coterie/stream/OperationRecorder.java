// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import static java.util.Objects.requireNonNull;

import coterie.AtomicOperation;
import coterie.Comparison;
import coterie.ElementType;
import coterie.ElementView;
import coterie.IntegerView;
import coterie.SignalOperation;
import coterie.SignalUpdate;
import coterie.SignalWord;
import coterie.Team;
import coterie.World;
import coterie.spi.FaceSupport;
import coterie.spi.LaneDescription;
import coterie.spi.OperationLog;
import coterie.spi.OperationRecord;
import coterie.spi.OperationRecord.Action;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Tells the logs of lanes what their operations need and do, so that a diagnosis can explain why they wait. One
/// thread at a time uses it: an engine has one for calls, and one for the thread that runs the hook.
final class OperationRecorder {
    /// Operations of a lane whose lines in the program are known: to find one takes a microsecond.
    static final int SITES = 256;

    private static final Set<ElementType> UNSIGNED = EnumSet.of(
            ElementType.UNSIGNED_BYTE, ElementType.UNSIGNED_SHORT, ElementType.UNSIGNED_INT, ElementType.UNSIGNED_LONG);

    /// Fewer than the least number of a text.
    private static final OperationType[] TYPES = OperationType.values();

    private final World world;
    private final FaceSupport support;
    private final DeviceLimits limits;
    private final OperationRecord record = new OperationRecord();
    private final int[] labels = new int[TYPES.length];
    private long issued;

    OperationRecorder(World world, DeviceLimits limits) {
        this.world = world;
        this.support = FaceSupport.of(world);
        this.limits = limits;
    }

    /// Opens the log of a stream.
    @Nullable
    OperationLog openStream(String name, int queue) {
        return orNull(support.openLog(new LaneDescription(
                name,
                false,
                limits.queues() > 0 ? queue : -1,
                limits.queueOrder() == QueueOrder.DISPATCH,
                limits.slots())));
    }

    /// Opens the log of threads that wait: of the program, or of a kernel.
    @Nullable
    OperationLog openHost(String name) {
        return orNull(support.openLog(LaneDescription.host(name)));
    }

    /// Opens the log of a captured stream's operations. A launch has a queue and a slot for all of them.
    @Nullable
    OperationLog openGraph(String name) {
        return orNull(support.openLog(new LaneDescription(name, false, -1, false, limits.slots())));
    }

    private static @Nullable OperationLog orNull(Optional<OperationLog> log) {
        return log.orElse(null);
    }

    /// Numbers a new operation, and notes where the program has called it.
    void number(OperationLog log, long position, StreamOperation operation) {
        operation.order = issued++;
        if (operation.object instanceof CachedRequest request) {
            request.nameFor(log);
            operation.sequence = log.nextCollective(request.teamText());
            operation.site = request.siteText();
        } else {
            operation.site = position < SITES ? log.text(RequestCache.callSite()) : 0;
        }
    }

    /// Records a new operation, after [#number].
    void issue(OperationLog log, long position, StreamOperation operation) {
        describe(log, operation);
        record.setSite(operation.site);
        log.issue(position, record);
    }

    /// Records what is left of an operation that is over: what it was.
    ///
    /// @param type by its ordinal, or the text of a collective
    void writeOver(OperationLog log, long position, int type) {
        record.clear();
        record.setLabel(type < TYPES.length ? label(log, TYPES[type]) : type);
        log.write(position, record);
    }

    /// Records an operation that has not been recorded yet, or has changed.
    void write(OperationLog log, long position, StreamOperation operation) {
        describe(log, operation);
        record.setSite(operation.site);
        log.write(position, record);
    }

    /// Records that the collectives of an operation are skipped.
    static void skip(OperationLog log, StreamOperation operation, String cause) {
        if (operation.object instanceof CachedRequest request && operation.sequence >= 0) {
            log.skipCollective(request.teamText(), log.text(cause));
        } else if (operation.object instanceof StreamGraph graph) {
            graph.records().skip(log, cause);
        }
    }

    /// Notes where an operation was captured.
    void captured(OperationLog log, StreamOperation operation, String site) {
        if (operation.object instanceof CachedRequest request) {
            request.nameFor(log);
        }
        operation.site = site.isEmpty() ? 0 : log.text(site);
    }

    /// Records an operation of a graph's launch. The state of its kernels is not followed.
    void publish(OperationLog log, long position, StreamOperation operation) {
        describe(log, operation);
        record.setSite(operation.site);
        record.setNeedsSlot(false);
        if (operation.type == OperationType.KERNEL) {
            record.clear();
            record.setLabel(label(log, operation.type));
            record.setSite(operation.site);
            record.setAction(Action.RUN);
        }
        log.issue(position, record);
    }

    private void describe(OperationLog log, StreamOperation operation) {
        record.clear();
        record.setOrder(operation.order);
        record.setStarted(operation.isStarted);
        record.setNeedsSlot(limits.slots() > 0 && StreamScheduler.needsSlot(operation));
        record.setLabel(label(log, operation.type));
        switch (operation.type) {
            case NONE, RECORD, RELEASE, FENCE, FLUSH, QUIET, SIGNAL_FETCH -> {}
            case GET, GET_NBI -> get(log, operation, operation.count);
            case GET_WORD -> get(log, operation, 1);
            case GET_STRIDED -> get(log, operation, operation.count * operation.blockLength);
            case HOST -> record.setAction(Action.RUN);
            case GRAPH ->
                ((StreamGraph) requireNonNull(operation.object)).records().describe(operation, record);
            case POLL -> record.setAction(Action.POLL);
            case KERNEL -> kernel(log, operation);
            case WAIT_EVENT, ORDER -> after((OperationLane) requireNonNull(operation.object), operation.count);
            case PUT, PUT_NBI, LATE_COPY -> put(log, operation, operation.count);
            case PUT_WORD -> put(log, operation, 1);
            case COMPARE_AND_SWAP -> {
                put(log, operation, 1);
                result(operation);
            }
            case PUT_STRIDED -> put(log, operation, (operation.count - 1) * operation.stride + operation.blockLength);
            case PUT_SIGNAL, PUT_SIGNAL_NBI, SIGNAL ->
                signal(log, operation, (SignalUpdate) requireNonNull(operation.object));
            case WRITE_VALUE -> {
                put(log, operation, 1);
                record.setAction(Action.SET);
                record.setValue(operation.value);
            }
            case ATOMIC -> atomic(log, operation);
            case FETCH_ATOMIC -> {
                atomic(log, operation);
                result(operation);
            }
            case WAIT_VALUE -> {
                ValueCondition condition = (ValueCondition) requireNonNull(operation.object);
                await(log, operation, condition.weaker(), 1);
                long mask = record.width() == Long.BYTES ? -1 : (1L << (Byte.SIZE * record.width())) - 1;
                record.setValue(condition.weakerOperand(operation.value, mask));
            }
            case WAIT_UNTIL -> await(log, operation, requireNonNull(operation.comparison), 1);
            case WAIT_UNTIL_ALL -> awaitAll(log, operation);
            case GROUP_CHECK ->
                record.setAction(((GroupCheck) requireNonNull(operation.object)).isTest() ? Action.LOCAL : Action.POLL);
            case SIGNAL_WAIT -> {
                SignalWord signal = (SignalWord) requireNonNull(operation.object);
                record.setAction(Action.WAIT);
                record.setComparison(requireNonNull(operation.comparison));
                record.setUnsigned(true);
                record.setObject(log.writers(signal));
                record.setSignature(log.allocation(signal.memory()));
                record.setPe(world.pe());
                record.setOffset(log.offset(signal.memory()) + signal.index() * Long.BYTES);
                record.setValue(operation.value);
                record.setLength(1);
            }
            case BARRIER, SYNC, COLLECTIVE -> meet((CachedRequest) requireNonNull(operation.object), operation);
        }
    }

    private int label(OperationLog log, OperationType type) {
        int known = labels[type.ordinal()];
        if (known == 0) {
            known = log.text(type.label());
            labels[type.ordinal()] = known;
        }
        return known;
    }

    /// A kernel that has not been looked at is one of which no block has started.
    private void kernel(OperationLog log, StreamOperation operation) {
        KernelRun run = (KernelRun) requireNonNull(operation.object);
        KernelState state = KernelState.of(operation.known);
        record.setAction(state == KernelState.ACTS ? Action.RUN : Action.THREADS);
        if (record.action() == Action.THREADS) {
            record.setObject(limits.residentThreads());
            record.setValue(run.hasUnstarted() ? run.block().count() : 0);
            record.setLength(run.heldThreads());
        }
        if (state == KernelState.WAITS_LONG) {
            record.setLabel(log.text(run.progress()));
        }
    }

    /// A lane without a log can do anything.
    private void after(OperationLane lane, long position) {
        int number = lane.recordedLane();
        record.setAction(number == OperationLane.UNRECORDED ? Action.RUN : Action.AFTER);
        record.setObject(number);
        record.setValue(lane.recordedPosition(position));
    }

    /// A place that does not exist is an error that the operation finds itself.
    private void place(OperationLog log, Action action, ElementView view, long index, int member) {
        Team team = view.context().team();
        if (member >= 0 && member < team.size()) {
            record.setAction(action);
            record.setPe(team.pe(member));
            record.setWidth(view.type().byteSize());
            record.setOffset(log.offset(view.memory()) + index * record.width());
        }
    }

    private void put(OperationLog log, StreamOperation operation, long elements) {
        ElementView view = requireNonNull(operation.view);
        place(log, Action.PUT, view, operation.index, operation.pe);
        record.setLength(elements * view.type().byteSize());
    }

    private void get(OperationLog log, StreamOperation operation, long elements) {
        put(log, operation, elements);
        record.setAction(hasSharedResult(operation) ? Action.GET : Action.LOCAL);
    }

    /// A result may be in symmetric memory of this PE, unless it is on the heap of the JVM.
    private static boolean hasSharedResult(StreamOperation operation) {
        return operation.segment != null && operation.segment.isNative();
    }

    /// Where an atomic stores the former value, nothing tells.
    private void result(StreamOperation operation) {
        if (hasSharedResult(operation)) {
            record.setAction(Action.RUN);
        }
    }

    private void signal(OperationLog log, StreamOperation operation, SignalUpdate update) {
        SignalWord signal = update.signal();
        Team team = signal.context().team();
        if (operation.pe >= 0 && operation.pe < team.size()) {
            record.setAction(update.operation() == SignalOperation.SET ? Action.SET : Action.ADD);
            record.setPe(team.pe(operation.pe));
            record.setOffset(log.offset(signal.memory()) + signal.index() * Long.BYTES);
            record.setValue(update.value());
            ElementView view = operation.view;
            if (operation.type != OperationType.SIGNAL && view != null) {
                record.setLength(operation.count * view.type().byteSize()); // for traces
            }
        }
    }

    private void atomic(OperationLog log, StreamOperation operation) {
        put(log, operation, 1);
        boolean isInteger = operation.view instanceof IntegerView;
        if (operation.atomic == AtomicOperation.FETCH) {
            record.setAction(Action.LOCAL);
        } else if (record.action() == Action.PUT && operation.atomic == AtomicOperation.ADD && isInteger) {
            record.setAction(Action.ADD);
        } else if (record.action() == Action.PUT && operation.atomic == AtomicOperation.SWAP) {
            record.setAction(Action.SET);
        }
        record.setValue(operation.value);
    }

    private void await(OperationLog log, StreamOperation operation, Comparison comparison, long words) {
        IntegerView view = (IntegerView) requireNonNull(operation.view);
        place(log, Action.WAIT, view, operation.index, view.context().team().member());
        record.setObject(log.writers(view));
        record.setSignature(log.allocation(view.memory()));
        record.setComparison(comparison);
        record.setUnsigned(operation.type == OperationType.WAIT_VALUE || UNSIGNED.contains(view.type()));
        record.setValue(operation.value);
        record.setLength(words);
    }

    /// Of words with operands or marks of their own it records the first that takes part.
    private void awaitAll(OperationLog log, StreamOperation operation) {
        long[] operands = operation.object instanceof long[] each ? each : null;
        int first = operation.skipped == null ? 0 : operation.skipped.nextClearBit(0);
        boolean isEmpty = first >= operation.count;
        if (isEmpty) {
            return;
        }
        boolean hasOne = operands != null || operation.skipped != null;
        await(log, operation, requireNonNull(operation.comparison), hasOne ? 1 : operation.count);
        record.setOffset(record.offset() + (long) first * record.width());
        record.setValue(operands == null ? operation.value : operands[first]);
    }

    private void meet(CachedRequest request, StreamOperation operation) {
        boolean isCounted = operation.sequence >= 0;
        record.setAction(isCounted ? Action.COLLECTIVE : Action.RUN);
        record.setObject(request.teamText());
        record.setValue(operation.sequence);
        record.setLabel(request.label());
        record.setSignature(request.signature());
    }
}
