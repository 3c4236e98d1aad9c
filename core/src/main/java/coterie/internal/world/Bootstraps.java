// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.CoterieException;
import coterie.internal.posix.MachineMemory;
import coterie.spi.Bootstrap;
import coterie.spi.BootstrapContext;
import coterie.spi.PeJob;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/// The bootstraps that plug in, and the choice of one by the setting BOOTSTRAP:
///
/// ```
///  auto      the first by name that does not refuse; without one the process is a job of its own
///  none      the process is a job of its own
///  <name>    the bootstrap of this name; the join fails if it refuses
/// ```
public final class Bootstraps {
    private static final String AUTO = "auto";
    private static final String NONE = "none";

    private Bootstraps() {}

    /// What a bootstrap says of this process.
    ///
    /// @param refusal why this process is no PE of a job that the bootstrap serves; empty if it is
    public record Answer(String name, Optional<String> refusal) {
        @Override
        public String toString() {
            return name + ": " + refusal.orElse("this process is a PE of its job");
        }
    }

    private enum Context implements BootstrapContext {
        INSTANCE;

        @Override
        public String setting(String name) {
            return Worlds.setting(name);
        }

        @Override
        public long defaultHeapBytes(int pes) {
            return MachineMemory.defaultHeapBytes(pes);
        }
    }

    /// Returns the answers of all bootstraps, in the order in which a join asks them.
    ///
    /// @throws CoterieException if one can't be loaded
    public static List<Answer> answers() {
        return all().stream().map(Bootstraps::answer).toList();
    }

    private static Answer answer(Bootstrap bootstrap) {
        try {
            return new Answer(bootstrap.name(), bootstrap.refusal());
        } catch (CoterieException e) {
            return new Answer(bootstrap.name(), Optional.of("a join fails: " + e.getMessage()));
        }
    }

    /// Joins the job that the setting selects.
    ///
    /// @return empty if this process is a job of its own
    /// @throws IllegalArgumentException if the setting names a bootstrap that does not exist, or that refuses
    /// @throws CoterieException if the job can't be joined
    static Optional<PeJob> join() {
        String asked = Setting.BOOTSTRAP.value();
        if (asked.equals(NONE)) {
            return Optional.empty();
        }
        List<Bootstrap> all = all();
        List<Answer> refusals = new ArrayList<>();
        for (Bootstrap bootstrap : all) {
            if (asked.equals(AUTO) || asked.equals(bootstrap.name())) {
                Optional<String> refusal = bootstrap.refusal();
                if (refusal.isEmpty()) {
                    return Optional.of(bootstrap.join());
                }
                refusals.add(new Answer(bootstrap.name(), refusal));
            }
        }
        if (asked.equals(AUTO)) {
            return Optional.empty();
        }
        throw new IllegalArgumentException("join: setting BOOTSTRAP (from " + Setting.BOOTSTRAP.origin() + "): "
                + (refusals.isEmpty()
                        ? "there is no bootstrap \"" + asked + "\"; allowed: auto, none"
                                + all.stream().map(each -> ", " + each.name()).collect(Collectors.joining())
                        : "it refuses this process: " + refusals.getFirst()));
    }

    /// Joins the job of a bootstrap that the program has made.
    ///
    /// @throws CoterieException if the bootstrap refuses, or the job can't be joined
    static PeJob join(Bootstrap bootstrap) {
        bootstrap.configure(Context.INSTANCE);
        Optional<String> refusal = bootstrap.refusal();
        if (refusal.isPresent()) {
            throw new CoterieException("join: " + new Answer(bootstrap.name(), refusal));
        }
        return bootstrap.join();
    }

    /// Returns why each bootstrap refuses this process, as one phrase; for a process that has found none.
    static String refusals() {
        String refusals = answers().stream().map(Answer::toString).collect(Collectors.joining("; "));
        return refusals.isEmpty() ? "no bootstrap is on the path of this program" : refusals;
    }

    /// Returns the bootstraps that plug in, by name.
    private static List<Bootstrap> all() {
        ClassLoader programs = Thread.currentThread().getContextClassLoader();
        List<Bootstrap> bootstraps = new ArrayList<>();
        try {
            ServiceLoader.load(Bootstrap.class, programs == null ? Bootstraps.class.getClassLoader() : programs)
                    .forEach(bootstraps::add);
        } catch (ServiceConfigurationError | LinkageError e) {
            throw new CoterieException(
                    "join: a bootstrap that plugs in can't be loaded; mend it, or remove it from the class path or the"
                            + " module path: " + e.getMessage(),
                    e);
        }
        bootstraps.sort(Comparator.comparing(Bootstrap::name));
        bootstraps.forEach(each -> each.configure(Context.INSTANCE));
        return bootstraps;
    }
}
