// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.Context;
import coterie.ElementView;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import coterie.Team;
import java.lang.foreign.MemorySegment;

/// Makes the exceptions for wrong arguments of one-sided operations. The operations only detect that an argument
/// is wrong; this class finds out which one.
final class ArgumentErrors {
    private ArgumentErrors() {}

    /// Returns the exception for an access that failed a view's combined check; repeats the checks one by one.
    static RuntimeException of(String operation, PeElementView view, long index, long count, int pe) {
        PeContext context = view.context;
        if (context.isClosed() || context.isForeign()) {
            return ofContext(operation, context);
        }
        if (view.block.owner == null) {
            return freed(operation, context, view.memory);
        }
        if (pe < 0 || pe >= context.size()) {
            return outside(operation, context, pe);
        }
        long length = view.length();
        String elements = count == 1 ? "element " + index + " is" : count + " elements from index " + index + " are";
        String allowed = count < 0 || count > length
                ? "counts in [0, " + length + "]"
                : "indices in [0, " + (length - count) + "]";
        return new IndexOutOfBoundsException(messagePrefix(operation, context) + elements + " outside the " + length
                + " of type " + view.type() + " in " + view.memory + "; allowed are " + allowed);
    }

    /// Returns the exception for 64-bit words of a block, such as those of a signal or a lock.
    static RuntimeException ofWords(String operation, PeContext context, PeMemory block, long index, long count) {
        if (block.isFreed()) {
            return freed(operation, context, block);
        }
        if (!block.isAliveIn(context.home)) {
            return ofAnotherWorld(operation, context, block);
        }
        long last = block.byteSize / Long.BYTES - count;
        String words =
                count == 1 ? "64-bit word " + index + " is" : count + " 64-bit words from index " + index + " are";
        return new IndexOutOfBoundsException(messagePrefix(operation, context) + words + " outside " + block + "; "
                + (last < 0 ? "the block is too small" : "allowed are indices in [0, " + last + "]"));
    }

    /// Returns the exception for a range of bytes that leaves a block or slice.
    static IndexOutOfBoundsException outsideBlock(
            String operation, PeContext context, PeMemory memory, long byteOffset, long byteSize) {
        return new IndexOutOfBoundsException(messagePrefix(operation, context) + byteSize + " bytes from offset "
                + byteOffset + " are outside " + memory + "; allowed are "
                + (byteSize < 0 || byteSize > memory.byteSize
                        ? "sizes in [0, " + memory.byteSize + "]"
                        : "offsets in [0, " + (memory.byteSize - byteSize) + "]"));
    }

    /// Returns the exception for elements that would begin at an address which is no multiple of their size.
    static IllegalArgumentException misaligned(String operation, PeContext context, PeMemory memory, int bytes) {
        return new IllegalArgumentException(messagePrefix(operation, context) + "the " + memory
                + " does not begin at a multiple of " + bytes + " bytes; slice the block at such an offset");
    }

    /// Returns the exception for an operation that only a whole block has.
    static IllegalStateException slice(String operation, PeContext context, PeMemory memory) {
        return new IllegalStateException(messagePrefix(operation, context) + "the " + memory
                + " has no life of its own; " + operation + " the block that it was cut from");
    }

    static RuntimeException ofContext(String operation, PeContext context) {
        if (context.isClosed()) {
            return new IllegalStateException(messagePrefix(operation, context)
                    + (context.home == context ? "the world was closed" : "its context was closed"));
        }
        return new WrongThreadException(
                messagePrefix(operation, context) + "the context belongs to " + context.confinedTo()
                        + ", not to thread \"" + Thread.currentThread().getName() + "\"");
    }

    static IndexOutOfBoundsException outside(String operation, PeContext context, int pe) {
        return new IndexOutOfBoundsException(messagePrefix(operation, context) + "PE " + pe + " is outside [0, "
                + context.size() + ")" + ofTeam(context));
    }

    static IllegalStateException freed(String operation, PeContext context, SymmetricMemory block) {
        return new IllegalStateException(messagePrefix(operation, context) + block + " was freed");
    }

    static IllegalStateException ofAnotherWorld(String operation, PeContext context, SymmetricMemory block) {
        return new IllegalStateException(messagePrefix(operation, context) + block + " belongs to another world");
    }

    /// @param pe a world number
    static IllegalArgumentException outsider(String operation, PeContext context, PeMemory memory, int pe) {
        return new IllegalArgumentException(messagePrefix(operation, context) + "PE " + pe
                + " of the world is not a member of the team that has " + memory
                + "; use a context of this team, or of members of it");
    }

    static IllegalArgumentException foreignContext(PeContext home, Context context) {
        return new IllegalArgumentException(
                "through on PE " + home.me + ": " + context + " is not a context of this world");
    }

    static IllegalStateException endedTeam(String operation, PeContext context, Team team) {
        return new IllegalStateException(messagePrefix(operation, context) + team + "; it can't be used any more");
    }

