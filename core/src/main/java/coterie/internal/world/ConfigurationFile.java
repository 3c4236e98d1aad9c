// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The file with a user's settings for all programs: lines `COTERIE_NAME = value`, empty lines, and lines that
/// begin with `#`, which are comments.
///
/// Each query of a setting reads the file again, so that a new world gets the file's current contents.
final class ConfigurationFile {
    private static final String AUTO = "auto";
    static final String PREFIX = "COTERIE_";

    /// A value, with its file and line.
    ///
    /// @param line counted from 1
    record Entry(String value, Path file, int line) {
        /// Returns "file:line", for messages.
        String place() {
            return file + ":" + line;
        }
    }

    private ConfigurationFile() {}

    /// Returns the file's entry of a setting, or null.
    ///
    /// @param setting its name, such as `TLS`
    /// @throws IllegalArgumentException if the file can't be read, with the position of the error
    static @Nullable Entry of(String setting) {
        return entries().get(setting);
    }

    /// Returns all entries of the file by the names of settings, such as `TLS`.
    ///
    /// @throws IllegalArgumentException if the file can't be read, with the position of the error
    static Map<String, Entry> entries() {
        String named = Setting.CONFIG_FILE.value();
        if (named.isEmpty()) {
            return Map.of();
        }
        boolean isNamed = !named.equals(AUTO);
        Path file = isNamed ? Path.of(named) : byDefault();
        try {
            return parse(file, Files.readAllLines(file));
        } catch (NoSuchFileException e) {
            if (isNamed) {
                throw new IllegalArgumentException(unreadable(file, "there is no such file"), e);
            }
            return Map.of();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(
                    unreadable(file, "it is not text in UTF-8; save it as UTF-8, without a byte order mark"), e);
        } catch (IOException e) {
            throw new IllegalArgumentException(unreadable(file, String.valueOf(e.getMessage())), e);
        }
    }

    private static String unreadable(Path file, String why) {
        return "setting " + Setting.CONFIG_FILE.name() + " (from " + Setting.CONFIG_FILE.origin() + "): " + file
                + " can't be read: " + why;
    }

    private static Path byDefault() {
        String folder = System.getenv("XDG_CONFIG_HOME");
        return (folder == null || folder.isEmpty()
                        ? Path.of(System.getProperty("user.home"), ".config")
                        : Path.of(folder))
                .resolve("coterie.conf");
    }

    /// Parses the lines of a file.
    static Map<String, Entry> parse(Path file, List<String> lines) {
        Map<String, Entry> entries = new HashMap<>();
        for (int number = 1; number <= lines.size(); number++) {
            String line = lines.get(number - 1);
            int begin = line.length() - line.stripLeading().length();
            if (begin < line.length() && line.charAt(begin) != '#') {
                read(entries, file, number, line, begin);
            }
        }
        return entries;
    }

    private static void read(Map<String, Entry> entries, Path file, int number, String line, int begin) {
        int equals = line.indexOf('=');
        String where = file + ":" + number + ":" + (begin + 1) + ": ";
        if (equals < 0) {
            throw new IllegalArgumentException(
                    where + "\"" + line.strip() + "\" is not a setting; lines are NAME = value, or begin with #");
        }
        String name = line.substring(begin, equals).strip();
        if (!LayerSettings.isSetting(name)) {
            throw new IllegalArgumentException(where + "there is no setting " + name
                    + new UnknownSettings(LayerSettings.plugins().layers()).question(name)
                    + "; 'coterie info --config' lists them all");
        }
        if (name.equals(Setting.CONFIG_FILE.variable())) {
            throw new IllegalArgumentException(where + name + " can't be set in the file that it names; set it as "
                    + "environment variable or system property");
        }
        Entry entry = new Entry(line.substring(equals + 1).strip(), file, number);
        Entry before = entries.put(name.substring(PREFIX.length()), entry);
        if (before != null) {
            throw new IllegalArgumentException(where + name + " is set in line " + before.line + " already");
        }
    }
}
