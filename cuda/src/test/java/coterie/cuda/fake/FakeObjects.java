// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.fake;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.cuda.driver.DriverConstant;
import coterie.cuda.driver.DriverFunction;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/// Streams, events, graphs and modules of a [FakeDriver]. Its kernels have parameters and a result, and do
/// nothing.
final class FakeObjects {
    private static final VarHandle WORD = JAVA_LONG.varHandle();
    private static final long POLL_NANOS = 20_000;

    private final FakeDriver driver;
    private final AtomicLong handles = new AtomicLong(0x1000);
    private final Map<Long, FakeStream> streams = new ConcurrentHashMap<>();
    private final Map<Long, Event> events = new ConcurrentHashMap<>();
    private final Map<Long, List<IntSupplier>> graphs = new ConcurrentHashMap<>();
    private final Map<Long, List<IntSupplier>> executables = new ConcurrentHashMap<>();
    private final Map<Long, String> modules = new ConcurrentHashMap<>();
    private final Map<Long, FakeDriver.Kernel> functions = new ConcurrentHashMap<>();
    private final Map<Long, Integer> allowedShared = new ConcurrentHashMap<>();

    FakeObjects(FakeDriver driver) {
        this.driver = driver;
    }

    /// The latest record of an event.
    private static final class Event {
        @Nullable
        volatile Stamp latest;

        /// The capture that has recorded it last.
        @Nullable
        volatile FakeCapture capture;

        boolean isTimed;
    }

    private static final class Stamp {
        volatile long nanos;
    }

    Map<String, Integer> live() {
        return Map.of(
                "streams", streams.size(),
                "events", events.size(),
                "graphs", graphs.size() + executables.size(),
                "modules", modules.size());
    }

    int call(DriverFunction function, long[] w) {
        return switch (function) {
            case STREAM_CREATE_WITH_PRIORITY -> {
                if (w[1] != DriverConstant.CU_STREAM_NON_BLOCKING.value()) {
                    driver.violation("a stream that is ordered with the default stream");
                }
                long handle = handles.getAndIncrement();
                streams.put(handle, new FakeStream(driver, handle));
                yield FakeDriver.setLong(w[0], handle);
            }
            case STREAM_DESTROY -> {
                FakeStream stream = streams.remove(w[0]);
                if (stream == null) {
                    yield 400;
                }
                stream.destroy();
                yield 0;
            }
            case STREAM_QUERY -> {
                FakeCapture capture = stream(w[0]).capture;
                if (capture == null) {
                    yield stream(w[0]).query();
                }
                capture.isInvalid = true;
                yield 900;
            }
            case CTX_GET_STREAM_PRIORITY_RANGE -> FakeDriver.set(w[0], 0) + FakeDriver.set(w[1], -5);
            case STREAM_WRITE_VALUE -> stream(w[0]).enqueue(() -> write(w[1], w[2]));
            case STREAM_WAIT_VALUE -> stream(w[0]).enqueue(() -> await(w[1], w[2], (int) w[3]));
            case MEMCPY -> stream(w[3]).enqueue(() -> copy(w[0], w[1], w[2]));
            case MEMCPY_TO_DEVICE -> {
                MemorySegment source = FakeMemory.host(w[1], w[2]);
                yield copyOfHost(w[3], source, () -> {
                    MemorySegment target = driver.memory.at(w[0], w[2]);
                    return target == null ? 700 : copy(target, source);
                });
            }
            case MEMCPY_TO_HOST -> {
                MemorySegment target = FakeMemory.host(w[0], w[2]);
                yield copyOfHost(w[3], target, () -> {
                    MemorySegment source = driver.memory.at(w[1], w[2]);
                    return source == null ? 700 : copy(target, source);
                });
            }
            case MEMSET ->
                stream(w[3]).enqueue(() -> {
                    MemorySegment target = driver.memory.at(w[0], w[2]);
                    if (target == null) {
                        return 700;
                    }
                    target.fill((byte) w[1]);
                    return 0;
                });
            case EVENT_CREATE, EVENT_DESTROY, EVENT_RECORD, EVENT_QUERY, EVENT_ELAPSED_TIME, STREAM_WAIT_EVENT ->
                event(function, w);
            case STREAM_IS_CAPTURING,
                    STREAM_BEGIN_CAPTURE,
                    STREAM_END_CAPTURE,
                    GRAPH_INSTANTIATE,
                    GRAPH_LAUNCH,
                    GRAPH_EXEC_DESTROY,
                    GRAPH_DESTROY -> graph(function, w);
            default -> module(function, w);
        };
    }

