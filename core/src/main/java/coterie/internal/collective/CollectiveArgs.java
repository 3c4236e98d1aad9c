// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.ElementType;
import coterie.ElementView;
import coterie.Reduction;
import coterie.collective.CollectiveType;
import coterie.internal.component.CollectiveAlgorithm;
import coterie.internal.rma.PeMemory;
import coterie.internal.score.SelectedAlgorithm;
import coterie.internal.sync.ArgumentRecord;
import coterie.internal.wait.OperationKind;
import org.jspecify.annotations.Nullable;

/// What a member has asked for, checked, and what all members must mean alike by it. One for each kind of
/// collective of a team, since one is under way at a time; see [ArgsCache].
///
/// Places are offsets in each PE's heap, counts are in elements.
final class CollectiveArgs {
    /// What a reduction is where there is none.
    static final Reduction NONE = Reduction.SUM;

    /// Which argument is a broadcast's root, the last of them.
    static final int ROOT = ArgumentRecord.ARGUMENTS - 1;

    final OperationKind kind;
    final CollectiveType type;
    Reduction reduction = NONE;
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

    /// Null as long as nothing has been asked for.
    private @Nullable PeMemory targetBlock;

    private @Nullable PeMemory sourceBlock;

    /// What all members must mean alike; those that a kind does not have are 0.
    private final long[] agreed = new long[ArgumentRecord.ARGUMENTS];

    /// How many there are.
    private int given;

    /// Of the selection.
    private long digest;

    /// The checksum without the root.
    private long recorded;

    private long checksum;

    CollectiveArgs(OperationKind kind, CollectiveType type) {
        this.kind = kind;
        this.type = type;
    }

    /// Whether this is what was asked for the latest time.
    boolean repeats(
            Reduction reduction,
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
    void set(Reduction reduction, ElementType elements, long to, long from, long count, long bytes) {
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

    /// Sets what all members must pass alike.
    ///
    /// @param signature see [coterie.internal.sync.ElementSignature]
    /// @param digest of the selection by which its way is chosen: members that choose by other rules have no
    ///     collective in common
    void setAgreed(long signature, long digest) {
        setAgreed(signature, to, from, digest);
    }

    private void setAgreed(long signature, long target, long source, long selection) {
        given = 0;
        digest = selection;
        recorded = ArgumentRecord.checksum(0, selection);
        addAgreed(signature);
        addAgreed(target);
        addAgreed(source);
    }

    /// As [#setAgreed], for a number of each member, which lies nowhere. Members may have called for a vector.
    ///
    /// @param otherDigest 0 where no selection is needed
    void number(long signature, long otherDigest) {
        if (given == 0 || agreed[0] != signature || digest != otherDigest) {
            setAgreed(signature, 0, 0, otherDigest);
            addAgreed(1);
        }
    }

    /// Adds an argument that members must pass alike.
    void addAgreed(long argument) {
        agreed[given++] = argument;
        recorded = ArgumentRecord.checksum(recorded, argument);
        checksum = recorded;
    }

    /// Sets the root, often the only thing that is new.
    void root(int root) {
        this.root = root;
        agreed[ROOT] = root;
        checksum = ArgumentRecord.checksum(recorded, root);
    }

    /// The checksum of what all members must mean alike; see [ArgumentRecord#checksum].
    long checksum() {
        return checksum;
    }

    /// The checksum without the root, if there is one.
    long recorded() {
        return recorded;
    }

    /// What all members must mean alike; not to be changed.
    long[] agreed() {
        return agreed;
    }

    int width() {
        return elements.byteSize();
    }

    /// Bytes of `count` elements.
    long length() {
        return count * width();
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
