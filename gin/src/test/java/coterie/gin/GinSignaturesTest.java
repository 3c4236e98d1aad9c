// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import coterie.ElementType;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import coterie.testing.Signatures;
import java.lang.reflect.Parameter;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;

/// Null for each parameter of each public method of this package; and each method on what is closed, or of another
/// communicator.
class GinSignaturesTest {
    /// Public types that the tests do not walk, with the reasons.
    private static final Map<String, String> WITHOUT = Map.of(
            "BarrierScope", "has no methods of its own",
            "ConnectionType", "an enum",
            "FenceLevel", "an enum",
            "GinError", "an enum",
            "GinRequest", "has no public methods",
            "GinTeam", "its two kinds are walked",
            "OptFlag", "an enum",
            "SignalChecks", "an enum",
            "WindowFlag", "an enum");

    private final Map<Class<?>, Object> sources = new HashMap<>();

    private Optional<?> argument(Parameter parameter) {
        if (parameter.getName().equals("bytes") && parameter.getType().equals(int.class)) {
            return Optional.of(8);
        }
        if (parameter.getName().equals("bits") && parameter.getType().equals(int.class)) {
            return Optional.of(8);
        }
        if (parameter.getName().equals("alignment")) {
            return Optional.of(8L);
        }
        return Optional.ofNullable(sources.get(parameter.getType()));
    }

    private void fill(GinFixture fixture) {
        Gin gin = fixture.gin(0);
        sources.put(World.class, fixture.world);
        sources.put(Team.class, fixture.world.team());
        sources.put(GinTeam.class, fixture.all);
        sources.put(Window.class, fixture.window);
        sources.put(SymmetricMemory.class, fixture.memory);
        sources.put(SymmetricPointer.class, fixture.window.pointer(0, ElementType.LONG));
        sources.put(ElementType.class, ElementType.LONG);
        sources.put(RemoteAction.class, RemoteAction.weakSignalInc(0));
        sources.put(LocalAction.class, LocalAction.NONE);
        sources.put(OptFlag.class, OptFlag.DEFAULT);
        sources.put(Duration.class, Duration.ofSeconds(1));
        sources.put(GinRequest.class, gin.flushAsync(fixture.all, 0));
        sources.put(BarrierScope.class, gin);
        sources.put(FenceLevel.class, FenceLevel.NONE);
        sources.put(ConnectionType.class, ConnectionType.FULL);
        sources.put(SignalChecks.class, SignalChecks.ON);
        sources.put(CommunicatorRequirements.class, GinFixture.requirements());
    }

    private static void check(String pe, String call, String parameter, Throwable thrown) {
        assertThat(thrown)
                .as("%s, %s", call, parameter)
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining(call.substring(0, call.indexOf('(')))
                .hasMessageContaining(pe)
                .hasMessageContaining(parameter)
                .hasMessageContaining(" is null");
    }

