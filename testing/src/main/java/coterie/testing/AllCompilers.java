// SPDX-License-Identifier: Apache-2.0
package coterie.testing;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Gives the PEs of a class's tests all compilers of the JVM, in a run whose other PEs have the first one only: for
/// tests of what compilers do to loads and stores. By `@ExtendWith`. Tests of what is allocated do without, where no
/// promise is about compiled loops: the first compiler removes no object, so that they find each that the code makes.
public final class AllCompilers implements BeforeAllCallback, AfterAllCallback {
    private static final String JVM_OPTIONS = "coterie.junit.jvmOptions";

    private String given = "";

    @Override
    public void beforeAll(ExtensionContext context) {
        given = System.getProperty(JVM_OPTIONS, "");
        System.setProperty(JVM_OPTIONS, "");
    }

    @Override
    public void afterAll(ExtensionContext context) {
        System.setProperty(JVM_OPTIONS, given);
    }
}
