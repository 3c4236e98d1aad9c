// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.CoterieException;
import coterie.spi.Stage;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/// The stages that this JVM can find: see [Stage.Provider].
public final class Stages {
    private Stages() {}

    /// Their names, in the order of the alphabet.
    public static List<String> names() {
        return providers().stream().map(Stage.Provider::name).sorted().toList();
    }

    /// The provider of a stage.
    ///
    /// @throws IllegalArgumentException if there is none of this name; the message has those there are
    static Stage.Provider find(String name) {
        List<Stage.Provider> providers = providers();
        return providers.stream()
                .filter(provider -> provider.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(unknown(name, providers)));
    }

    private static String unknown(String name, List<Stage.Provider> providers) {
        return "there is no simulator \"" + name + "\"; "
                + (providers.isEmpty()
                        ? "there is none at all: add coterie-sim to the class path or the module path"
                        : providers.stream()
                                .map(Stage.Provider::name)
                                .sorted()
                                .collect(Collectors.joining(", ", "there is ", "")));
    }

    private static List<Stage.Provider> providers() {
        return ServiceLoader.load(Stage.Provider.class, Stages.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }

    /// The jar or folder that a class of this JVM was loaded from.
    static Path location(Class<?> type) {
        Module module = type.getModule();
        try {
            return Path.of(
                    module.isNamed()
                            ? module.getLayer()
                                    .configuration()
                                    .findModule(module.getName())
                                    .flatMap(resolved -> resolved.reference().location())
                                    .orElseThrow()
                            : type.getProtectionDomain()
                                    .getCodeSource()
                                    .getLocation()
                                    .toURI());
        } catch (URISyntaxException e) {
            throw new CoterieException("starting PEs in one JVM: can't tell where " + type + " was loaded from", e);
        }
    }
}