    static IllegalArgumentException foreignTeam(String operation, PeContext context, Team team) {
        return new IllegalArgumentException(messagePrefix(operation, context) + team + " is not a team of this world");
    }

    static IndexOutOfBoundsException noMember(String operation, PeContext context, Team team, int member) {
        return new IndexOutOfBoundsException(messagePrefix(operation, context) + "member " + member + " is outside [0, "
                + team.size() + ") of " + team);
    }

    /// Returns the exception for a ticket that the context has not returned.
    static IllegalArgumentException foreignTicket(String operation, PeContext context, long ticket) {
        return new IllegalArgumentException(messagePrefix(operation, context) + "no operation of this context"
                + ofTeam(context) + " has returned ticket " + ticket + "; pass it to the context that the operation's"
                + " view goes through");
    }

    /// Returns the exception for an argument that is null.
    static NullPointerException missing(String operation, PeContext context, String role) {
        return new NullPointerException(messagePrefix(operation, context) + role + " is null");
    }

    /// Returns the exception for a signal that no world made.
    static IllegalArgumentException foreignSignal(String operation, PeContext context, SignalWord signal) {
        return new IllegalArgumentException(messagePrefix(operation, context) + signal
                + " is not a signal word of symmetric memory; use one that SymmetricMemory.signal has returned");
    }

    /// Returns the exception for the local side of a copy between views that is of another world, or has elements
    /// of another type.
    static IllegalArgumentException unlike(String operation, String role, PeElementView view, ElementView other) {
        return new IllegalArgumentException(messagePrefix(operation, view.context) + "the " + role + ", " + other
                + ", is not a view of " + view.type() + " of this world; pass one with the type of the remote side");
    }

    /// Returns the exception for the caller's own side of a copy between views.
    static RuntimeException ofOwn(String operation, String role, PeElementView own, long index, long count) {
        if (own.memory.isFreed()) {
            return new IllegalStateException(
                    messagePrefix(operation, own.context) + "the " + role + ", " + own.memory + ", was freed");
        }
        return new IndexOutOfBoundsException(messagePrefix(operation, own.context) + count + " elements from index "
                + index + " are outside the " + own.length() + " of type " + own.type() + " of the " + role + ", "
                + own.memory);
    }

    static IllegalArgumentException signalInside(
            String operation, PeContext context, PeSignalWord signal, long index, long count) {
        return new IllegalArgumentException(messagePrefix(operation, context) + "the put of " + count
                + " elements from index " + index + " would overwrite its own signal, the 64-bit word at index "
                + signal.index() + " of the block; choose a word outside these elements");
    }

    static IllegalArgumentException strides(
            String operation, PeContext context, long stride, long other, long blockLength) {
        return new IllegalArgumentException(messagePrefix(operation, context)
                + (blockLength < 1
                        ? "block length " + blockLength + "; allowed are 1 and more"
                        : "strides are " + stride + " (symmetric memory) and " + other + " (segment); allowed are "
                                + blockLength + " (the block length) and more"));
    }

    static IllegalArgumentException unsuited(String operation, PeElementView view, Object what) {
        return new IllegalArgumentException(
                messagePrefix(operation, view.context) + what + " is not allowed on elements of type " + view.type());
    }

    /// @param role such as "source segment", "target array"
    static IndexOutOfBoundsException ofSegment(
            String operation, String role, PeElementView view, long byteSize, long index, long count) {
        return new IndexOutOfBoundsException(messagePrefix(operation, view.context) + count + " elements from index "
                + index + " are outside the " + role + " of " + byteSize + " bytes, which has room for "
                + (byteSize >> view.shift) + " of type " + view.type());
    }

    static IllegalArgumentException readOnly(String operation, String role, PeContext context) {
        return new IllegalArgumentException(
                messagePrefix(operation, context) + "the " + role + " segment is read-only; pass a writable segment");
    }

    /// Returns the exception for a segment whose arena was closed, or is confined to another thread.
    static RuntimeException unreachable(String operation, String role, PeContext context, MemorySegment segment) {
        String which = messagePrefix(operation, context) + "the arena of the " + role + " segment ";
        return segment.scope().isAlive()
                ? new WrongThreadException(which + "is confined to another thread than the caller, \""
                        + Thread.currentThread().getName() + "\"")
                : new IllegalStateException(which + "was closed");
    }

    /// Throws if an array is null, or an element of it.
    static void requireAll(String operation, PeContext context, String role, Object[] arguments) {
        if (arguments == null) {
            throw missing(operation, context, role);
        }
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i] == null) {
                throw missing(operation, context, role + "[" + i + "]");
            }
        }
    }

    private static String messagePrefix(String operation, PeContext context) {
        return operation + " on PE " + context.me + ": ";
    }

    private static String ofTeam(PeContext context) {
        return context.home == context ? "" : " of team \"" + context.team().name() + "\"";
    }
}
