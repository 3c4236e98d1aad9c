// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import coterie.internal.memory.StatusField;
import coterie.internal.memory.StatusPage;
import coterie.internal.trace.PeTracer;

/// What a PE has done since it joined. They reach the status page when it waits for long, and when it closes its
/// world.
///
/// Plain fields, since an operation takes less time than an atomic counter would: where threads share a PE, some
/// of what they do at once may go uncounted.
public final class Counters {
    /// Where a traced job has each operation, beside the counts.
    public final PeTracer tracer;

    public long puts;
    public long putBytes;
    public long gets;
    public long getBytes;
    public long atomics;
    public long collectives;
    public long messages;
    public long waits;
    public long heapUsed;

    /// Counts what no trace has.
    public Counters() {
        this(PeTracer.off());
    }

    public Counters(PeTracer tracer) {
        this.tracer = tracer;
    }

    void publish(StatusPage page) {
        page.set(StatusField.PUTS, puts);
        page.set(StatusField.PUT_BYTES, putBytes);
        page.set(StatusField.GETS, gets);
        page.set(StatusField.GET_BYTES, getBytes);
        page.set(StatusField.ATOMICS, atomics);
        page.set(StatusField.COLLECTIVES, collectives);
        page.set(StatusField.MESSAGES, messages);
        page.set(StatusField.WAITS, waits);
        page.set(StatusField.HEAP_USED, heapUsed);
    }
}
