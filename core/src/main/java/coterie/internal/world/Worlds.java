// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.ThreadLevel;
import coterie.World;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Finds the PE of the calling thread, and its world.
///
/// A thread that has joined a job in a host program, and has not closed this world, is that PE's: [HostedWorld].
/// A thread outside all PEs' thread groups is one of a plain `java` start, or one that all PEs of the JVM share,
/// such as a virtual thread or a thread of the JDK's common pool. A shared thread belongs to this JVM's PE if
/// there is only one.
public final class Worlds {
    private Worlds() {}

    /// Does [World#join(ThreadLevel)].
    public static World join(ThreadLevel level) {
        HostedWorld hosted = HostedWorld.current();
        if (hosted != null) {
            return hosted.holder().join(level, null);
        }
        PeThreadGroup threadGroup = PeThreadGroup.current();
        if (threadGroup != null) {
            return threadGroup.holder().join(level, threadGroup.bootstrap());
        }
        LaunchedPe launched = JobEnvironment.read(System.getenv());
        List<PeThreadGroup> threadGroups = launched == null ? List.of() : PeThreadGroup.all();
        return switch (threadGroups.size()) {
            case 0 -> WorldHolder.WITHOUT_GROUP.join(level, launched);
            case 1 ->
                threadGroups
                        .getFirst()
                        .holder()
                        .join(level, threadGroups.getFirst().bootstrap());
            default ->
                throw new IllegalStateException(
                        "join in " + Thread.currentThread() + ": the thread belongs to none of the "
                                + threadGroups.size()
                                + " PEs of this process; join in a thread of a PE, and pass the world to this one");
        };
    }

    /// Does [coterie.spi.FaceSupport#setting].
    public static String setting(String name) {
        Setting own = Setting.named(name);
        Variable variable = own == null ? DeclaredSettings.named(name) : own.asVariable();
        if (variable == null) {
            throw new IllegalArgumentException("setting \"" + name
                    + "\": there is no such setting; allowed: " + Arrays.toString(Setting.values())
                    + DeclaredSettings.all().stream()
                            .map(Variable::name)
                            .collect(Collectors.joining(", ", " and of modules on the path of this program: [", "]")));
        }
        return variable.found().value();
    }

    /// Does [World#isJoined()].
    public static boolean isJoined() {
        WorldHolder holder = holder();
        return holder != null && holder.get() != null;
    }

    /// Returns the holder of the calling thread's PE, or null if the thread belongs to none of several PEs.
    private static @Nullable WorldHolder holder() {
        HostedWorld hosted = HostedWorld.current();
        if (hosted != null) {
            return hosted.holder();
        }
        PeThreadGroup threadGroup = PeThreadGroup.current();
        if (threadGroup != null) {
            return threadGroup.holder();
        }
        List<PeThreadGroup> threadGroups =
                System.getenv(JobEnvironment.COTERIE_SEGMENT.name()) == null ? List.of() : PeThreadGroup.all();
        return switch (threadGroups.size()) {
            case 0 -> WorldHolder.WITHOUT_GROUP;
            case 1 -> threadGroups.getFirst().holder();
            default -> null;
        };
    }
}
