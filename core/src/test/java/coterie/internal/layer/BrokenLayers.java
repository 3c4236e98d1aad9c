// SPDX-License-Identifier: Apache-2.0
package coterie.internal.layer;

import coterie.CoterieException;
import coterie.layer.Configuration;
import coterie.layer.Field;
import coterie.layer.LayerLibrary;
import coterie.layer.TransportLayer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Layers that can't be used, each for another reason.
final class BrokenLayers {
    /// A class that is declared and is not there.
    static final String ABSENT = "no.such.Layer";

    /// A class whose superclass is not there.
    static final String ORPHAN = "lost.Orphan";

    private BrokenLayers() {}

    /// Declares layers, and all that are here, in a folder.
    static void declare(Path folder, String... others) {
        List<String> lines = List.of(
                ABSENT,
                ORPHAN,
                Unmade.class.getName(),
                Nameless.class.getName(),
                Fieldless.class.getName(),
                String.join("\n", others));
        Plugged.declare(folder, TransportLayer.class, String.join("\n", lines));
        writeOrphan(folder);
    }

    private static void writeOrphan(Path folder) {
        byte[] orphan = ClassFile.of()
                .build(
                        ClassDesc.of(ORPHAN),
                        its -> its.withFlags(ClassFile.ACC_PUBLIC).withSuperclass(ClassDesc.of("lost.Parent")));
        try {
            Files.createDirectories(folder.resolve("lost"));
            Files.write(folder.resolve("lost/Orphan.class"), orphan);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static class Broken implements TransportLayer {
        @Override
        public String name() {
            return "fieldless";
        }

        @Override
        public int defaultScore() {
            return 3;
        }

        @Override
        public LayerLibrary open(Configuration configuration) {
            throw new CoterieException("it is broken");
        }
    }

    /// Its constructor fails.
    public static final class Unmade extends Broken {
        public Unmade() {
            throw new IllegalStateException("it can't be made");
        }
    }

    /// Its constructor fails where a file is on the path.
    public static final class Limping extends Broken {
        public Limping() {
            if (Thread.currentThread().getContextClassLoader().getResource(HallLayer.LAME) != null) {
                throw new IllegalStateException("it limps here");
            }
        }

        @Override
        public String name() {
            return "limping";
        }
    }

    /// It does not return its name.
    public static final class Nameless extends Broken {
        @Override
        public String name() {
            throw new IllegalStateException("it has no name");
        }
    }

    /// It does not return its fields.
    public static final class Fieldless extends Broken {
        @Override
        public List<Field> fields() {
            throw new IllegalStateException("it has no fields");
        }
    }
}