    @SpmdTest(pes = 1, modes = SpmdMode.THREADS)
    @DisplayName("null is named by operation, PE and parameter")
    void nulls(World world) {
        ResourceRequirement requirement = ResourceRequirement.allToAll(1, 1);
        try (GinFixture fixture = GinFixture.open(world, asked -> asked.withResource(requirement))) {
            fill(fixture);
            sources.put(ResourceRequirement.class, requirement);
            sources.put(Resources.class, fixture.comm.resources(requirement));
            Signatures.Check onPe = (call, name, thrown) -> check("PE " + world.pe(), call, name, thrown);
            Signatures.Check anywhere = (call, name, thrown) -> check("", call, name, thrown);
            String group = "groups belong to kernels, whose threads call it: GinKernelTest";
            Signatures.of(DeviceCommunicator.class, fixture.comm, this::argument)
                    .nulls(onPe);
            Signatures.of(Gin.class, fixture.gin(0), this::argument)
                    .without("by", group)
                    .nulls(onPe);
            Signatures.of(Window.class, fixture.window, this::argument).nulls(onPe);
            try (BarrierSession session = fixture.comm.worldBarrier(fixture.gin(0), 0)) {
                Signatures.of(BarrierSession.class, session, this::argument)
                        .without("by", group)
                        .nulls(onPe);
            }
            Signatures.of(AllContexts.class, fixture.comm.allContexts(), this::argument)
                    .without("by", group)
                    .nulls(onPe);
            try (AllToAllSession session = fixture.gin(0).allToAll(fixture.all, requirement, 0)) {
                Signatures.of(AllToAllSession.class, session, this::argument)
                        .without("by", group)
                        .nulls(onPe);
            }
            for (Object each : List.of(
                    fixture.all,
                    fixture.comm.team(world.team()),
                    fixture.comm.resources(requirement),
                    requirement,
                    RemoteAction.NONE,
                    LocalAction.NONE,
                    fixture.window.pointer(0, ElementType.LONG),
                    CommunicatorRequirements.DEFAULT)) {
                Signatures.of(each.getClass(), each, this::argument).nulls(anywhere);
                Signatures.ofStatic(each.getClass(), this::argument).nulls(anywhere);
            }
            Signatures.ofStatic(DeviceCommunicator.class, this::argument).nulls(anywhere);
            fixture.gin(0).quiet();
        }
    }

    @SpmdTest(pes = 1, modes = SpmdMode.THREADS)
    @DisplayName("the group of kernel threads is named, too")
    void groups(World world) {
        try (GinFixture fixture = GinFixture.open(world)) {
            Signatures.Check check = (call, name, thrown) -> check("PE " + world.pe(), call, name, thrown);
            for (Object each : List.of(fixture.gin(0), fixture.comm.allContexts())) {
                check.check("by(KernelGroup)", "group", catchThrowable(() -> by(each)));
            }
        }
    }

    @SuppressWarnings("NullAway") // the very null
    private static void by(Object scope) {
        if (scope instanceof Gin gin) {
            gin.by(null);
        } else {
            ((AllContexts) scope).by(null);
        }
    }

    @SpmdTest(pes = 1, modes = SpmdMode.THREADS)
    @DisplayName("what belongs to a closed communicator says that it is closed")
    void closed(World world) {
        ResourceRequirement requirement = ResourceRequirement.allToAll(1, 1);
        GinFixture fixture = GinFixture.open(world, asked -> asked.withResource(requirement));
        fill(fixture);
        Gin gin = fixture.gin(0);
        AllContexts contexts = fixture.comm.allContexts();
        BarrierSession session = fixture.comm.worldBarrier(gin, 0);
        sources.put(ResourceRequirement.class, requirement);
        sources.put(Resources.class, fixture.comm.resources(requirement));
        sources.put(BarrierScope.class, contexts);
        AllToAllSession exchange = gin.allToAll(fixture.all, requirement, 0);
        fixture.comm.close();
        Signatures.Check says = (call, _, thrown) -> assertThat(thrown)
                .as(call)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(call.substring(0, call.indexOf('(')))
                .hasMessageMatching(".*(the communicator is closed|is deregistered).*");
        Signatures comm = Signatures.of(DeviceCommunicator.class, fixture.comm, this::argument);
        for (String each : List.of(
                "rank",
                "size",
                "lsaSize",
                "contextCount",
                "connectionCount",
                "connectionType",
                "signalCount",
                "counterCount",
                "queueDepth",
                "resources",
                "worldTeam",
                "lsaTeam",
                "railTeam",
                "team",
                "rankToWorld",
                "rankToLsa",
                "rankToTeam",
                "isMember",
                "rankInDifference")) {
            comm.without(each, "numbers and teams stay");
        }
        comm.without("toString", "names the object")
                .without("close", "a second close does nothing")
                .without("allContexts", "says that gin is refused")
                .calls(says);
        assertThat(catchThrowable(fixture.comm::allContexts)).hasMessageContaining("the communicator is closed");
        Signatures.of(Gin.class, gin, this::argument)
                .without("by", "a value")
                .without("withTimeout", "a value")
                .without("communicator", "a property")
                .without("contextIndex", "a property")
                .without("connectionIndex", "a property")
                .without("toString", "names the object")
                .calls(says);
        Signatures.of(Window.class, fixture.window, this::argument)
                .without("memory", "a property")
                .without("flags", "a property")
                .without("byteSize", "a property")
                .without("pointer", "a value, which operations check")
                .without("close", "a second close does nothing")
                .without("toString", "names the object")
                .calls(says);
        Signatures.of(BarrierSession.class, session, this::argument)
                .without("by", "a value")
                .without("withTimeout", "a value")
                .without("signals", "a number")
                .without("sync", "says that arrive is refused")
                .without("toString", "names the object")
                .without("close", "ends what the caller has")
                .calls(says);
        Signatures.of(AllToAllSession.class, exchange, this::argument)
                .without("by", "a value")
                .without("withTimeout", "a value")
                .without("epoch", "a number")
                .without("toString", "names the object")
                .without("close", "ends what the caller has")
                .calls(says);
        exchange.close();
        assertThat(catchThrowable(session::sync))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the communicator is closed");
        session.close();
        fixture.memory.close();
    }

