// SPDX-License-Identifier: Apache-2.0
package coterie.internal.heap;

/// For what a PE still needs a block that is to be freed, in one word that travels.
///
/// @param word 0 for nothing, 1 for a request, 2 for an unknown reason, 3 + the lock's index for a lock
record BlockUse(long word) {
    static final BlockUse NONE = new BlockUse(0);

    /// Of a member from which nothing has been heard but that it refuses.
    static final BlockUse UNKNOWN = new BlockUse(2);

    private static final BlockUse REQUEST = new BlockUse(1);
    private static final long FIRST_LOCK = 3;

    /// @param hasRequest whether a request under way uses the block
    /// @param lockOffset of a lock in the block that the PE holds or waits for, in bytes; -1 for none
    static BlockUse of(boolean hasRequest, long lockOffset) {
        if (hasRequest) {
            return REQUEST;
        }
        return lockOffset < 0 ? NONE : new BlockUse(FIRST_LOCK + lockOffset / Long.BYTES);
    }

    boolean isAny() {
        return word != NONE.word;
    }

    /// Returns what the PE has, to follow its name, and how that ends.
    String description() {
        if (word == REQUEST.word) {
            return "has a request in progress on it, which must complete first";
        }
        if (word == UNKNOWN.word) {
            return "has a request in progress on it, or holds a lock in it, or waits for one";
        }
        long index = word - FIRST_LOCK;
        return "holds the lock at index " + index + " of it, the word at byte " + index * Long.BYTES
                + ", or waits for it, and must unlock it first";
    }
}
