// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import coterie.cuda.driver.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// Lines of host memory that streams of the device write and wait for: pages that are registered with the driver,
/// divided into lines of 128 bytes.
final class WordPool {
    static final long LINE_BYTES = 128;

    private final DeviceContext context;
    private final Arena arena = Arena.ofShared();

    // The monitor guards these.
    private final List<MemorySegment> pages = new ArrayList<>();
    private final Deque<Line> free = new ArrayDeque<>();

    WordPool(DeviceContext context) {
        this.context = context;
    }

    /// A line that is zero when it is handed out.
    ///
    /// @param host for the processor
    /// @param device the same line for streams
    record Line(MemorySegment host, long device) {}

    /// Hands out a line, which costs a registration of a page if none is free.
    synchronized Line acquire(String operation) {
        if (free.isEmpty()) {
            grow(operation);
        }
        Line line = free.pop();
        line.host.fill((byte) 0);
        return line;
    }

    /// Takes back a line that no stream uses any more.
    synchronized void release(Line line) {
        free.push(line);
    }

    private void grow(String operation) {
        int bytes = Words.pageBytes();
        MemorySegment page = arena.allocate(bytes, bytes);
        var registrations = context.driver.registrations();
        context.check(operation, registrations.register(page.address(), page.address() + bytes));
        pages.add(page);
        long pointer = registrations.devicePointer(page.address());
        if (pointer < 0) {
            throw context.failure(operation, (int) -pointer, "");
        }
        for (long at = 0; at < bytes; at += LINE_BYTES) {
            free.push(new Line(page.asSlice(at, LINE_BYTES), pointer + at));
        }
    }

    /// Ends the pool; no stream uses a line any more, or the device is lost.
    synchronized void close() {
        boolean isReleased = true;
        for (MemorySegment page : pages) {
            isReleased &= context.canRelease()
                    && context.driver.registrations().unregister(page.address()) == DeviceContext.SUCCESS;
        }
        pages.clear();
        free.clear();
        if (isReleased) {
            arena.close();
        } // else the driver may still have the pages, which then live as long as the process
    }
}
