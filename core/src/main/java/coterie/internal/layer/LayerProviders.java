// SPDX-License-Identifier: Apache-2.0
package coterie.internal.layer;

import coterie.layer.CollectiveLayer;
import coterie.layer.Layer;
import java.io.IOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.Spliterator;

/// The layers of one kind that are declared, one by one, so that what is wrong with one keeps none of the others
/// away.
final class LayerProviders<L extends Layer> {
    /// After so many that can't be loaded the search ends: a service loader that fails at one place says so for
    /// ever.
    private static final int MOST_LOST = 64;

    private final Class<L> service;
    private final ClassLoader loader;
    private final List<Layer> layers = new ArrayList<>();
    private final List<UnusableLayer> unusableLayer = new ArrayList<>();

    /// Classes that were loaded.
    private final Set<String> loaded = new LinkedHashSet<>();

    /// What came in place of others.
    private final List<Throwable> lost = new ArrayList<>();

    private LayerProviders(Class<L> service, ClassLoader loader) {
        this.service = service;
        this.loader = loader;
    }

    /// Makes them all.
    static <L extends Layer> LayerDiscovery.Inventory find(Class<L> service, ClassLoader loader) {
        LayerProviders<L> providers = new LayerProviders<>(service, loader);
        providers.makeAll(ServiceLoader.load(service, loader).stream().spliterator());
        if (!providers.lost.isEmpty()) {
            providers.nameLost();
        }
        return new LayerDiscovery.Inventory(providers.layers, providers.unusableLayer);
    }

    private void makeAll(Spliterator<ServiceLoader.Provider<L>> declared) {
        boolean goesOn = true;
        while (goesOn && lost.size() < MOST_LOST) {
            try {
                goesOn = declared.tryAdvance(this::make);
            } catch (ServiceConfigurationError | LinkageError e) {
                lost.add(e);
            }
        }
    }

    private void make(ServiceLoader.Provider<L> declared) {
        String provider = declared.type().getName();
        loaded.add(provider);
        String name = provider;
        try {
            Layer layer = declared.get();
            name = Objects.requireNonNull(layer.name(), "name() gives null");
            layer.defaultScore();
            layer.fields().forEach(field -> Objects.requireNonNull(field, "a field is null"));
            if (layer instanceof CollectiveLayer collective) {
                LayerDiscovery.checkLevels(collective.levels());
            }
            layers.add(layer);
        } catch (RuntimeException | Error e) {
            LayerErrors.passOnFatal(e);
            unusableLayer.add(new UnusableLayer(name, provider, e));
        }
    }

    /// Finds out which provider can't be loaded: where a class lacks another, the service loader does not say
    /// whose that was.
    private void nameLost() {
        Set<String> absent = declared();
        absent.removeAll(loaded);
        for (String provider : absent) {
            unusableLayer.add(new UnusableLayer(provider, provider, whyLost(provider)));
        }
        Set<String> told = new HashSet<>();
        for (Throwable each : lost) {
            boolean isOfNobody = absent.isEmpty()
                    || (each instanceof ServiceConfigurationError
                            && absent.stream().noneMatch(provider -> names(each, provider)));
            if (isOfNobody && told.add(each.toString())) {
                unusableLayer.add(new UnusableLayer(service.getName(), service.getName(), each));
            }
        }
    }

    private static boolean names(Throwable failure, String provider) {
        return String.valueOf(failure.getMessage()).contains(provider);
    }

    private Throwable whyLost(String provider) {
        try {
            Class.forName(provider, false, loader);
        } catch (LinkageError e) {
            return e;
        } catch (ClassNotFoundException e) {
            return lost(provider, e);
        }
        return lost(provider, lost.getFirst());
    }

    private Throwable lost(String provider, Throwable other) {
        return lost.stream().filter(each -> names(each, provider)).findFirst().orElse(other);
    }

    /// The classes that jars and folders on the path declare.
    private Set<String> declared() {
        Set<String> names = new LinkedHashSet<>();
        try {
            for (URL file : Collections.list(loader.getResources("META-INF/services/" + service.getName()))) {
                String text = new String(file.openStream().readAllBytes(), StandardCharsets.UTF_8);
                text.lines()
                        .map(line -> line.replaceFirst("#.*", "").strip())
                        .filter(name -> !name.isEmpty() && name.chars().noneMatch(Character::isWhitespace))
                        .forEach(names::add);
            }
        } catch (IOException e) {
            lost.addFirst(e); // which provider is lost is not told, but why
        }
        return names;
    }
}