    /// A copy from or to pageable memory is over on return, as a driver may have it.
    private int copyOfHost(long stream, MemorySegment host, IntSupplier command) {
        return driver.memory.isPinned(host.address(), host.byteSize())
                ? stream(stream).enqueue(command)
                : stream(stream).complete(command);
    }

    private FakeStream stream(long handle) {
        FakeStream stream = streams.get(handle);
        if (stream == null) {
            throw new IllegalStateException("no stream " + handle);
        }
        return stream;
    }

    private static int copy(MemorySegment target, MemorySegment source) {
        target.copyFrom(source);
        return 0;
    }

    private int copy(long target, long source, long bytes) {
        MemorySegment to = driver.memory.at(target, bytes);
        MemorySegment from = driver.memory.at(source, bytes);
        return to == null || from == null ? 700 : copy(to, from);
    }

    private int write(long pointer, long value) {
        MemorySegment word = driver.memory.at(pointer, Long.BYTES);
        if (word == null) {
            return 700;
        }
        VarHandle.fullFence();
        WORD.setVolatile(word, 0L, value);
        return 0;
    }

    /// Polls, as a device does.
    private int await(long pointer, long value, int condition) {
        while (driver.sticky() == 0) {
            MemorySegment word = driver.memory.at(pointer, Long.BYTES);
            if (word == null) {
                return 700;
            }
            long now = (long) WORD.getVolatile(word, 0L);
            boolean holds = switch (condition) {
                case 0 -> now - value >= 0;
                case 1 -> now == value;
                case 2 -> (now & value) != 0;
                default -> ~(now | value) != 0;
            };
            if (holds) {
                return 0;
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return 0;
    }

    private int event(DriverFunction function, long[] w) {
        return switch (function) {
            case EVENT_CREATE -> {
                long handle = handles.getAndIncrement();
                Event made = new Event();
                made.isTimed = w[1] == DriverConstant.CU_EVENT_DEFAULT.value();
                events.put(handle, made);
                yield FakeDriver.setLong(w[0], handle);
            }
            case EVENT_DESTROY -> {
                yield events.remove(w[0]) == null ? 400 : 0;
            }
            case EVENT_RECORD -> {
                Event event = events.get(w[0]);
                event.capture = stream(w[1]).capture;
                if (event.capture != null) {
                    yield 0;
                }
                Stamp record = new Stamp();
                event.latest = record;
                yield stream(w[1]).enqueue(() -> {
                    record.nanos = System.nanoTime();
                    return 0;
                });
            }
            case EVENT_QUERY -> {
                Event event = events.get(w[0]);
                Stamp record = event.latest;
                yield event.capture != null ? 907 : record == null || record.nanos != 0 ? 0 : 600;
            }
            case STREAM_WAIT_EVENT -> {
                FakeCapture capture = events.get(w[1]).capture;
                if (capture != null) {
                    yield join(capture, stream(w[0]));
                }
                Stamp record = events.get(w[1]).latest;
                yield record == null ? 0 : stream(w[0]).enqueue(() -> awaitRecord(record));
            }
            default -> {
                Event start = events.get(w[1]);
                Event end = events.get(w[2]);
                Stamp from = start.latest;
                Stamp to = end.latest;
                if (from == null || to == null || !start.isTimed || !end.isTimed) {
                    yield 400;
                }
                if (from.nanos == 0 || to.nanos == 0) {
                    yield 600;
                }
                FakeMemory.host(w[0], Float.BYTES).set(JAVA_FLOAT, 0, (to.nanos - from.nanos) / 1e6f);
                yield 0;
            }
        };
    }

    private int awaitRecord(Stamp record) {
        while (record.nanos == 0 && driver.sticky() == 0) {
            LockSupport.parkNanos(POLL_NANOS);
        }
        return 0;
    }

    private static int join(FakeCapture capture, FakeStream stream) {
        if (capture.isOver) {
            return 907;
        }
        if (stream.capture == null) {
            capture.join(stream);
        }
        return stream.capture == capture ? 0 : 901;
    }

    private int graph(DriverFunction function, long[] w) {
        return switch (function) {
            case STREAM_IS_CAPTURING -> {
                FakeCapture capture = stream(w[0]).capture;
                yield FakeDriver.set(w[1], capture == null ? 0 : capture.isInvalid ? 2 : 1);
            }
            case STREAM_BEGIN_CAPTURE -> {
                if (stream(w[0]).capture != null) {
                    yield 401;
                }
                stream(w[0]).capture = new FakeCapture(stream(w[0]), w[1]);
                yield 0;
            }
            case STREAM_END_CAPTURE -> {
                FakeCapture capture = stream(w[0]).capture;
                if (capture == null || capture.origin != stream(w[0])) {
                    yield 903;
                }
                boolean isRelaxed = capture.mode == DriverConstant.CU_STREAM_CAPTURE_MODE_RELAXED.value();
                if (!isRelaxed && !capture.owner.equals(Thread.currentThread())) {
                    yield 908;
                }
                capture.end();
                if (capture.isInvalid) {
                    yield 901;
                }
                long handle = handles.getAndIncrement();
                graphs.put(handle, capture.commands);
                yield FakeDriver.setLong(w[1], handle);
            }
            case GRAPH_INSTANTIATE -> {
                long handle = handles.getAndIncrement();
                executables.put(handle, List.copyOf(graphs.get(w[1])));
                yield FakeDriver.setLong(w[0], handle);
            }
            case GRAPH_LAUNCH -> {
                executables.get(w[0]).forEach(stream(w[1])::enqueue);
                yield 0;
            }
            case GRAPH_EXEC_DESTROY -> {
                yield executables.remove(w[0]) == null ? 400 : 0;
            }
            default -> {
                yield graphs.remove(w[0]) == null ? 400 : 0;
            }
        };
    }

    private int module(DriverFunction function, long[] w) {
        return switch (function) {
            case MODULE_LOAD_DATA -> {
                if (FakeMemory.host(w[1], 1).get(JAVA_BYTE, 0) == '!') {
                    if (w[2] > 0) {
                        FakeDriver.text(FakeMemory.host(w[4], Long.BYTES).get(JAVA_LONG, 0), "fake error in line 1");
                    }
                    yield 218;
                }
                long handle = handles.getAndIncrement();
                modules.put(handle, "module");
                yield FakeDriver.setLong(w[0], handle);
            }
            case MODULE_UNLOAD -> {
                yield modules.remove(w[0]) == null ? 400 : 0;
            }
            case MODULE_GET_FUNCTION -> {
                FakeDriver.Kernel kernel =
                        driver.kernels.get(FakeMemory.host(w[2], 256).getString(0));
                if (kernel == null) {
                    yield 500;
                }
                long handle = handles.getAndIncrement();
                functions.put(handle, kernel);
                yield FakeDriver.setLong(w[0], handle);
            }
            case FUNC_GET_ATTRIBUTE -> {
                yield FakeDriver.set(w[0], 1024);
            }
            case FUNC_SET_ATTRIBUTE -> {
                allowedShared.put(w[0], (int) w[2]);
                yield 0;
            }
            case FUNC_GET_PARAM_INFO -> {
                List<Integer> sizes = functions.get(w[0]).parameterBytes();
                yield w[1] >= sizes.size()
                        ? 1
                        : FakeDriver.setLong(w[2], 0) + FakeDriver.setLong(w[3], sizes.get((int) w[1]));
            }
            case OCCUPANCY -> {
                yield FakeDriver.set(w[0], (int) (2048 / w[2]));
            }
            case LAUNCH_KERNEL, LAUNCH_COOPERATIVE_KERNEL -> {
                yield launch(w);
            }
            default -> {
                driver.violation(function + " is not in the fake");
                yield 801;
            }
        };
    }

    private int launch(long[] w) {
        return w[7] > allowedShared.getOrDefault(w[0], 48 << 10)
                ? 1
                : stream(w[8]).enqueue(functions.get(w[0]).result());
    }
}
