// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.internal.collective.Layers;
import coterie.internal.score.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// What people have set of the layers that serve collectives.
public final class LayerSettings {
    private static final Map<String, Setting> TUNES = Map.of(
            "self",
            Setting.TL_SELF_TUNE,
            "mapped",
            Setting.TL_MAPPED_TUNE,
            "p2p",
            Setting.TL_P2P_TUNE,
            "hier",
            Setting.CL_HIER_TUNE);

    private LayerSettings() {}

    /// The layers as they are set. PE 0 logs what of it can't be used.
    ///
    /// @throws IllegalArgumentException if the list can't be read; where tuning is strict, also for what can't be
    ///     used or has no effect
    static Layers read(int me, int size) {
        Layers layers = layers();
        List<String> remarks = remarks(layers, size);
        if (!remarks.isEmpty() && Setting.TUNE_STRICT.flag()) {
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
                TUNES.entrySet().stream()
                        .collect(Collectors.toMap(
                                Map.Entry::getKey, tune -> tune.getValue().value())));
    }

    /// What is to be said of the tuning strings, a line each.
    public static List<String> remarks(Layers layers, int size) {
        List<String> remarks = new ArrayList<>();
        for (String layer : Layers.names()) {
            Setting setting = TUNES.get(layer);
            if (setting != null) {
                for (Finding finding : layers.findings(layer, size)) {
                    remarks.add("setting " + setting.name() + " (from " + setting.origin() + "), " + finding);
                }
            }
        }
        return remarks;
    }
}
