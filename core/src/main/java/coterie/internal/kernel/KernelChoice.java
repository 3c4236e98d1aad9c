// SPDX-License-Identifier: Apache-2.0
package coterie.internal.kernel;

import coterie.spi.KernelProvider;
import coterie.spi.Kernels;
import java.nio.file.Path;
import java.util.ServiceLoader;

/// The kernels that this JVM uses: those of the first provider that lacks nothing, or the runtime's own. Chosen
/// once, when the first reduction needs some.
///
/// @param because which they are, and why no others, for people
public record KernelChoice(Kernels kernels, boolean isProvided, String because) {
    /// The system property with a file that this JVM makes once it has reduced so much that vector instructions pay.
    public static final String NOTE = "coterie.reductions.note";

    /// The choice of this JVM.
    public static KernelChoice made() {
        return Made.CHOICE;
    }

    private static final class Made {
        static final KernelChoice CHOICE = noting(
                System.getProperty(NOTE, ""),
                among(ServiceLoader.load(KernelProvider.class, KernelChoice.class.getClassLoader())));
    }

    private static KernelChoice noting(String file, KernelChoice choice) {
        return file.isEmpty()
                ? choice
                : new KernelChoice(new NotingKernels(choice.kernels, Path.of(file)), choice.isProvided, choice.because);
    }

    static KernelChoice among(Iterable<KernelProvider> providers) {
        Kernels twin = ScalarKernels.INSTANCE;
        StringBuilder missing = new StringBuilder();
        for (KernelProvider provider : providers) {
            String lack = provider.missing();
            if (lack.isEmpty()) {
                return new KernelChoice(provider.kernels(twin), true, provider.name());
            }
            missing.append(missing.isEmpty() ? "" : "; ")
                    .append(provider.name())
                    .append(": ")
                    .append(lack);
        }
        return new KernelChoice(
                twin,
                false,
                "plain loops, since "
                        + (missing.isEmpty()
                                ? "there is no other provider; add coterie-vector to the class path or the module path"
                                : missing));
    }
}
