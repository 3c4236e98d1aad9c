// SPDX-License-Identifier: Apache-2.0
package coterie.sim.mutation;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.function.BinaryOperator;

/// A separate runtime: it defines all of Coterie's classes anew, one of them as a [Mutant].
final class MutantLoader extends ClassLoader {
    private static final String OURS = "coterie.";

    private final Mutant mutant;

    MutantLoader(Mutant mutant) {
        super(MutantLoader.class.getClassLoader());
        this.mutant = mutant;
    }

    /// Returns an object that runs cases in this runtime.
    BinaryOperator<String> runner() {
        try {
            if (!mutant.victim().isEmpty()) {
                loadClass(mutant.victim());
            }
            @SuppressWarnings("unchecked")
            BinaryOperator<String> runner = (BinaryOperator<String>)
                    loadClass(OrderRun.class.getName()).getConstructor().newInstance();
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
        byte[] bytes = read(name);
        if (name.equals(mutant.victim())) {
            bytes = mutant.patch(bytes);
        }
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
