// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.internal.wait.Awaitable;
import coterie.internal.wait.OperationKind;
import coterie.spi.DescribedWait;
import java.util.BitSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A wait of a face in the waiting room. It can serve another wait after that.
final class FaceWait implements Awaitable {
    private @Nullable DescribedWait described;

    FaceWait begin(DescribedWait wait) {
        described = wait;
        return this;
    }

    void end() {
        described = null;
    }

    private DescribedWait described() {
        return Objects.requireNonNull(described, "wait");
    }

    @Override
    public boolean poll() {
        return described().isOver();
    }

    @Override
    public OperationKind kind() {
        return OperationKind.STATEMENT;
    }

    @Override
    public String text() {
        return described().text();
    }

    @Override
    public String statement() {
        return described().text();
    }

    @Override
    public long awaitedPes() {
        BitSet pes = new BitSet();
        described().addAwaited(pes);
        return pes.length() > Long.SIZE || pes.isEmpty() ? 0 : pes.toLongArray()[0];
    }
}
