// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.SymmetricLock;
import coterie.SymmetricMemory;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/// A heap of which a test needs the addresses and nothing else.
record AddressHeap(IntToLongFunction addresses) implements BlockHeap {
    @Override
    public long address(int pe) {
        return addresses.applyAsLong(pe);
    }

    @Override
    public SymmetricMemory reallocate(PeMemory block, long byteSize) {
        throw new AssertionError();
    }

    @Override
    public SymmetricLock lock(PeMemory block, long offset) {
        throw new AssertionError();
    }

    @Override
    public boolean isHeldBy(int pe) {
        return true;
    }

    @Override
    public @Nullable String teamName() {
        return null;
    }

    @Override
    public void close(PeMemory block) {
        throw new AssertionError();
    }

    @Override
    public void free(PeMemory block) {
        throw new AssertionError();
    }

    @Override
    public void freeLiving(PeMemory block) {
        throw new AssertionError();
    }
}
