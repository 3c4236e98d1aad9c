// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/// Memory that one image has allocated by itself, of its own size, and that all images of the program load and
/// store: what an allocatable component of a coarray is in Fortran. Its [#handle] takes the component's place in
/// the coarray.
///
/// ```java
/// IntegerCoarray c = scope.allocateLongs(1);                        // type(t) :: c[*], with x(:)
/// LocalMemory x = scope.allocateLocal(n * Double.BYTES);            // allocate(c%x(n)), n of this image
/// c.set(0, x.handle());
/// team.sync();
/// MemorySegment other = scope.remote(c.get(0, image), image);       // c[image]%x
/// double last = other.getAtIndex(JAVA_DOUBLE, other.byteSize() / Double.BYTES - 1);
/// ```
///
/// Loads and stores of another image's memory are as those of a coarray: visible after the next synchronization of
/// the two. It ends with the scope, or by [#close] before.
///
/// **Threads.** Only the thread that runs the image uses the segments.
/// @counterpart an allocatable component of a coarray, 9.7.1.2; `prif_allocate`, `prif_deallocate`
public final class LocalMemory implements AutoCloseable {
    /// Words before the elements: a mark that says which handle it is, and the number of bytes.
    private static final int HEADER = 64;

    private static final long MARK = 0x1E5C_0A44_9D21_7B00L;

    private final TeamScope scope;
    private final long offset;
    private final MemorySegment header;
    private final MemorySegment elements;
    private boolean isClosed;

    private LocalMemory(TeamScope scope, long offset, MemorySegment all) {
        this.scope = scope;
        this.offset = offset;
        this.header = all.asSlice(0, HEADER);
        this.elements = all.asSlice(HEADER);
        elements.fill((byte) 0);
        header.set(ValueLayout.JAVA_LONG, Long.BYTES, elements.byteSize());
        header.set(ValueLayout.JAVA_LONG, 0, MARK ^ handle());
    }

    /// Allocates memory of an image; null if it has none left.
    static @Nullable LocalMemory allocate(TeamScope scope, long byteSize) {
        ImageRuntime runtime = scope.runtime();
        if (byteSize > Long.MAX_VALUE - HEADER) {
            return null;
        }
        long offset = runtime.support().takeHeap(byteSize + HEADER);
        return offset < 0
                ? null
                : runtime.support()
                        .heapPart(runtime.world().pe(), offset, byteSize + HEADER, scope.arena())
                        .map(all -> new LocalMemory(scope, offset, all))
                        .orElseThrow();
    }

    /// Returns the memory of a handle on an image, or null if the image has none with it.
    static @Nullable MemorySegment of(ImageRuntime runtime, long handle, int pe, Arena arena) {
        long offset = handle - 1;
        MemorySegment header =
                runtime.support().heapPart(pe, offset, HEADER, arena).orElse(null);
        if (header == null || offset % HEADER != 0 || header.get(ValueLayout.JAVA_LONG, 0) != (MARK ^ handle)) {
            return null;
        }
        return runtime.support()
                .heapPart(pe, offset + HEADER, header.get(ValueLayout.JAVA_LONG, Long.BYTES), arena)
                .orElse(null);
    }

    /// Returns the number by which other images find the memory, see [TeamScope#remote]: never 0, which says that
    /// there is none.
    /// @counterpart the address of `prif_allocate`, for the `_indirect` procedures
    public long handle() {
        return offset + 1;
    }

    /// Returns the number of bytes.
    public long byteSize() {
        return elements.byteSize();
    }

    /// Returns the memory, for plain loads and stores.
    /// @throws IllegalStateException if it has ended
    public MemorySegment segment() {
        if (isClosed) {
            throw new IllegalStateException(scope.runtime().prefix("segment") + this + " is freed");
        }
        return elements;
    }

    /// Frees the memory at once, without the other images: no image may use it any more. A second close does
    /// nothing.
    /// @counterpart `deallocate` of a component, `prif_deallocate`
    @Override
    public void close() {
        if (!isClosed && !scope.runtime().hasEnded()) {
            scope.close(this);
        }
    }

    /// Ends the memory here.
    ///
    /// @param isUnused whether no other image uses it; otherwise its place stays in use until the world ends
    void end(boolean isUnused) {
        isClosed = true;
        if (isUnused) {
            header.set(ValueLayout.JAVA_LONG, 0, 0);
            scope.runtime().support().giveHeap(offset, byteSize() + HEADER);
        }
    }

    @Override
    public String toString() {
        return "local memory of " + byteSize() + " bytes of " + scope.runtime().owner();
    }
}
