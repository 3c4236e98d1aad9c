// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.Context;
import coterie.SymmetricMemory;
import java.lang.foreign.MemorySegment;

/// Says what is wrong with the arguments of a one-sided operation: kept away from the paths that never need it.
final class ArgumentErrors {
    private ArgumentErrors() {}

    /// The exception for an access that failed a view's combined check; asks the questions one by one.
    static RuntimeException of(String operation, PeElementView view, long index, long count, int pe) {
        PeContext context = view.context;
        if (context.isClosed() || context.isForeign()) {
            return ofContext(operation, context);
        }
        if (view.memory.owner == null) {
            return freed(operation, context, view.memory);
        }
        if (pe < 0 || pe >= context.size()) {
            return outside(operation, context, pe);
        }
        long length = view.length();
        String elements = count == 1 ? "element " + index : "elements from " + index + ", " + count + " of them,";
        String allowed = count < 0 || count > length
                ? "counts in [0, " + length + "]"
                : "indices in [0, " + (length - count) + "]";
        return new IndexOutOfBoundsException(
                messagePrefix(operation, context) + elements + (count == 1 ? " leaves " : " leave ") + "the " + length
                        + " of " + view.type() + " in " + view.memory + "; allowed are " + allowed);
    }

    /// The exception for 64-bit words of a block.
    static RuntimeException ofWords(String operation, PeContext context, PeMemory block, long index, long count) {
        if (block.owner == null) {
            return freed(operation, context, block);
        }
        if (block.owner != context.home) {
            return ofAnotherWorld(operation, context, block);
        }
        long last = block.byteSize / Long.BYTES - count;
        return new IndexOutOfBoundsException(messagePrefix(operation, context) + "index " + index + " of " + count
                + (count == 1 ? " 64-bit word leaves " : " 64-bit words leaves ") + block + "; "
                + (last < 0 ? "it has no room for them" : "allowed are indices in [0, " + last + "]"));
    }

    static RuntimeException ofContext(String operation, PeContext context) {
        if (context.isClosed()) {
            return new IllegalStateException(messagePrefix(operation, context)
                    + (context.home == context ? "the world was closed" : "its context was closed"));
        }
        return new WrongThreadException(messagePrefix(operation, context) + "the context belongs to "
                + context.confinedTo() + ", not to \"" + Thread.currentThread().getName() + "\"");
    }

    static IndexOutOfBoundsException outside(String operation, PeContext context, int pe) {
        return new IndexOutOfBoundsException(messagePrefix(operation, context) + "PE " + pe + " is outside [0, "
                + context.size() + ")" + ofTeam(context));
    }

    static IllegalStateException freed(String operation, PeContext context, SymmetricMemory block) {
        return new IllegalStateException(messagePrefix(operation, context) + block + " was freed");
    }

    static IllegalStateException ofAnotherWorld(String operation, PeContext context, SymmetricMemory block) {
        return new IllegalStateException(messagePrefix(operation, context) + block + " is of another world");
    }

    static IllegalArgumentException foreignContext(PeContext home, Context context) {
        return new IllegalArgumentException(
                "through on PE " + home.me + ": " + context + " is no context of this world");
    }

    static IllegalArgumentException signalInside(
            String operation, PeContext context, PeSignalWord signal, long index, long count) {
        return new IllegalArgumentException(messagePrefix(operation, context) + "the signal at index " + signal.index()
                + " of its block lies within the " + count + " elements from " + index + " that are put");
    }

    static IllegalArgumentException strides(
            String operation, PeContext context, long stride, long other, long blockLength) {
        return new IllegalArgumentException(messagePrefix(operation, context)
                + (blockLength < 1
                        ? "block length " + blockLength + "; allowed are 1 and more"
                        : "strides " + stride + " (symmetric side) and " + other + "; allowed are " + blockLength
                                + " (the block length) and more"));
    }

    static IllegalArgumentException unsuited(String operation, PeElementView view, Object what) {
        return new IllegalArgumentException(
                messagePrefix(operation, view.context) + what + " is no operation on " + view.type() + " elements");
    }

    static IndexOutOfBoundsException ofSegment(
            String operation, String role, PeElementView view, long byteSize, long index, long count) {
        return new IndexOutOfBoundsException(messagePrefix(operation, view.context) + count + " elements from " + index
                + " leave the " + role + " segment of " + byteSize + " bytes, which are " + (byteSize >> view.shift)
                + " of " + view.type());
    }

    static IllegalArgumentException readOnly(String operation, String role, PeContext context) {
        return new IllegalArgumentException(messagePrefix(operation, context) + "the " + role
                + " segment is read-only; take one that can be written");
    }

    /// The exception for memory whose arena has ended, or lets other threads only come to it.
    static RuntimeException unreachable(String operation, String role, PeContext context, MemorySegment segment) {
        String which = messagePrefix(operation, context) + "the arena of the " + role + " segment ";
        return segment.scope().isAlive()
                ? new WrongThreadException(which + "belongs to another thread than \""
                        + Thread.currentThread().getName() + "\"")
                : new IllegalStateException(which + "was closed");
    }

    private static String messagePrefix(String operation, PeContext context) {
        return operation + " on PE " + context.me + ": ";
    }

    private static String ofTeam(PeContext context) {
        return context.home == context ? "" : " of team \"" + context.team().name() + "\"";
    }
}
