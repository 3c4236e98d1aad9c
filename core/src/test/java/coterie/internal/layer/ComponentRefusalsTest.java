// SPDX-License-Identifier: Apache-2.0
package coterie.internal.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CoterieException;
import coterie.LongView;
import coterie.Team;
import coterie.ThreadLevel;
import coterie.World;
import coterie.collective.CollectiveType;
import coterie.internal.layer.BrokenLayers.Fieldless;
import coterie.internal.layer.BrokenLayers.Limping;
import coterie.internal.layer.BrokenLayers.Nameless;
import coterie.internal.layer.BrokenLayers.Unmade;
import coterie.internal.world.LocalJob;
import coterie.layer.Layer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Layers that plug in and are left out, and what users read of it.
class ComponentRefusalsTest extends HallCase {
    @AutoClose
    private final Logged logged = new Logged();

    private void amongBroken() {
        plugged.close();
        BrokenLayers.declare(folder, HallLayer.class.getName());
        plugged = Plugged.in(folder);
    }

    /// Has a job in which a layer does not work on one PE.
    private void runLame(int where, Class<? extends Layer> layer, LocalJob.Body body) throws IOException {
        ClassLoader usual = Plugged.loader(Files.createDirectory(folder.resolve("usual")), List.of(layer));
        Path other = Files.createDirectory(folder.resolve("other"));
        Files.createFile(other.resolve(HallLayer.LAME));
        ClassLoader lame = Plugged.loader(other, List.of(layer));
        try (LocalJob job = new LocalJob(PES).loadBy(pe -> pe == where ? lame : usual)) {
            job.run(body);
        }
    }

    private static void assertServesSums(World world, boolean serves) {
        assertSum(world.team(), world.allocate(16).longs());
        assertThat(first(world.team(), CollectiveType.ALL_REDUCE).startsWith("hall"))
                .isEqualTo(serves);
    }

    @Test
    @DisplayName("layers that can't be used are left out, with one warning each; the others serve")
    void unusable() {
        amongBroken();
        run(PES, world -> assertServesSums(world, true));
        assertThat(logged.messages())
                .containsExactlyInAnyOrder(
                        "layer no.such.Layer can't be used: coterie.layer.TransportLayer: Provider no.such.Layer not"
                                + " found",
                        "layer lost.Orphan can't be used: java.lang.NoClassDefFoundError: lost/Parent",
                        "layer " + Unmade.class.getName()
                                + " can't be used: java.lang.IllegalStateException: it can't be made",
                        "layer " + Nameless.class.getName()
                                + " can't be used: java.lang.IllegalStateException: it has no name",
                        "layer \"fieldless\" (" + Fieldless.class.getName()
                                + ") can't be used: java.lang.IllegalStateException: it has no fields");
    }

    @ParameterizedTest
    @ValueSource(strings = {"hall,p2p", "^no.such.layer,lost.Orphan,fieldless,%s,%s"})
    @DisplayName("no warning names a layer that TLS leaves out")
    void leftOut(String list) {
        amongBroken();
        Plugged.set("coterie.tls=" + String.format(list, Unmade.class.getName(), Nameless.class.getName()));
        run(PES, world -> assertServesSums(world, true));
        assertThat(logged.messages()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "lost.Orphan, layer lost.Orphan, NoClassDefFoundError: lost/Parent",
        "no.such.Layer, layer no.such.Layer, Provider no.such.Layer not found",
        "fieldless, 'layer \"fieldless\"', IllegalStateException: it has no fields",
        "unmade, '\"unmade\" is not a layer', IllegalStateException: it can't be made",
    })
    @DisplayName("a layer that settings name and that can't be used ends the join, with its name and the cause")
    void named(String name, String who, String why) {
        amongBroken();
        Plugged.set("coterie.tls=p2p," + name);
        assertThat(failures(PES, World::close))
                .hasSize(PES)
                .allSatisfy((pe, thrown) -> assertThat(thrown).hasMessageContainingAll(who, why));
    }

