// SPDX-License-Identifier: Apache-2.0
package coterie.sim.mutation;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;

/// A separate runtime: it defines all of Coterie's classes anew, some of them with patches, such as a [Mutant].
public final class MutantLoader extends ClassLoader {
    private static final String OURS = "coterie.";

    private final Map<String, UnaryOperator<byte[]>> patches;

    MutantLoader(Mutant mutant) {
        this(mutant.victim().isEmpty() ? Map.of() : Map.of(mutant.victim(), mutant::patch));
    }

    /// @param patches by the names of the classes
    public MutantLoader(Map<String, UnaryOperator<byte[]>> patches) {
        super(MutantLoader.class.getClassLoader());
        this.patches = Map.copyOf(patches);
    }

    /// Returns an object of this runtime, of a class with a public constructor without parameters. The caller
    /// shares no class of Coterie with it, and so calls it with strings.
    public BinaryOperator<String> runner(Class<? extends BinaryOperator<String>> type) {
        try {
            for (String patched : patches.keySet()) {
                loadClass(patched);
            }
            @SuppressWarnings("unchecked")
            BinaryOperator<String> runner = (BinaryOperator<String>)
                    loadClass(type.getName()).getConstructor().newInstance();
            return runner;
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(OURS)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        byte[] bytes = patches.getOrDefault(name, UnaryOperator.identity()).apply(read(name));
        return defineClass(name, bytes, 0, bytes.length);
    }

    private byte[] read(String name) throws ClassNotFoundException {
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
