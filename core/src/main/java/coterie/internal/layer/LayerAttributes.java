// SPDX-License-Identifier: Apache-2.0
package coterie.internal.layer;

import coterie.collective.CollectiveType;
import coterie.internal.score.AlgorithmTable;
import coterie.layer.Attributes;
import coterie.layer.Layer;
import coterie.layer.LayerLibrary;
import java.util.List;
import java.util.function.BiFunction;

/// What a layer that plugs in can do, as it says of itself before there is a team.
public record LayerAttributes(Layer layer, Attributes attributes) {

    /// Asks a layer that is not at work in any world.
    ///
    /// @param settingSources of the values of its fields
    public static LayerAttributes of(Layer layer, SettingSources settingSources) {
        LayerLibrary library = layer.open(new FieldValues(layer, settingSources));
        try {
            return new LayerAttributes(layer, library.attributes());
        } finally {
            library.close();
        }
    }

    public String name() {
        return layer.name();
    }

    /// Members of the smallest team that it serves.
    public int minMembers() {
        return attributes.minMembers();
    }

    /// Members of the largest team that it serves.
    public int maxMembers() {
        return attributes.maxMembers();
    }

    /// Its algorithms by name.
    ///
    /// @param factory of an algorithm, by its collective and its name
    public <F> AlgorithmTable<F> table(BiFunction<CollectiveType, String, F> factory) {
        AlgorithmTable.Builder<F> builder = AlgorithmTable.builder(name(), layer.defaultScore());
        for (CollectiveType type : CollectiveType.values()) {
            for (String algorithm : attributes.algorithms().getOrDefault(type, List.of())) {
                builder.add(type, algorithm, factory.apply(type, algorithm));
            }
        }
        return builder.build();
    }
}
