// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.ElementType;
import coterie.ElementView;
import coterie.ReductionOperator;
import coterie.collective.CollectiveType;
import coterie.internal.component.CollectiveAlgorithm;
import coterie.internal.rma.PeMemory;
import coterie.internal.score.SelectedAlgorithm;
import coterie.internal.sync.AgreedArguments;
import coterie.internal.sync.ElementSignature;
import coterie.internal.sync.ScalarOperator;
import coterie.internal.sync.SyncRound;
import coterie.internal.wait.OperationKind;
import coterie.spi.ReductionKind;
import org.jspecify.annotations.Nullable;

/// A call of a collective: its checked arguments, what all members must pass alike, and how it goes on. One for each
/// kind of collective of a team, since one is under way at a time; see [CheckedCalls].
///
/// Places are offsets in each PE's heap, counts are in elements.
final class Call {
    /// What a reduction is where there is none.
    static final ReductionKind NONE = ReductionKind.SUM;

    private static final int NOBODY = -2;

    final OperationKind kind;
    final CollectiveType type;

    /// What all members must pass alike.
    final AgreedArguments agreed;

    ReductionKind reduction = NONE;
    ElementType elements = ElementType.BYTE;
    long to;
    long from;
    long count;
    int root;
    long toStride;
    long fromStride;

    /// Elements of a block, where blocks are strides apart.
    long blockLength = 1;

    /// By which the way is chosen that it goes.
    long bytes;

    /// Elements from the begin of the source on that it reads, and of the target that it may write.
    long read;

    long written;

    /// The candidates that serve it, the best first, or null if there is none.
    @Nullable
    SelectedAlgorithm<CollectiveAlgorithm> selected;

    /// The target as it was passed, where only the round tells how much goes there.
    @Nullable
    ElementView target;

    long targetIndex;
    long sourceIndex;

    /// How a number of each member is reduced, or null where the call is for memory.
    @Nullable
    ScalarOperator operator;

    /// The bits of this member's number, and at the end of the result.
    long number;

    /// Null as long as nothing has been asked for.
    private @Nullable PeMemory targetBlock;

    private @Nullable PeMemory sourceBlock;

    /// What the end of the call waits for: the members that use this one's memory, or those of one root, or none.
    private int released = NOBODY;

    Call(OperationKind kind, CollectiveType type) {
        this.kind = kind;
        this.type = type;
        this.agreed = new AgreedArguments(kind);
    }

    /// Whether this is what was asked for the latest time.
    boolean repeats(
            ReductionKind reduction,
            ElementType elements,
            PeMemory targetBlock,
            long targetIndex,
            long toStride,
            PeMemory sourceBlock,
            long sourceIndex,
            long fromStride,
            long blockLength,
            long count) {
        return this.targetBlock == targetBlock
                && this.sourceBlock == sourceBlock
                && this.elements == elements
                && this.count == count
                && this.targetIndex == targetIndex
                && this.sourceIndex == sourceIndex
                && this.reduction == reduction
                && this.toStride == toStride
                && this.fromStride == fromStride
                && this.blockLength == blockLength;
    }

    /// Sets what is asked for, but for its arguments.
    void set(ReductionKind reduction, ElementType elements, long to, long from, long count, long bytes) {
        this.reduction = reduction;
        this.elements = elements;
        this.to = to;
        this.from = from;
        this.count = count;
        this.bytes = bytes;
    }

    /// Takes note of how it was passed, for [#repeats]; there is nothing to repeat until [#keep(PeMemory, PeMemory)].
    void keep(long targetIndex, long toStride, long sourceIndex, long fromStride, long blockLength) {
        keep(null, null);
        this.targetIndex = targetIndex;
        this.toStride = toStride;
        this.sourceIndex = sourceIndex;
        this.fromStride = fromStride;
        this.blockLength = blockLength;
    }

    /// Takes note of where checked arguments lie.
    void keep(@Nullable PeMemory targetBlock, @Nullable PeMemory sourceBlock) {
        this.targetBlock = targetBlock;
        this.sourceBlock = sourceBlock;
    }

    /// Sets what is asked for: a number of each member, which lies nowhere.
    ///
    /// @param bits of this member's number
    /// @param selection the digest of the rules by which the algorithm is chosen, or 0 where none is
    void number(ScalarOperator operator, long bits, long selection) {
        this.operator = operator;
        this.number = bits;
        agreed.ofNumber(ElementSignature.ofScalar(operator.reduction(), operator.type()), selection);
    }

    /// Sets the root, often the only thing that is new.
    void root(int root) {
        this.root = root;
        agreed.root(root);
    }

    /// Notes that members use each other's memory from now on: none goes before all have.
    void awaitsAll() {
        released = SyncRound.EVERYBODY;
    }

    /// Notes that members use the root's memory alone from now on: the root goes when all have.
    void awaitsReaders() {
        released = root;
    }

    /// Begins an algorithm, which may decline.
    void begins() {
        released = NOBODY;
    }

    boolean isAwaited() {
        return released != NOBODY;
    }

    /// Returns which members the end of the call waits for; see [SyncRound#awaitRelease].
    int released() {
        return released;
    }

    int width() {
        return elements.byteSize();
    }

    /// Bytes of `count` elements.
    long length() {
        return count * width();
    }

    /// What is reduced by, or null where nothing is.
    @Nullable
    ReductionOperator<?> reducing() {
        return type.isReduction() ? reduction.operator() : null;
    }

    /// Whether it depends on the grouping of operands what comes out.
    boolean isRounding() {
        return type.isReduction() && CollectiveAlgorithm.isRounding(reduction, elements);
    }

    /// Whether there are buffers, where I have to provide them.
    boolean hasPlace() {
        return from >= 0;
    }

    boolean isInPlace() {
        return to == from;
    }
}
