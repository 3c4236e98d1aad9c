// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.internal.collective.Layers;
import coterie.internal.score.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// What people have set of the layers that serve collectives.
public final class LayerSettings {
    private LayerSettings() {}

    /// The layers as they are set. PE 0 logs what of it can't be used.
    ///
    /// @throws IllegalArgumentException if the list can't be read; where tuning is strict, also for what can't be
    ///     used or has no effect
    static Layers read(int me, int size) {
        Layers layers = layers();
        List<String> remarks = remarks(layers, size);
        boolean isStrict = Setting.TUNE_STRICT.flag();
        if (isStrict && !remarks.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", remarks));
        }
        if (me == 0) {
            System.Logger logger = System.getLogger("coterie");
            remarks.forEach(remark -> logger.log(System.Logger.Level.WARNING, remark));
        }
        return layers;
    }

    /// The layers as they are set.
    public static Layers layers() {
        return Layers.of(
                Setting.TLS.value(),
                "setting " + Setting.TLS.name(),
                Layers.names().stream()
                        .collect(Collectors.toMap(
                                layer -> layer, layer -> tune(layer).value())));
    }

    /// What has a layer's tuning string.
    private static Setting tune(String layer) {
        return switch (layer) {
            case "self" -> Setting.TL_SELF_TUNE;
            case "mapped" -> Setting.TL_MAPPED_TUNE;
            case "p2p" -> Setting.TL_P2P_TUNE;
            case "hier" -> Setting.CL_HIER_TUNE;
            default -> throw new AssertionError(layer);
        };
    }

    /// What is to be said of the tuning strings, a line each.
    public static List<String> remarks(Layers layers, int size) {
        List<String> remarks = new ArrayList<>();
        for (String layer : Layers.names()) {
            Setting setting = tune(layer);
            for (Finding finding : layers.findings(layer, size)) {
                remarks.add("setting " + setting.name() + " (from " + setting.origin() + "), " + finding);
            }
        }
        return remarks;
    }
}
