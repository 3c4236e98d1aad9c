// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.fake;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.stream.Extent;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// A kernel in Java, which the thread of a stream runs once for a whole grid.
///
/// @param parameterBytes the size of each parameter
/// @param body returns a result of the driver, 0 if it is well
public record FakeKernel(List<Integer> parameterBytes, Body body) {
    /// What a kernel does.
    @FunctionalInterface
    public interface Body {
        /// Runs the grid.
        int run(Launch launch);
    }

    /// One launch.
    ///
    /// @param arguments the bytes of each argument
    public record Launch(FakeDriver driver, Extent grid, Extent block, int sharedBytes, List<MemorySegment> arguments) {
        /// Returns an argument of 8 bytes.
        public long word(int number) {
            return arguments.get(number).get(JAVA_LONG, 0);
        }

        /// Returns memory of the device at the address that an argument has.
        public MemorySegment memory(int number, long bytes) {
            return driver.memory(word(number), bytes);
        }
    }
}
