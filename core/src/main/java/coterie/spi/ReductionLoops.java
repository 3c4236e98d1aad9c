// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import coterie.ElementType;
import coterie.Reduction;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// The loops of all pairs of reduction and element type, each made when it is first needed.
///
/// All loops of a kind have one source, a *template* class that reads what it does from a constant. [#define]
/// defines the class anew for each pair, as a hidden class with the pair as its class data: the compiler then sees
/// a constant, and each pair has a profile of its own.
///
/// Threads: any. Two threads that need a pair at the same time may both make its loop; either serves.
public final class ReductionLoops {
    private static final int TYPES = ElementType.values().length;

    /// Bytes that a loop reduces in one call, a multiple of every step: a garbage collection waits for the call.
    private static final int PIECE = 1 << 20;

    private final BiFunction<Reduction, ElementType, ReductionLoop> factory;
    private final AtomicReferenceArray<@Nullable ReductionLoop> loops =
            new AtomicReferenceArray<>(Reduction.values().length * TYPES);

    /// @param factory makes the loop of a pair
    public ReductionLoops(BiFunction<Reduction, ElementType, ReductionLoop> factory) {
        this.factory = Objects.requireNonNull(factory, "ReductionLoops: factory is null");
    }

    /// Reduces as [Kernels#fold], as many whole steps of the pair's loop as fit, and returns how many bytes these
    /// are.
    public long fold(
            Reduction reduction,
            ElementType type,
            MemorySegment target,
            long to,
            MemorySegment left,
            long leftFrom,
            MemorySegment right,
            long rightFrom,
            long length) {
        ReductionLoop loop = loop(reduction, type);
        long done = 0;
        while (length - done > PIECE) {
            done += loop.fold(target, to + done, left, leftFrom + done, right, rightFrom + done, PIECE);
        }
        return done
                + loop.fold(target, to + done, left, leftFrom + done, right, rightFrom + done, (int) (length - done));
    }

    private ReductionLoop loop(Reduction reduction, ElementType type) {
        int index = reduction.ordinal() * TYPES + type.ordinal();
        ReductionLoop found = loops.getAcquire(index);
        return found != null ? found : made(reduction, type, index);
    }

    private ReductionLoop made(Reduction reduction, ElementType type, int index) {
        ReductionLoop loop = factory.apply(reduction, type);
        loops.setRelease(index, loop);
        return loop;
    }

    /// Defines a template anew, and makes an instance of the class.
    ///
    /// @param lookup of a class in the template's package
    /// @param template a loop that has a constructor without parameters
    /// @param data what [MethodHandles#classData] returns in it
    public static ReductionLoop define(MethodHandles.Lookup lookup, Class<?> template, Object data) {
        Objects.requireNonNull(lookup, "ReductionLoops.define: lookup is null");
        Objects.requireNonNull(template, "ReductionLoops.define: template is null");
        Objects.requireNonNull(data, "ReductionLoops.define: data is null");
        try {
            MethodHandles.Lookup defined = lookup.defineHiddenClassWithClassData(bytes(template), data, true);
            return (ReductionLoop) defined.findConstructor(defined.lookupClass(), MethodType.methodType(void.class))
                    .asType(MethodType.methodType(ReductionLoop.class))
                    .invokeExact();
        } catch (Throwable e) {
            throw new AssertionError("can't define the reduction loop of " + data, e);
        }
    }

    private static byte[] bytes(Class<?> template) {
        String name = template.getSimpleName() + ".class";
        try (InputStream file = Objects.requireNonNull(template.getResourceAsStream(name), name)) {
            return file.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + name, e);
        }
    }
}
