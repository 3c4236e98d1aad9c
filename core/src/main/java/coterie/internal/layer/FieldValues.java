// SPDX-License-Identifier: Apache-2.0
package coterie.internal.layer;

import coterie.collective.MemoryType;
import coterie.internal.memory.SizeText;
import coterie.internal.schedule.FragmentOrder;
import coterie.internal.schedule.PipelineParameters;
import coterie.internal.score.RangedValue;
import coterie.layer.Configuration;
import coterie.layer.Field;
import coterie.layer.FragmentPipeline;
import coterie.layer.Layer;
import coterie.layer.WorldParameters;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.LongToIntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The values of a layer's fields.
///
/// @param parameters of the world, or null if the layer opens in none
record FieldValues(
        Layer layer,
        SettingSources settingSources,
        @Nullable WorldParameters parameters) implements Configuration {
    /// Outside a world.
    FieldValues(Layer layer, SettingSources settingSources) {
        this(layer, settingSources, null);
    }

    @Override
    public System.Logger logger() {
        SettingSources.Found found =
                settingSources.find(LayerDiscovery.setting(layer, LayerDiscovery.LOG_LEVEL), "warning");
        for (System.Logger.Level level : System.Logger.Level.values()) {
            if (level.name().equalsIgnoreCase(found.value())) {
                return new LayerLogger(LayerDiscovery.logger(layer), level);
            }
        }
        throw unreadable(LayerDiscovery.LOG_LEVEL, found, "one of all, trace, debug, info, warning, error, off", null);
    }

    @Override
    public Optional<WorldParameters> world() {
        return Optional.ofNullable(parameters);
    }

    @Override
    public String text(String field) {
        return found(field).value();
    }

    @Override
    public long number(String field, long least, long most) {
        SettingSources.Found found = found(field);
        NumberFormatException cause = null;
        try {
            long number = Long.parseLong(found.value());
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            cause = e;
        }
        throw unreadable(field, found, "a number in [" + least + ", " + most + "]", cause);
    }

    @Override
    public long bytes(String field, long least, long most) {
        String text = text(field);
        OptionalLong bytes = text.equalsIgnoreCase("inf") ? OptionalLong.of(Long.MAX_VALUE) : SizeText.parse(text);
        if (bytes.isEmpty() || bytes.getAsLong() < least || bytes.getAsLong() > most) {
            throw invalidValue(
                    field, "a number of bytes in [" + least + ", " + most + "], with an optional suffix k, m, g or t");
        }
        return bytes.getAsLong();
    }

    @Override
    public LongToIntFunction bySize(String field, int least) {
        RangedValue value = read(
                field,
                text -> RangedValue.parse(field, text, least),
                "a number of at least " + least + ", also by sizes, such as 0-4k:8,auto");
        return bytes -> value.at(MemoryType.HOST, bytes);
    }

    @Override
    public LongFunction<FragmentPipeline> pipeline(String field) {
        PipelineParameters read = read(
                field,
                text -> PipelineParameters.parse(text, PipelineParameters.NONE),
                "a division into fragments, such as thresh=64k:fragsize=1m:pdepth=2");
        FragmentPipeline.Order order = read.order() == FragmentOrder.SEQUENTIAL
                ? FragmentPipeline.Order.SEQUENTIAL
                : FragmentPipeline.Order.TOGETHER;
        return bytes -> new FragmentPipeline(read.fragments(bytes), read.depth(read.fragments(bytes)), order);
    }

    @Override
    public boolean flag(String field) {
        SettingSources.Found found = found(field);
        return switch (found.value()) {
            case "true" -> true;
            case "false" -> false;
            default -> throw unreadable(field, found, "true or false", null);
        };
    }

    @Override
    public IllegalArgumentException invalidValue(String field, String allowed) {
        return unreadable(field, found(field), allowed, null);
    }

    private <T> T read(String field, Function<String, T> parser, String allowed) {
        SettingSources.Found found = found(field);
        try {
            return parser.apply(found.value());
        } catch (IllegalArgumentException e) {
            throw unreadable(field, found, allowed + ": " + e.getMessage(), e);
        }
    }

    private SettingSources.Found found(String field) {
        for (Field each : layer.fields()) {
            if (each.name().equals(field)) {
                return settingSources.find(LayerDiscovery.setting(layer, field), each.byDefault());
            }
        }
        throw new IllegalArgumentException("layer " + layer.name() + ": it has no field \"" + field + "\"; it has "
                + layer.fields().stream().map(Field::name).collect(Collectors.joining(", ")));
    }

    private SettingException unreadable(
            String field, SettingSources.Found found, String allowed, @Nullable Throwable cause) {
        return new SettingException(
                "setting " + LayerDiscovery.setting(layer, field) + ": \"" + found.value() + "\" (from "
                        + found.origin() + ") is not " + allowed,
                cause);
    }
}
