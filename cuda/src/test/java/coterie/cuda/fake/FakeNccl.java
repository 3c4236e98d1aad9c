// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.fake;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.cuda.nccl.LibNccl;
import coterie.cuda.nccl.NcclFunction;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/// NCCL's functions in Java, which note their calls and move nothing.
@SuppressWarnings("restricted")
public final class FakeNccl implements SymbolLookup {
    /// The communicator that it makes.
    public static final long COMMUNICATOR = 0xc0ffeeL;

    private static final int SUCCESS = 0;
    private static final int IN_PROGRESS = 7;
    private static final MemoryLayout ID =
            MemoryLayout.structLayout(MemoryLayout.sequenceLayout(LibNccl.ID_BYTES, JAVA_BYTE));

    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final Map<NcclFunction, Integer> results = new EnumMap<>(NcclFunction.class);
    private final Map<NcclFunction, MemorySegment> stubs = new EnumMap<>(NcclFunction.class);
    private final AtomicInteger busy = new AtomicInteger();
    private final AtomicInteger asyncResult = new AtomicInteger();
    private volatile int version = 23_007;
    private volatile int polls = 2;

    /// Makes a library; its calls go on for two polls.
    public FakeNccl() {
        for (NcclFunction each : NcclFunction.values()) {
            stubs.put(each, made(each));
        }
    }

    /// Sets the version.
    public FakeNccl version(int number) {
        version = number;
        return this;
    }

    /// Sets for how many polls a call goes on.
    public FakeNccl polls(int number) {
        polls = number;
        return this;
    }

    /// Lets each call of a function return a result.
    public FakeNccl fail(NcclFunction function, int result) {
        results.put(function, result);
        return this;
    }

    /// Lets calls that go on end with a result.
    public FakeNccl failAsync(int result) {
        asyncResult.set(result);
        return this;
    }

    /// Returns the calls so far, such as "ncclGroupStart()", and forgets them.
    public List<String> take() {
        List<String> taken = List.copyOf(calls);
        calls.clear();
        return taken;
    }

    @Override
    public Optional<MemorySegment> find(String symbol) {
        return Arrays.stream(NcclFunction.values())
                .filter(each -> each.symbol().equals(symbol))
                .findFirst()
                .map(stubs::get);
    }

    private MemorySegment made(NcclFunction function) {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            Linker linker = Linker.nativeLinker();
            return switch (function) {
                case COMM_INIT_RANK_CONFIG -> {
                    MethodType type = MethodType.methodType(
                            int.class, long.class, int.class, MemorySegment.class, int.class, long.class);
                    yield linker.upcallStub(
                            lookup.bind(this, "connect", type),
                            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, ID, JAVA_INT, JAVA_LONG),
                            Arena.global());
                }
                case GET_ERROR_STRING, GET_LAST_ERROR -> {
                    MethodHandle text = lookup.bind(
                            this, "text", MethodType.methodType(long.class, NcclFunction.class, long.class));
                    yield linker.upcallStub(
                            text.bindTo(function), FunctionDescriptor.of(JAVA_LONG, JAVA_LONG), Arena.global());
                }
                default -> {
                    MemoryLayout[] words = new MemoryLayout[8];
                    Arrays.fill(words, JAVA_LONG);
                    MethodHandle call = lookup.bind(
                                    this, "call", MethodType.methodType(int.class, NcclFunction.class, long[].class))
                            .bindTo(function)
                            .asCollector(long[].class, words.length);
                    yield linker.upcallStub(call, FunctionDescriptor.of(JAVA_INT, words), Arena.global());
                }
            };
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(function + " has no stub", e);
        }
    }

    @SuppressWarnings("unused") // a stub calls it
    private long text(NcclFunction function, long argument) {
        String text = function == NcclFunction.GET_LAST_ERROR ? "" : "fake text of " + argument;
        return Arena.global().allocateFrom(text).address();
    }

    @SuppressWarnings("unused") // a stub calls it
    private int connect(long result, int size, MemorySegment id, int member, long config) {
        MemorySegment words = FakeMemory.host(config, 24);
        calls.add("ncclCommInitRankConfig(" + size + ", id " + Arrays.hashCode(id.toArray(JAVA_BYTE)) + ", " + member
                + ", {" + words.get(JAVA_LONG, 0) + ", " + Integer.toHexString(words.get(JAVA_INT, 8)) + ", "
                + words.get(JAVA_INT, 12) + ", " + words.get(JAVA_INT, 16) + "})");
        FakeMemory.host(result, Long.BYTES).set(JAVA_LONG, 0, COMMUNICATOR);
        busy.set(polls);
        return results.getOrDefault(NcclFunction.COMM_INIT_RANK_CONFIG, IN_PROGRESS);
    }

    @SuppressWarnings("unused") // a stub calls it
    private int call(NcclFunction function, long[] words) {
        int wanted = results.getOrDefault(function, SUCCESS);
        switch (function) {
            case GET_VERSION -> FakeMemory.host(words[0], 4).set(JAVA_INT, 0, version);
            case GET_UNIQUE_ID -> FakeMemory.host(words[0], LibNccl.ID_BYTES).fill((byte) 42);
            case COMM_GET_ASYNC_ERROR -> {
                int left = busy.get();
                busy.set(Math.max(0, left - 1));
                FakeMemory.host(words[1], 4).set(JAVA_INT, 0, left > 0 ? IN_PROGRESS : asyncResult.get());
            }
            default -> {
                int used = function.parameterCount();
                calls.add(function.symbol()
                        + LongStream.of(words)
                                .limit(used)
                                .mapToObj(Long::toString)
                                .collect(Collectors.joining(", ", "(", ")")));
                boolean goesOn = function == NcclFunction.ALL_REDUCE
                        || function == NcclFunction.GROUP_END
                        || function == NcclFunction.COMM_FINALIZE;
                if (wanted == SUCCESS && goesOn) {
                    busy.set(polls);
                    return IN_PROGRESS;
                }
            }
        }
        return wanted;
    }
}