    @SpmdTest(pes = 1, modes = SpmdMode.THREADS)
    @DisplayName("scopes, windows, handles and requests of another communicator are FOREIGN")
    void foreign(World world) {
        ResourceRequirement requirement = ResourceRequirement.barriers(1, 1);
        try (GinFixture one = GinFixture.open(world, asked -> asked.withResource(requirement));
                GinFixture two =
                        GinFixture.open(world, asked -> asked.withResource(ResourceRequirement.barriers(3, 1)))) {
            Gin mine = one.gin(0);
            Gin other = two.gin(0);
            Resources handle = one.comm.resources(requirement);
            Resources wrong = new Resources(0, 1, 1, 0, 0);
            for (Runnable each : List.<Runnable>of(
                    () -> one.comm.worldBarrier(other, 0),
                    () -> one.comm.railBarrier(two.comm.allContexts(), 0),
                    () -> one.comm.hybridBarrier(other, 0),
                    () -> one.comm.barrier(other, one.all, handle, 0),
                    () -> one.comm.barrier(mine, one.all, wrong, 0),
                    () -> mine.await(other.flushAsync(two.all, 0)),
                    () -> mine.isComplete(other.flushAsync(two.all, 0)),
                    () -> mine.put(one.all, 0, two.window, 0, one.window, 0, 8),
                    () -> mine.put(one.all, 0, one.window, 0, two.window, 0, 8),
                    () -> mine.get(one.all, 0, two.window, 0, one.window, 0, 8),
                    () -> mine.get(one.all, 0, one.window, 0, two.window, 0, 8),
                    () -> mine.putValue(one.all, 0, two.window, 0, 1, 8),
                    () -> mine.signal(one.all, 0, RemoteAction.strongVaSignalInc(two.window, 0)),
                    () -> mine.readSignal(two.window, 0),
                    () -> mine.waitSignal(two.window, 0, 0),
                    () -> mine.resetSignal(two.window, 0))) {
                assertThat(catchThrowable(each::run))
                        .isInstanceOfSatisfying(
                                GinException.class, e -> assertThat(e.error()).isEqualTo(GinError.FOREIGN));
            }
        }
    }

    @SpmdTest(pes = 1, modes = SpmdMode.THREADS)
    @DisplayName("each public type of the package is walked, or has a reason")
    void types(World world) {
        TreeSet<String> all = new TreeSet<>(Signatures.publicTypes(Gin.class));
        all.removeAll(WITHOUT.keySet());
        assertThat(world.size()).isEqualTo(1);
        assertThat(all)
                .containsExactly(
                        "AffineTeam",
                        "AllContexts",
                        "AllToAllSession",
                        "BarrierSession",
                        "CommunicatorRequirements",
                        "DeviceCommunicator",
                        "Gin",
                        "ListedTeam",
                        "LocalAction",
                        "RemoteAction",
                        "ResourceRequirement",
                        "Resources",
                        "SymmetricPointer",
                        "Window");
    }
}
