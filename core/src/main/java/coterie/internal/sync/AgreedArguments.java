// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import coterie.internal.wait.OperationKind;

/// What all members of a team must pass alike to a call of a collective. In its round travels the checksum; the
/// arguments are in an [ArgumentRecord], for members that find that they differ.
///
/// ```
///  of(signature, target, source, selection)    add(…)    root(…)
/// ```
public final class AgreedArguments {
    /// Which argument is the root, the last of them.
    public static final int ROOT = ArgumentRecord.ARGUMENTS - 1;

    private final OperationKind kind;
    private final long[] values = new long[ArgumentRecord.ARGUMENTS];

    /// How many there are.
    private int given;

    private long selection;
    private long checksumWithoutRoot;
    private long checksum;

    /// @param kind of the call
    public AgreedArguments(OperationKind kind) {
        this.kind = kind;
    }

    /// Begins anew.
    ///
    /// @param signature see [ElementSignature]
    /// @param target offset of the target, or 0
    /// @param source offset of the source, or 0
    /// @param selection the digest of the rules by which the algorithm is chosen, since members with other rules
    ///     have no collective in common; 0 where none is chosen
    public void of(long signature, long target, long source, long selection) {
        given = 0;
        this.selection = selection;
        checksumWithoutRoot = ArgumentRecord.checksum(0, selection);
        add(signature);
        add(target);
        add(source);
    }

    /// Begins anew for a number of each member, which lies nowhere. Members may have called for a vector.
    public void ofNumber(long signature, long selection) {
        if (given == 0 || values[0] != signature || this.selection != selection) {
            of(signature, 0, 0, selection);
            add(1);
        }
    }

    /// Adds an argument.
    public void add(long argument) {
        values[given++] = argument;
        checksumWithoutRoot = ArgumentRecord.checksum(checksumWithoutRoot, argument);
        checksum = checksumWithoutRoot;
    }

    /// Sets the root, often the only argument that is new.
    public void root(int root) {
        values[ROOT] = root;
        checksum = ArgumentRecord.checksum(checksumWithoutRoot, root);
    }

    OperationKind kind() {
        return kind;
    }

    /// Returns the checksum of all arguments; see [ArgumentRecord#checksum].
    public long checksum() {
        return checksum;
    }

    /// Returns the checksum without the root, if there is one.
    public long checksumWithoutRoot() {
        return checksumWithoutRoot;
    }

    /// Returns the arguments, not to be changed; those that a kind does not have are 0.
    public long[] values() {
        return values;
    }
}
