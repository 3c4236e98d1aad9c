// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import java.util.ArrayList;
import java.util.List;

/// The streams of a Cuda that are open, and those that the program has closed while they had work.
final class StreamTable {
    // The monitor guards these.
    private final List<CudaStream> open = new ArrayList<>();
    private final List<CudaStream> closing = new ArrayList<>();

    synchronized void add(CudaStream stream) {
        open.add(stream);
    }

    /// The program has closed a stream.
    synchronized void closed(CudaStream stream) {
        if (open.remove(stream)) {
            closing.add(stream);
        }
    }

    /// Releases the closed streams whose work is over.
    void sweep(Cuda cuda) {
        for (CudaStream stream : snapshot(closing)) {
            if (stream.isOver()) {
                remove(stream);
                stream.release(cuda);
            }
        }
    }

    /// Closes all streams.
    void closeAll() {
        for (CudaStream stream : snapshot(open)) {
            stream.close();
        }
    }

    /// Returns whether no stream has work.
    synchronized boolean areOver() { // no other thread may release a stream meanwhile
        return open.stream().allMatch(CudaStream::isOver) && closing.stream().allMatch(CudaStream::isOver);
    }

    /// Waits for the work of all streams.
    void awaitAll() {
        snapshot(closing).forEach(CudaStream::awaitOver);
    }

    private synchronized List<CudaStream> snapshot(List<CudaStream> streams) {
        return List.copyOf(streams);
    }

    private synchronized void remove(CudaStream stream) {
        closing.remove(stream);
    }
}
