// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.spi.SettingsProvider;
import coterie.testing.Patience;
import java.io.File;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// PEs whose classes come from other loaders than the application's: see [GuestProgram].
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class HostLoadersTest extends HostedCase {
    private static final String FOUND = "Extent[least=9, most=0.5] 6 blue";

    @TempDir
    private Path folder;

    @BeforeEach
    void declare() throws Exception {
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.writeString(services.resolve(SettingsProvider.class.getName()), GuestProgram.Settings.class.getName());
    }

    /// Has all classes but the guest's.
    private static final class WithoutGuest extends ClassLoader {
        WithoutGuest() {
            super(HostLoadersTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean isResolved) throws ClassNotFoundException {
            if (name.startsWith(GuestProgram.class.getName())) {
                throw new ClassNotFoundException(name);
            }
            return super.loadClass(name, isResolved);
        }
    }

    /// Returns a loader of the guest alone, or of Coterie, too.
    private URLClassLoader loader(boolean hasCoterie) throws Exception {
        List<URL> urls = new ArrayList<>(List.of(folder.toUri().toURL()));
        if (!hasCoterie) {
            urls.add(GuestProgram.class.getProtectionDomain().getCodeSource().getLocation());
            return new URLClassLoader(urls.toArray(new URL[0]), new WithoutGuest());
        }
        for (String each : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (!each.isEmpty()) {
                urls.add(Path.of(each).toUri().toURL());
            }
        }
        return new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
    }

    /// Runs a PE in a thread whose context loader has the guest.
    @SuppressWarnings("unchecked")
    private static Future<String> guest(ExecutorService threads, ClassLoader loader, String key, int pe) {
        return threads.submit(() -> {
            Thread.currentThread().setContextClassLoader(loader);
            Class<?> program = loader.loadClass(GuestProgram.class.getName());
            assertThat(program).isNotEqualTo(GuestProgram.class);
            return ((BiFunction<String, Integer, String>)
                            program.getConstructor().newInstance())
                    .apply(key, pe);
        });
    }

    /// Runs a job of two PEs in loaders, and returns references to these.
    private List<WeakReference<ClassLoader>> run(List<URLClassLoader> loaders) throws Exception {
        List<Future<String>> pes = new ArrayList<>();
        try (JobCoordinator coordinator = open(2);
                ExecutorService guests = Executors.newCachedThreadPool()) {
            for (int pe = 0; pe < 2; pe++) {
                ClassLoader loader = loaders.get(pe % loaders.size());
                pes.add(guest(guests, loader, coordinator.key().text(), pe));
            }
            assertThat(results(pes)).containsExactly(FOUND, FOUND);
            assertThat(coordinator.awaitEnd().isSuccess()).isTrue();
        }
        List<WeakReference<ClassLoader>> references = new ArrayList<>();
        for (URLClassLoader each : loaders) {
            each.close();
            references.add(new WeakReference<>(each));
        }
        return references;
    }

    private static void awaitCollected(List<WeakReference<ClassLoader>> loaders) {
        Patience.until("the end of the loaders", () -> {
            System.gc();
            return loaders.stream().allMatch(each -> each.get() == null);
        });
    }

    @Test
    @DisplayName("records, reductions and settings of another loader work, and the loader is garbage after the job")
    void guests() throws Exception {
        awaitCollected(run(List.of(loader(false))));
    }

    @Test
    @DisplayName("Coterie in two loaders makes two PEs of one job, whose coordinator a third one has")
    void coterieTwice() throws Exception {
        assertThat(run(List.of(loader(true), loader(true)))).hasSize(2);
    }
}
