// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.ElementType;
import coterie.Team;
import coterie.cuda.driver.DriverFunction;
import coterie.stream.Extent;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;

/// Collectives by the members' own devices, over memory that all of them reach: kernels reduce, copies of the
/// driver move. The members' streams meet before and after.
///
/// ```
///  sync │ each member reads the parts of the others, and writes its own or all of theirs │ sync
/// ```
///
/// In an allReduce each member reduces a share of the elements, and writes the results to all targets: each
/// element crosses each connection once in each direction, and one thread alone reads and then writes it, so that
/// source and target may be the same. In the others each member reads what it needs.
final class KernelEngine implements CollectiveEngine {
    /// The resource with the kernels.
    static final String SOURCE = "device_collectives.cu";

    /// Members up to which kernels reduce: `COTERIE_PARTS` of the source. The addresses of all parts are
    /// arguments, of which a kernel has 4096 bytes.
    static final int MAX_MEMBERS = 64;

    private static final int BLOCK = 256;

    /// Blocks for each multiprocessor: enough loads under way to fill the connections.
    private static final int BLOCKS_EACH = 8;

    private final DeviceContext context;
    private final Team team;
    private final CudaModule module;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment sources = arena.allocate(JAVA_LONG, MAX_MEMBERS);
    private final MemorySegment targets = arena.allocate(JAVA_LONG, MAX_MEMBERS);

    KernelEngine(DeviceContext context, Team team, CudaModule module) {
        this.context = context;
        this.team = team;
        this.module = module;
    }

    /// Compiles the kernels.
    static CudaModule compile(Cuda cuda) {
        return cuda.compile(SOURCE, source());
    }

    /// Returns the source of the kernels.
    static String source() {
        try (InputStream resource = Objects.requireNonNull(KernelEngine.class.getResourceAsStream(SOURCE), SOURCE)) {
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("can't read " + SOURCE, e);
        }
    }

    @Override
    public String name() {
        return EngineParts.KERNELS;
    }

    @Override
    public boolean serves(DeviceCall call) {
        return call.target().isMappedByAll()
                && call.source().isMappedByAll()
                && (call.reduction() == null || team.size() <= MAX_MEMBERS);
    }

    @Override
    public boolean isCapturable() {
        return false;
    }

    @Override
    public void enqueue(DeviceCall call) {
        call.stream().sync(team);
        switch (call.type()) {
            case ALL_REDUCE -> reduceShare(call);
            case REDUCE -> {
                if (team.member() == call.root()) {
                    reduce(call, 0, call.count());
                }
            }
            case REDUCE_SCATTER -> reduce(call, team.member() * call.bytes(), call.count());
            case BROADCAST -> copy(call, call.to(), call.source(team, call.root()));
            case ALL_GATHER -> gather(call);
            case GATHER -> {
                if (team.member() == call.root()) {
                    gather(call);
                }
            }
            case SCATTER -> copy(call, call.to(), call.source(team, call.root()) + team.member() * call.bytes());
            case ALL_TO_ALL -> exchange(call);
            default -> throw new AssertionError(call);
        }
        call.stream().sync(team);
    }

    private static void copy(DeviceCall call, long to, long from) {
        if (to != from) {
            call.stream().copy(call.operation(), DriverFunction.MEMCPY, to, from, call.bytes());
        }
    }

    /// Copies the source of each member, the next one's first, so that not all members read from one. If this
    /// member's source is in its own block of the target, so are the others': at another offset on each.
    private void gather(DeviceCall call) {
        boolean isInPlace = call.from() == call.to() + team.member() * call.bytes();
        for (int step = 1; step <= team.size(); step++) {
            int member = (team.member() + step) % team.size();
            long block = member * call.bytes();
            copy(call, call.to() + block, isInPlace ? call.target(team, member) + block : call.source(team, member));
        }
    }

    /// Copies this member's block of each member's source.
    private void exchange(DeviceCall call) {
        for (int step = 1; step <= team.size(); step++) {
            int member = (team.member() + step) % team.size();
            long from = call.source(team, member) + team.member() * call.bytes();
            copy(call, call.to() + member * call.bytes(), from);
        }
    }

    /// Reduces this member's share, and writes it to all targets.
    private void reduceShare(DeviceCall call) {
        long each = Math.ceilDiv(call.count(), team.size());
        long first = Math.min(call.count(), team.member() * each);
        long count = Math.min(call.count() - first, each);
        long skipped = first * call.elements().byteSize();
        for (int member = 0; member < team.size(); member++) {
            targets.setAtIndex(JAVA_LONG, member, call.target(team, member) + skipped);
        }
        launch(call, skipped, team.size(), count);
    }

    /// Reduces elements of all sources to this member's target.
    ///
    /// @param offset bytes from the begin of the source
    private void reduce(DeviceCall call, long offset, long count) {
        targets.setAtIndex(JAVA_LONG, 0, call.to());
        launch(call, offset, 1, count);
    }

    private void launch(DeviceCall call, long offset, int written, long count) {
        if (count == 0) {
            return;
        }
        for (int member = 0; member < team.size(); member++) {
            sources.setAtIndex(JAVA_LONG, member, call.source(team, member) + offset);
        }
        long blocks = Math.min(Math.ceilDiv(count, BLOCK), (long) BLOCKS_EACH * context.device.multiprocessors());
        CudaKernel kernel = module.kernel(kernel(Objects.requireNonNull(call.reduction()), call.elements()));
        call.stream()
                .launch(
                        kernel,
                        Extent.of((int) Math.max(1, blocks)),
                        Extent.of(BLOCK),
                        0,
                        sources,
                        targets,
                        team.size(),
                        written,
                        count);
    }

    /// Returns the name of a kernel: sums, products and operations of bits are the same for signed numbers.
    static String kernel(DeviceReduction reduction, ElementType elements) {
        String kind = switch (elements) {
            case FLOAT, DOUBLE, HALF -> "f";
            case BFLOAT16 -> "bf";
            case FLOAT8_E4M3, FLOAT8_E5M2 -> throw new AssertionError(elements); // moved alone
            case BYTE, SHORT, INT, LONG -> reduction.isOrdered() ? "s" : "u";
            case UNSIGNED_BYTE, UNSIGNED_SHORT, UNSIGNED_INT, UNSIGNED_LONG -> "u";
        };
        return "coterie_reduce_" + reduction.name().toLowerCase(Locale.ROOT) + "_" + kind
                + Byte.SIZE * elements.byteSize();
    }

    @Override
    public void close() {
        module.close();
        arena.close();
    }
}
