// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.device;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/// The device header and the files that it includes, as resources of this module.
public final class DeviceHeaders {

    /// The names by which kernels include them.
    public static final List<String> NAMES = List.of(
            "coterie.cuh",
            "coterie_gin.cuh",
            "coterie_lsa.cuh",
            "coterie_order.cuh",
            "coterie_reduce.cuh",
            "coterie_types.cuh");

    private DeviceHeaders() {}

    /// Returns the text of a header.
    ///
    /// @param name one of [#NAMES]
    /// @throws IllegalArgumentException for another name
    public static String source(String name) {
        if (!NAMES.contains(Objects.requireNonNull(name, "source: name is null"))) {
            throw new IllegalArgumentException("device header \"" + name + "\": allowed are " + NAMES);
        }
        try (InputStream stream = DeviceHeaders.class.getResourceAsStream("/coterie/cuda/" + name)) {
            if (stream == null) {
                throw new IllegalStateException("device header " + name + ": the jar of coterie.cuda lacks it");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("device header " + name, e);
        }
    }
}
