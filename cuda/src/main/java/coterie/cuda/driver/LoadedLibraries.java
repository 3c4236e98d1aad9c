// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.driver;

import coterie.CoterieException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The libraries of one kind that this process has loaded, or why it can't use them, by their names. A process loads
/// a library once.
///
/// @param <T> the binding of the library
@SuppressWarnings("restricted")
public final class LoadedLibraries<T> {
    private final Map<String, Attempt<T>> attempts = new ConcurrentHashMap<>();
    private final Function<String, T> load;

    /// @param library null if there is a reason
    /// @param missing why it can't be used, and the remedy; empty if it can
    private record Attempt<T>(@Nullable T library, String missing) {}

    /// @param load makes the binding of a library by its name, or throws a [CoterieException] with the reason and the
    ///     remedy
    public LoadedLibraries(Function<String, T> load) {
        this.load = load;
    }

    /// Finds a library, and binds it.
    ///
    /// @param name of the library, or its file
    /// @param install how to install it, if there is no such library: "install …"
    /// @param binds throws a [CoterieException] with what the library lacks: "it has no …"
    /// @param replace how to replace it then: "install …"
    /// @throws CoterieException if there is no such library, or it lacks something
    public static <T> T bind(String name, String install, Function<SymbolLookup, T> binds, String replace) {
        SymbolLookup library;
        try {
            library = SymbolLookup.libraryLookup(name, Arena.global());
        } catch (IllegalArgumentException e) {
            throw new CoterieException(name + " not found: " + install, e);
        }
        try {
            return binds.apply(library);
        } catch (CoterieException e) {
            throw new CoterieException(name + " can't be used, as " + e.getMessage() + ": " + replace, e);
        }
    }

    /// Returns why this process can't use a library, and the remedy; empty if it can.
    public String missing(String name) {
        return attempt(name).missing;
    }

    /// Returns a library, which the first call loads.
    ///
    /// @throws CoterieException with the reason of [#missing]
    public T get(String name) {
        Attempt<T> attempt = attempt(name);
        if (attempt.library == null) {
            throw new CoterieException(attempt.missing);
        }
        return attempt.library;
    }

    private Attempt<T> attempt(String name) {
        return attempts.computeIfAbsent(name, each -> {
            try {
                return new Attempt<>(load.apply(each), "");
            } catch (CoterieException e) {
                return new Attempt<>(null, String.valueOf(e.getMessage()));
            }
        });
    }
}
