// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import coterie.ElementType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.constant.ConstantDescs;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The loops of all steps, reductions and element types, each made when it is first needed.
///
/// All loops of a kind have one source, a *template* class that reads what it does from a constant. [#define]
/// defines the class anew for each [Key], as a hidden class with the key as its class data: the compiler then sees
/// a constant, and each key has a profile of its own.
///
/// Threads: any. Two threads that need a loop at the same time may both make it; either serves.
public final class ReductionLoops {
    private static final int TYPES = ElementType.values().length;
    private static final int KINDS = ReductionKind.values().length;

    /// Bytes that a loop reduces in one call, a multiple of every step: a garbage collection waits for the call.
    private static final int PIECE = 1 << 20;

    private final Function<Key, ReductionLoop> factory;
    private final AtomicReferenceArray<@Nullable ReductionLoop> loops =
            new AtomicReferenceArray<>(FoldStep.values().length * KINDS * TYPES);

    /// What a loop does.
    ///
    /// @param step ONLY where accumulators are elements
    public record Key(FoldStep step, ReductionKind reduction, ElementType type) {
        public Key {
            Objects.requireNonNull(step, "Key: step is null");
            Objects.requireNonNull(reduction, "Key: reduction is null");
            Objects.requireNonNull(type, "Key: type is null");
        }
    }

    /// @param factory makes the loop of a key
    public ReductionLoops(Function<Key, ReductionLoop> factory) {
        this.factory = Objects.requireNonNull(factory, "ReductionLoops: factory is null");
    }

    /// Reduces as [Kernels#fold], as many whole steps of the loop as fit, and returns how many bytes on the right
    /// these are.
    public long fold(
            FoldStep step,
            ReductionKind reduction,
            ElementType type,
            MemorySegment target,
            long to,
            MemorySegment left,
            long leftFrom,
            MemorySegment right,
            long rightFrom,
            long length) {
        int width = type.byteSize();
        ReductionLoop loop = loop(reduction.widens(type) ? step : FoldStep.ONLY, reduction, type);
        int leftScale = step.leftSize(reduction, type) / width;
        int targetScale = step.targetSize(reduction, type) / width;
        long done = 0;
        while (true) {
            int piece = (int) Math.min(PIECE, length - done);
            int did = loop.fold(
                    target, to + done * targetScale, left, leftFrom + done * leftScale, right, rightFrom + done, piece);
            done += did;
            if (did < PIECE) {
                return done;
            }
        }
    }

    private ReductionLoop loop(FoldStep step, ReductionKind reduction, ElementType type) {
        int index = (step.ordinal() * KINDS + reduction.ordinal()) * TYPES + type.ordinal();
        ReductionLoop found = loops.getAcquire(index);
        return found != null ? found : made(new Key(step, reduction, type), index);
    }

    private ReductionLoop made(Key key, int index) {
        ReductionLoop loop = factory.apply(key);
        loops.setRelease(index, loop);
        return loop;
    }

    /// Defines a template anew, and makes an instance of the class.
    ///
    /// @param lookup of a class in the template's package
    /// @param template a loop that has a constructor without parameters
    /// @param data what [#data] returns in it
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

    /// Returns the data with which a class was defined by [#define], for a constant of its template.
    ///
    /// @param lookup of the class itself
    /// @param type of the data
    public static <T> T data(MethodHandles.Lookup lookup, Class<T> type) {
        Objects.requireNonNull(lookup, "ReductionLoops.data: lookup is null");
        Objects.requireNonNull(type, "ReductionLoops.data: type is null");
        try {
            return MethodHandles.classData(lookup, ConstantDescs.DEFAULT_NAME, type);
        } catch (IllegalAccessException e) {
            throw new AssertionError("a class may read its own data", e);
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
