// SPDX-License-Identifier: Apache-2.0
package coterie.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ScalarLoopTest {
    /// The compiler inlines no method with more bytes of code (`-XX:FreqInlineSize`), however hot it is.
    private static final int MOST = 325;

    @Test
    @DisplayName("no method of the loops is too long to be inlined: they were ten times slower with one that was")
    void isInlined() throws IOException {
        byte[] file;
        try (InputStream in = Objects.requireNonNull(ScalarLoop.class.getResourceAsStream("ScalarLoop.class"))) {
            file = in.readAllBytes();
        }
        assertThat(ClassFile.of().parse(file).methods())
                .isNotEmpty()
                .allSatisfy(method -> assertThat(method.findAttribute(Attributes.code())
                                .orElseThrow()
                                .codeLength())
                        .as("bytes of code of %s", method.methodName())
                        .isLessThanOrEqualTo(MOST));
    }
}
