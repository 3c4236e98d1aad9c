// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.fake;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/// A capture, from its begin to the last event that has a record in it.
final class FakeCapture {
    final FakeStream origin;
    final long mode;
    final Thread owner = Thread.currentThread();
    final List<IntSupplier> commands = new ArrayList<>();

    /// The streams of the capture.
    final List<FakeStream> streams = new ArrayList<>();

    /// Whether a call that no capture allows has spoilt it.
    boolean isInvalid;

    boolean isOver;

    FakeCapture(FakeStream origin, long mode) {
        this.origin = origin;
        this.mode = mode;
        join(origin);
    }

    void join(FakeStream stream) {
        streams.add(stream);
        stream.capture = this;
    }

    void end() {
        isOver = true;
        streams.forEach(each -> each.capture = null);
    }
}
