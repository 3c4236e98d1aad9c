// SPDX-License-Identifier: Apache-2.0

package coterie.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/// Kinds of calls and field accesses, method references included, that are allowed in some packages only.
final class Calls {

    /// A member by owner and name; all overloads. `name` may end in `*`.
    private record Member(String owner, String name) {

        boolean matches(JavaAccess<?> access) {
            String called = access.getName();
            boolean named =
                    name.endsWith("*") ? called.startsWith(name.substring(0, name.length() - 1)) : called.equals(name);
            return named && access.getTargetOwner().isAssignableTo(owner);
        }

        static List<Member> of(Class<?> owner, String... names) {
            return Arrays.stream(names)
                    .map(name -> new Member(owner.getName(), name))
                    .toList();
        }
    }

    private static final List<Member> RESTRICTED = Stream.of(
                    Member.of(java.lang.foreign.MemorySegment.class, "reinterpret"),
                    Member.of(java.lang.foreign.Linker.class, "downcallHandle", "upcallStub"),
                    Member.of(java.lang.foreign.SymbolLookup.class, "libraryLookup"),
                    Member.of(java.lang.foreign.AddressLayout.class, "withTargetLayout"),
                    Member.of(ModuleLayer.Controller.class, "enableNativeAccess"),
                    Member.of(System.class, "load", "loadLibrary"),
                    Member.of(Runtime.class, "load", "loadLibrary"))
            .flatMap(List::stream)
            .toList();

    private static final List<Member> WAITING = Stream.of(
                    Member.of(Thread.class, "sleep", "onSpinWait", "yield"), Member.of(LockSupport.class, "park*"))
            .flatMap(List::stream)
            .toList();

    private static final List<Member> BLOCKING = Stream.of(
                    Member.of(Object.class, "wait"),
                    Member.of(Thread.class, "join"),
                    Member.of(Process.class, "waitFor"),
                    Member.of(Condition.class, "await*"),
                    Member.of(CountDownLatch.class, "await"),
                    Member.of(CyclicBarrier.class, "await"),
                    Member.of(Phaser.class, "await*", "arriveAndAwaitAdvance"),
                    Member.of(Semaphore.class, "acquire*"),
                    Member.of(BlockingQueue.class, "take", "put"),
                    Member.of(Future.class, "get", "join"),
                    Member.of(ExecutorService.class, "awaitTermination", "invokeAll", "invokeAny", "close"))
            .flatMap(List::stream)
            .toList();

    private static final List<Member> PRINTING = Stream.of(
                    Member.of(System.class, "out", "err"),
                    Member.of(IO.class, "print", "println"),
                    Member.of(Throwable.class, "printStackTrace"),
                    Member.of(Thread.class, "dumpStack"))
            .flatMap(List::stream)
            .toList();

    private static final Set<String> PRIMITIVES =
            Set.of("boolean", "byte", "char", "short", "int", "long", "float", "double", "void");

    static DescribedPredicate<JavaAccess<?>> restricted() {
        return any("a restricted method is the target", RESTRICTED);
    }

    static DescribedPredicate<JavaAccess<?>> waiting() {
        return any("a method that sleeps, spins, yields or parks is the target", WAITING);
    }

    static DescribedPredicate<JavaAccess<?>> blocking() {
        return any("a method that blocks is the target", BLOCKING);
    }

    static DescribedPredicate<JavaAccess<?>> printing() {
        return any("a standard stream is the target", PRINTING);
    }

    static DescribedPredicate<JavaClass> primitive() {
        return describe(
                "are primitive",
                type -> PRIMITIVES.contains(type.getBaseComponentType().getName()));
    }

    private static DescribedPredicate<JavaAccess<?>> any(String description, List<Member> members) {
        return describe(description, access -> members.stream().anyMatch(member -> member.matches(access)));
    }

    private Calls() {}
}
