// SPDX-License-Identifier: Apache-2.0
package coterie.internal.layer;

import coterie.layer.CollectiveLayer;
import coterie.layer.Layer;
import coterie.layer.TransportLayer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// Layers that are on the path of the threads that this one starts, until it is closed.
public final class Plugged implements AutoCloseable {
    private final ClassLoader before = Thread.currentThread().getContextClassLoader();

    /// Has layers found from now on.
    ///
    /// @param folder that is empty
    public static Plugged in(Path folder, List<Class<? extends Layer>> layers) {
        return new Plugged(loader(folder, layers));
    }

    private Plugged(ClassLoader loader) {
        Thread.currentThread().setContextClassLoader(loader);
    }

    /// The name under which these layers are found.
    public static ClassLoader loader(Path folder, List<Class<? extends Layer>> layers) {
        declare(folder, TransportLayer.class, layers);
        declare(folder, CollectiveLayer.class, layers);
        return loader(folder);
    }

    private static void declare(Path folder, Class<?> service, List<Class<? extends Layer>> layers) {
        String names = layers.stream()
                .filter(service::isAssignableFrom)
                .map(Class::getName)
                .collect(Collectors.joining("\n"));
        declare(folder, service, names);
    }

    /// Declares a layer that may be absent.
    static void declare(Path folder, Class<?> service, String lines) {
        Path services = folder.resolve("META-INF/services");
        try {
            Files.createDirectories(services);
            Files.writeString(services.resolve(service.getName()), lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Has what is declared in a folder found from now on.
    static Plugged in(Path folder) {
        return new Plugged(loader(folder));
    }

    static ClassLoader loader(Path folder) {
        try {
            return new URLClassLoader(new URL[] {folder.toUri().toURL()}, Plugged.class.getClassLoader());
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Sets properties, or clears those without a value: `name=value`.
    public static void set(String... settings) {
        Arrays.stream(settings).map(each -> each.split("=", 2)).forEach(each -> {
            if (each.length == 2) {
                System.setProperty(each[0], each[1]);
            } else {
                System.clearProperty(each[0]);
            }
        });
    }

    @Override
    public void close() {
        Thread.currentThread().setContextClassLoader(before);
        System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith("coterie.tl.hall.")
                        || name.startsWith("coterie.cl.")
                        || name.equals("coterie.tls")
                        || name.equals("coterie.tree.sync.above")
                        || name.equals("coterie.layer.open.timeout.s"))
                .forEach(System::clearProperty);
    }
}
