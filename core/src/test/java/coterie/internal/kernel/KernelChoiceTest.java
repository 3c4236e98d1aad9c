// SPDX-License-Identifier: Apache-2.0

package coterie.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.spi.KernelProvider;
import coterie.spi.Kernels;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class KernelChoiceTest {
    private static final Kernels PROVIDED =
            (step, reduction, type, target, to, left, leftFrom, right, rightFrom, length) -> {};

    private record Offer(String name, String missing) implements KernelProvider {
        @Override
        public Kernels kernels(Kernels twin) {
            assertThat(missing).isEmpty();
            assertThat(twin).isInstanceOf(ScalarKernels.class);
            return PROVIDED;
        }
    }

    @Test
    @DisplayName("without a provider the plain loops are chosen, and the report says what would select another")
    void choosesPlainLoops() {
        KernelChoice choice = KernelChoice.among(List.of());
        assertThat(choice.kernels()).isInstanceOf(ScalarKernels.class);
        assertThat(choice.isProvided()).isFalse();
        assertThat(choice.because()).startsWith("plain loops").contains("coterie-vector");
    }

    @Test
    @DisplayName("the choice skips a provider that lacks something, and reports the lack if there is no other provider")
    void saysWhatIsMissing() {
        Offer poor = new Offer("quick", "give java --quick");
        KernelChoice choice = KernelChoice.among(List.of(poor));
        assertThat(choice.kernels()).isInstanceOf(ScalarKernels.class);
        assertThat(choice.because()).isEqualTo("plain loops, since quick: give java --quick");

        KernelChoice better = KernelChoice.among(List.of(poor, new Offer("good", "")));
        assertThat(better).isEqualTo(new KernelChoice(PROVIDED, true, "good"));
    }
}
