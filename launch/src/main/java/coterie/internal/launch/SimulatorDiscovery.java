// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.CoterieException;
import coterie.spi.Simulator;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/// The simulators that this JVM can find, see [Simulator.Provider].
public final class SimulatorDiscovery {
    private SimulatorDiscovery() {}

    /// Returns the names of the simulators in alphabetical order.
    public static List<String> names() {
        return providers().stream().map(Simulator.Provider::name).sorted().toList();
    }

    /// Returns the provider of a simulator.
    ///
    /// @throws IllegalArgumentException if no simulator has this name; the message has the names that exist
    static Simulator.Provider find(String name) {
        List<Simulator.Provider> providers = providers();
        return providers.stream()
                .filter(provider -> provider.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(unknown(name, providers)));
    }

    private static String unknown(String name, List<Simulator.Provider> providers) {
        return "there is no simulator \"" + name + "\"; "
                + (providers.isEmpty()
                        ? "no simulator is installed: add coterie-sim to the class path or the module path"
                        : providers.stream()
                                .map(Simulator.Provider::name)
                                .sorted()
                                .collect(Collectors.joining(", ", "there is ", "")));
    }

    private static List<Simulator.Provider> providers() {
        return ServiceLoader.load(Simulator.Provider.class, SimulatorDiscovery.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }

    /// Returns the jar or folder from which this JVM has loaded a class.
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
