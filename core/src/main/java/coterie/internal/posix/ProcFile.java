// SPDX-License-Identifier: Apache-2.0
package coterie.internal.posix;

import coterie.CoterieException;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// The small files of `/proc` and `/sys` in which the kernel says what the JDK has no method for, or only a slow
/// one.
public final class ProcFile {
    private ProcFile() {}

    /// What the file says, or nothing where there is none.
    public static String text(String path) {
        try (FileInputStream in = new FileInputStream(path)) {
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (FileNotFoundException e) {
            return "";
        } catch (IOException e) {
            throw new CoterieException("reading ".concat(path), e);
        }
    }

    /// A quantity of `/proc/meminfo` in bytes, such as "MemTotal".
    ///
    /// @throws CoterieException if the kernel does not tell it
    public static long memoryBytes(String key) {
        String table = text("/proc/meminfo");
        int at = table.indexOf(key.concat(":"));
        int end = table.indexOf(" kB", at);
        if (at < 0 || end < 0) {
            throw new CoterieException("reading this machine's memory: /proc/meminfo has no " + key);
        }
        return 1024 * Long.parseLong(table.substring(at + key.length() + 1, end).trim());
    }
}