    @ParameterizedTest
    @CsvSource({
        "argument:open, IllegalArgumentException: open fails",
        "argument:attributes, IllegalArgumentException: attributes fails",
        "argument:context, IllegalArgumentException: context fails",
        "none, the layer has no collectives",
        "misspelt, 'algorithm \"Shout\" is not a name'",
        "doubled, 'barrier has an algorithm \"shout\" already'",
        "deep:open, StackOverflowError: open is endless",
        "deep:context, StackOverflowError: context is endless",
    })
    @DisplayName("errors of a layer's own leave it out with a warning that names it; if settings name it, join ends so")
    void ownErrors(String fault, String why) {
        Plugged.set("coterie.tl.hall.fault=" + fault);
        run(PES, world -> assertServesSums(world, false));
        assertThat(logged.messages())
                .singleElement()
                .asString()
                .contains("layer \"hall\"", "does not work on PE 0", why);
        Plugged.set("coterie.tls=hall,p2p");
        assertThat(failures(PES, World::close))
                .hasSize(PES)
                .allSatisfy((pe, thrown) -> assertThat(thrown)
                        .isInstanceOf(CoterieException.class)
                        .hasMessageContainingAll("layer \"hall\"", "does not work on PE " + pe, why));
        assertThat(HallLayer.OPEN).hasValue(0);
    }

    @ParameterizedTest
    @CsvSource({
        "most, 101, 'setting TL_HALL_MOST: \"101\" (from coterie.tl.hall.most) is not a number in [1, 100]'",
        "level, HIGH, 'setting TL_HALL_LEVEL: \"HIGH\" (from coterie.tl.hall.level) is not a thread level'",
    })
    @DisplayName("values that users have set and the layer can't use end the join, with their place")
    void values(String field, String value, String message) {
        Plugged.set("coterie.tl.hall." + field + "=" + value);
        assertThat(failures(PES, World::close))
                .hasSize(PES)
                .allSatisfy((pe, thrown) -> assertThat(thrown)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage(message));
    }

    @Test
    @DisplayName("a layer that is tuned to 0 is not opened, even if settings name it")
    void switchedOff() {
        Plugged.set("coterie.tl.hall.tune=0", "coterie.tl.hall.fault=open", "coterie.tls=hall,p2p");
        run(PES, world -> assertServesSums(world, false));
        assertThat(logged.messages()).isEmpty();
    }

