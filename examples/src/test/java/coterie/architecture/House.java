// SPDX-License-Identifier: Apache-2.0

package coterie.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import java.util.Set;

/// The packages, and which of them lies below which.
final class House {

    /// The internals of core from the ground up: a package uses those before it in the list and none after it. The
    /// last one is a module of its own, `coterie.launch`, which keeps core's rules.
    static final List<String> FLOORS = List.of(
            "posix",
            "record",
            "memory",
            "trace",
            "wait",
            "schedule",
            "mapped",
            "order",
            "rma",
            "lock",
            "score",
            "plan",
            "hier",
            "sync",
            "p2p",
            "kernel",
            "layer",
            "component",
            "collective",
            "request",
            "heap",
            "team",
            "world",
            "launch");

    /// What core exports to the launcher's module.
    static final List<String> LAUNCH_READS =
            List.of("component", "kernel", "layer", "mapped", "memory", "posix", "record", "wait", "world");

    /// What other modules may use of core.
    static final List<String> API =
            List.of("coterie", "coterie.channel", "coterie.spi", "coterie.collective", "coterie.layer");

    /// The packages that the other modules export.
    private static final List<String> FACES = List.of(
            "coterie.cluster",
            "coterie.coarray",
            "coterie.cuda",
            "coterie.diagnosis",
            "coterie.gin",
            "coterie.junit",
            "coterie.sim",
            "coterie.stream",
            "coterie.trace");

    static final String LAUNCH = internal("launch");
    static final String RECORD = internal("record");
    static final String TRACE = internal("trace");
    static final String WAIT = internal("wait");
    static final String POSIX = internal("posix");

    /// The package of module ucx that calls foreign functions.
    static final String LIBUCP = "coterie.ucx.libucp";

    /// The packages of module cuda that call foreign functions.
    static final String CUDA_DRIVER = "coterie.cuda.driver";

    static final String NVRTC = "coterie.cuda.nvrtc";

    static final String NCCL = "coterie.cuda.nccl";

    /// The classes of all modules, without their tests.
    static JavaClasses classes() {
        return new ClassFileImporter()
                .withImportOption(location -> !location.contains("/test-classes/") && !location.contains("-tests.jar"))
                .importPackages("coterie");
    }

    static String internal(String room) {
        return "coterie.internal." + room;
    }

    static DescribedPredicate<JavaClass> core() {
        return describe("belong to core", type -> isApi(type) || isInternal(type));
    }

    static DescribedPredicate<JavaClass> api() {
        return describe("belong to the public API", House::isApi);
    }

    static DescribedPredicate<JavaClass> internals() {
        return describe("belong to core's internals", House::isInternal);
    }

    /// Classes of a package or of one below it.
    static DescribedPredicate<JavaClass> in(String... packages) {
        return describe("reside in " + String.join(", ", packages), type -> isIn(type, packages));
    }

    /// `World`, `Coterie` and `HostedPe` hand out what the internals make; with their nested classes.
    static DescribedPredicate<JavaClass> doors() {
        return describe("are World, Coterie or HostedPe", type -> {
            String top = type.getName().replaceFirst("\\$.*", "");
            return Set.of("coterie.World", "coterie.Coterie", "coterie.spi.HostedPe")
                    .contains(top);
        });
    }

    static boolean isIn(JavaClass type, String... packages) {
        String name = type.getPackageName();
        for (String each : packages) {
            if (name.equals(each) || name.startsWith(each + ".")) {
                return true;
            }
        }
        return false;
    }

    /// Whether programs of all modules may name a class: its package is exported, and it and all around it are public.
    static boolean isPublished(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(House::isPublished).orElse(true)
                && (isApi(type) || FACES.contains(type.getPackageName()));
    }

    /// Whether a class is the clock of a job across hosts, or one of its parts.
    static boolean isJobClock(JavaClass type) {
        return type.getName().matches("coterie\\.cluster\\.JobClock(\\$.*)?");
    }

    private static boolean isApi(JavaClass type) {
        return API.contains(type.getPackageName());
    }

    private static boolean isInternal(JavaClass type) {
        return isIn(type, "coterie.internal");
    }

    private House() {}
}
