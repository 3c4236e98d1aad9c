// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.CoterieException;
import coterie.spi.Conduit;
import coterie.spi.PeJob;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The conduits that plug in, and the choice of one by the setting CONDUIT:
///
/// ```
///  auto      mapped if the job has a control segment, or all PEs can map each other's memory; else the first of
///            all() that lacks nothing and refuses nothing
///  mapped    the runtime's own
///  <name>    the conduit that plugs in under this name
/// ```
public final class ConduitProviders {
    /// The runtime's own conduit, which is no service.
    public static final String MAPPED = "mapped";

    static final String AUTO = "auto";
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]*");

    private ConduitProviders() {}

    /// Returns whether a value of the setting makes a job use the runtime's own conduit where that is possible.
    public static boolean isBuiltIn(String asked) {
        return asked.equals(AUTO) || asked.equals(MAPPED);
    }

    /// The order in which `auto` tries conduits. A target that computes holds up the operations of a conduit without
    /// PASSIVE_TARGET, so that these come last.
    private static final Comparator<Conduit.Provider> ORDER = Comparator.comparing(
                    (Conduit.Provider provider) -> !provider.capabilities().contains(Conduit.Capability.PASSIVE_TARGET))
            .thenComparing(Conduit.Provider::preference, Comparator.reverseOrder())
            .thenComparing(Conduit.Provider::name);

    /// Returns all conduits that plug in, in the order in which `auto` tries them: first those with PASSIVE_TARGET,
    /// then the others, each group by preference and by name.
    ///
    /// @throws CoterieException if one can't be loaded, has no usable name, or has the name of another
    public static List<Conduit.Provider> all() {
        ClassLoader programs = Thread.currentThread().getContextClassLoader();
        List<Conduit.Provider> providers = new ArrayList<>();
        try {
            ServiceLoader.load(
                            Conduit.Provider.class,
                            programs == null ? ConduitProviders.class.getClassLoader() : programs)
                    .forEach(providers::add);
        } catch (ServiceConfigurationError | LinkageError e) {
            throw new CoterieException(
                    "conduits that plug in: one can't be loaded; mend it, or remove it from the class path or the"
                            + " module path: " + e.getMessage(),
                    e);
        }
        providers.sort(Comparator.comparing(Conduit.Provider::name));
        String before = MAPPED;
        for (Conduit.Provider provider : providers) {
            String name = provider.name();
            if (!NAME.matcher(name).matches() || name.equals(AUTO) || name.equals(MAPPED) || name.equals(before)) {
                throw new CoterieException(
                        "conduit \"" + name + "\" (" + provider.getClass().getName()
                                + "): the name is " + (name.equals(before) ? "that of another conduit" : "invalid")
                                + "; allowed: a letter, then letters, digits and _, all in lower case, neither auto nor mapped,"
                                + " and unique");
            }
            before = name;
        }
        providers.sort(ORDER);
        return providers;
    }

    /// Returns the conduit that plugs in and that the setting selects for a job.
    ///
    /// @param asked the value of the setting
    /// @param mappedRefusal why the mapped conduit can't serve the job; empty if it can
    /// @throws IllegalArgumentException if the selected conduit does not exist, or can't serve the job
    static Conduit.Provider select(String asked, PeJob job, String mappedRefusal) {
        List<Conduit.Provider> providers = asked.equals(MAPPED) ? List.of() : all();
        List<String> refusals = new ArrayList<>();
        if (!mappedRefusal.isEmpty()) {
            refusals.add(MAPPED + ": " + mappedRefusal);
        }
        for (Conduit.Provider provider : providers) {
            if (asked.equals(AUTO) || asked.equals(provider.name())) {
                String refusal = refusal(provider, job);
                if (refusal.isEmpty()) {
                    return provider;
                }
                refusals.add(provider.name() + ": " + refusal);
            }
        }
        boolean isUnknown = !asked.equals(AUTO)
                && !asked.equals(MAPPED)
                && providers.stream().noneMatch(provider -> provider.name().equals(asked));
        throw new IllegalArgumentException("setting CONDUIT (from " + Setting.CONDUIT.origin() + "): on PE " + job.pe()
                + ", " + job.description() + ", "
                + (isUnknown
                        ? "there is no conduit \"" + asked + "\"; allowed: auto, mapped" + names(providers)
                                + "; or add the conduit to the class path or the module path"
                        : "\"" + asked + "\" gives no usable conduit: " + String.join("; ", refusals)));
    }

    private static String refusal(Conduit.Provider provider, PeJob job) {
        String missing = provider.missing();
        if (!missing.isEmpty()) {
            return missing;
        }
        String asked = Setting.encryptionName();
        return asked.equals(Setting.ENCRYPTION.byDefault())
                        || provider.capabilities().contains(Conduit.Capability.ENCRYPTED)
                ? provider.refusal(job).orElse("")
                : "it can't encrypt what it sends, as the setting ENCRYPTION=" + asked + " (from "
                        + Setting.ENCRYPTION.origin() + ") demands";
    }

    private static String names(List<Conduit.Provider> providers) {
        return providers.stream().map(provider -> ", " + provider.name()).collect(Collectors.joining());
    }
}
