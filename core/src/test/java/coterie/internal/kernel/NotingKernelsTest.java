// SPDX-License-Identifier: Apache-2.0
package coterie.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.ElementType;
import coterie.spi.FoldStep;
import coterie.spi.Kernels;
import coterie.spi.ReductionKind;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NotingKernelsTest {
    private static final long MUCH = 256L << 20;

    @TempDir
    private Path folder;

    private long folded;

    /// Kernels that only count, so that this test can give them more than the machine has.
    private final Kernels counting =
            (step, reduction, type, target, to, left, leftFrom, right, rightFrom, length) -> folded += length;

    private void fold(Kernels kernels, long length) {
        MemorySegment none = MemorySegment.NULL;
        kernels.fold(FoldStep.ONLY, ReductionKind.SUM, ElementType.DOUBLE, none, 0, none, 0, none, 0, length);
    }

    @Test
    @DisplayName("the file is there once 256 MiB have been reduced, and every reduction is passed on")
    void notesOnce() throws IOException {
        Path note = folder.resolve("vectors");
        Kernels kernels = new NotingKernels(counting, note);
        fold(kernels, MUCH - 256);
        assertThat(note).doesNotExist();
        fold(kernels, 256);
        assertThat(note).isEmptyFile();
        Files.delete(note);
        fold(kernels, MUCH);
        assertThat(note).doesNotExist();
        assertThat(folded).isEqualTo(2 * MUCH);
    }

    @Test
    @DisplayName("reductions of a few elements do not count: vectors are not for them")
    void fewElements() {
        Path note = folder.resolve("vectors");
        Kernels kernels = new NotingKernels(counting, note);
        fold(kernels, MUCH - 1);
        for (int i = 0; i < 100; i++) {
            fold(kernels, 255);
        }
        assertThat(note).doesNotExist();
    }

    @Test
    @DisplayName("a note that can't be kept, or that another run has made, ends no program")
    void noPlace() throws IOException {
        fold(new NotingKernels(counting, folder.resolve("gone/vectors")), MUCH);
        Path there = Files.writeString(folder.resolve("there"), "of another run");
        fold(new NotingKernels(counting, there), MUCH);
        assertThat(there).hasContent("of another run");
        assertThat(folded).isEqualTo(2 * MUCH);
    }
}
