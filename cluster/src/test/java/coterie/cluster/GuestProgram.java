// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import coterie.CustomReduction;
import coterie.LongView;
import coterie.RecordLayout;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.Request;
import coterie.layer.Field;
import coterie.spi.FaceSupport;
import coterie.spi.SettingsProvider;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.BiFunction;

/// A PE whose classes a loader of their own has loaded: a record, a reduction of it, and a module with a setting.
public final class GuestProgram implements BiFunction<String, Integer, String> {
    /// For the loader.
    public GuestProgram() {}

    /// What PEs reduce.
    public record Extent(long least, double most) {
        static Extent of(Extent one, Extent other) {
            return new Extent(Math.min(one.least, other.least), Math.max(one.most, other.most));
        }
    }

    /// The settings of the guest's module.
    public static final class Settings implements SettingsProvider {
        /// For the service loader.
        public Settings() {}

        @Override
        public List<Field> settings() {
            return List.of(new Field("GUEST_COLOUR", "red", "a colour"));
        }
    }

    /// Joins a job, and returns what the PEs have found.
    @Override
    public String apply(String key, Integer pe) {
        return WorldJoin.by(JobKey.parse(key))
                .pe(pe)
                .with("GUEST_COLOUR", "blue")
                .call(GuestProgram::work);
    }

    private static String work(World world) {
        int pe = world.pe();
        RecordLayout<Extent> layout = RecordLayout.of(Extent.class);
        Extent all = world.team().allReduce(layout, Extent::of, new Extent(10L - pe, pe / 2.0));
        LongView longs = world.allocate(2L * Long.BYTES).longs();
        longs.set(0, 2 + pe);
        CustomReduction product = new CustomReduction(
                "product",
                Long.BYTES,
                (target, left, right, count) -> target.set(
                        ValueLayout.JAVA_LONG,
                        0,
                        left.get(ValueLayout.JAVA_LONG, 0) * right.get(ValueLayout.JAVA_LONG, 0)));
        try (Request request = world.team()
                .prepare(Collective.allReduce(product).source(longs, 0, 1).target(longs, 1, 1))) {
            request.post();
            request.await();
        }
        return all + " " + longs.get(1) + " " + FaceSupport.of(world).setting("GUEST_COLOUR");
    }
}