    @Test
    @DisplayName("a warning says why a layer does not work on another PE than 0, once for all teams")
    void elsewhere() throws IOException {
        Plugged.set("coterie.tl.hall.fault=" + HallLayer.LAME);
        runLame(1, HallLayer.class, world -> {
            assertServesSums(world, false);
            try (Team again = world.team().duplicate()) {
                assertSum(again, world.allocate(16).longs());
            }
        });
        assertThat(logged.messages())
                .singleElement()
                .asString()
                .contains(
                        "team \"world\" of 3 members",
                        "does not serve this team: PE 1 reports: layer \"hall\"",
                        "it is lame here");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    @DisplayName("teams without the PE on which a layer does not work have it, and there is one warning all the same")
    void withoutThatOne(int lame) throws IOException {
        Plugged.set("coterie.tl.hall.fault=" + HallLayer.LAME);
        runLame(lame, HallLayer.class, world -> {
            try (Team part = world.team().splitByColor(world.pe() == lame ? 1 : 0, 0)) {
                assertSum(part, world.allocate(16).longs());
                assertThat(first(part, CollectiveType.ALL_REDUCE).startsWith("hall"))
                        .isEqualTo(world.pe() != lame);
            }
        });
        assertThat(logged.messages()).singleElement().asString().contains("on PE " + lame, "it is lame here");
    }

    @Test
    @DisplayName("where the network is simulated, transport layers are left out, and no PE says so")
    void simulated() {
        Components.LayerFilter all = new Components.LayerFilter() {
            @Override
            public boolean opens(String layer) {
                return true;
            }

            @Override
            public boolean asksFor(String layer) {
                return false;
            }
        };
        Components components = Components.open(
                new LayerDiscovery.Inventory(List.of(new HallLayer()), List.of()),
                all,
                (name, byDefault) -> new SettingSources.Found(byDefault, "default"),
                new Components.LayerParameters(0, List.of(0), ThreadLevel.MULTIPLE, true, Long.MAX_VALUE));
        assertThat(components.list()).singleElement().satisfies(hall -> {
            assertThat(hall.whyNot(1)).contains("a simulation models the network itself");
            assertThat(hall.isReported()).isFalse();
        });
        assertThat(logged.messages()).isEmpty();
    }

    @Test
    @DisplayName("a layer that can't be made on one PE is a layer that does not work there: members go on without it")
    void unmadeElsewhere() throws IOException {
        runLame(
                1,
                Limping.class,
                world -> assertSum(world.team(), world.allocate(16).longs()));
        assertThat(logged.messages())
                .contains("layer \"limping\" (" + Limping.class.getName() + ") does not work on PE 0: it is broken");
    }

    @Test
    @DisplayName("the cause of a layer's failure on one member is part of every member's error")
    void failsOnOne() {
        Plugged.set("coterie.tl.hall.fault=deep:test@1");
        run(PES, world -> assertServesSums(world, false));
        assertThat(logged.messages())
                .anySatisfy(each -> assertThat(each)
                        .contains("it has failed on PE 1: java.lang.StackOverflowError: test is endless"));
        Plugged.set("coterie.tls=hall,p2p");
        assertThat(failures(
                        PES, world -> assertSum(world.team(), world.allocate(16).longs())))
                .hasSize(PES)
                .allSatisfy((pe, thrown) -> assertThat(thrown)
                        .hasMessageContaining("it has failed on PE 1: java.lang.StackOverflowError: test is endless"))
                .hasEntrySatisfying(1, thrown -> assertThat(thrown).hasCauseInstanceOf(StackOverflowError.class));
    }

    @ParameterizedTest
    @CsvSource({
        "coterie.tl.hall.most=2, 'it serves teams of [1, 2] members, and this team has 3'",
        "coterie.tree.sync.above=2, the team has more members than COTERIE_TREE_SYNC_ABOVE",
        "coterie.tl.hall.fault=silent, it offers no algorithm to this team",
    })
    @DisplayName(
            "a layer that settings name and that does not serve a team of that kind: one warning, and the team goes on")
    void passedOver(String setting, String why) {
        Plugged.set(setting, "coterie.tls=hall,p2p");
        run(PES, world -> {
            LongView longs = world.allocate(16).longs();
            assertSum(world.team(), longs);
            try (Team again = world.team().duplicate()) {
                assertSum(again, longs);
            }
        });
        assertThat(logged.messages())
                .singleElement()
                .asString()
                .contains(
                        "of 3 members: layer \"hall\"",
                        "does not serve this team: " + why,
                        "the setting TLS names " + "it");
    }

    @Test
    @DisplayName("no warning names teams that a layer does not serve if settings do not name it")
    void notAskedFor() {
        Plugged.set("coterie.tl.hall.most=2");
        run(PES, world -> assertServesSums(world, false));
        assertThat(logged.messages()).isEmpty();
    }

    @Test
    @DisplayName("a layer that prepares null is an exception with its name, the collective and the team")
    void preparesNull() {
        Plugged.set("coterie.tl.hall.fault=null");
        run(PES, world -> {
            LongView longs = world.allocate(16).longs();
            assertThatThrownBy(() -> assertSum(world.team(), longs))
                    .isInstanceOf(CoterieException.class)
                    .hasMessageContainingAll(
                            "layer \"hall\"",
                            "allreduce by shout",
                            "team \"world\", PE " + world.pe(),
                            "returned " + "null");
        });
    }
}
