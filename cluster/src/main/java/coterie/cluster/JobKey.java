// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import coterie.CoterieException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/// What a process needs to join a job: the address of the job's coordinator, and a secret. A process that has the
/// secret can act as any PE of the job, so that a key belongs into a file of mode 0600 or on standard input, and
/// neither on a command line nor into an environment variable.
///
/// As text, a key is three lines:
///
/// ```
///  coterie-job-key 1
///  address 10.1.0.7:40123
///  secret 64 hexadecimal digits
/// ```
///
/// Immutable.
public final class JobKey {
    /// Bytes of a secret.
    static final int SECRET_BYTES = 32;

    private static final String HEADER = "coterie-job-key 1";
    private static final String ADDRESS = "address ";
    private static final String SECRET = "secret ";

    /// No key is longer: names of hosts have 253 characters at most.
    private static final int MAX_TEXT_BYTES = 512;

    private static final Set<PosixFilePermission> OWNER_ALONE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> OWNERS_OWN = PosixFilePermissions.fromString("rwx------");

    private final String host;
    private final int port;
    private final byte[] secret;

    private JobKey(String host, int port, byte[] secret) {
        this.host = host;
        this.port = port;
        this.secret = secret;
    }

    /// Returns a key with a new random secret.
    ///
    /// @param host name or address of the coordinator, as PEs reach it
    /// @param port in `[1, 65535]`
    static JobKey create(String host, int port) {
        return of(host, port, newSecret());
    }

    /// Returns a key.
    ///
    /// @param secret of 32 bytes; the caller must not change it afterwards
    static JobKey of(String host, int port, byte[] secret) {
        return new JobKey(host, port, secret);
    }

    /// Returns a random secret.
    static byte[] newSecret() {
        byte[] secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        return secret;
    }

    /// Returns the first address of the coordinator, resolved by this call.
    InetSocketAddress address() {
        return new InetSocketAddress(host, port);
    }

    /// Returns all addresses of the coordinator's name, resolved by this call: it listens on one of them.
    ///
    /// @throws UnknownHostException if the name does not resolve
    List<InetSocketAddress> addresses() throws UnknownHostException {
        return Arrays.stream(InetAddress.getAllByName(host))
                .map(each -> new InetSocketAddress(each, port))
                .toList();
    }

    /// Returns this key with the one address at which the coordinator has answered.
    JobKey at(InetAddress address) {
        return of(address.getHostAddress(), port, secret);
    }

    /// Returns host and port for messages.
    String place() {
        return host.indexOf(':') < 0 ? host + ":" + port : "[" + host + "]:" + port;
    }

    /// Returns the secret; the caller must not change or print it.
    byte[] secret() {
        return secret;
    }

    /// Returns the key as text, for a file of mode 0600 or for the standard input of a process.
    public String text() {
        return HEADER + "\n" + ADDRESS + place() + "\n" + SECRET
                + HexFormat.of().formatHex(secret) + "\n";
    }

    /// Writes the key to a new file of mode 0600. Readers see the whole key or no file.
    ///
    /// @throws IOException if the file can't be written
    public void write(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        Path draft =
                Files.createTempFile(folder, ".coterie-key-", null, PosixFilePermissions.asFileAttribute(OWNER_ALONE));
        try {
            Files.writeString(draft, text());
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    /// Reads a key from a file. It must be a file of this user that no other user can read or write.
    ///
    /// @throws NoSuchFileException if there is no such file
    /// @throws IOException if the file can't be read
    /// @throws CoterieException if other users have access to the file, or it has no key
    public static JobKey read(Path file) throws IOException {
        PosixFileAttributes attributes = Files.readAttributes(file, PosixFileAttributes.class);
        boolean isMine = attributes.owner().equals(Files.getOwner(Path.of("/proc/self"), LinkOption.NOFOLLOW_LINKS));
        if (!isMine || !OWNERS_OWN.containsAll(attributes.permissions())) {
            throw new CoterieException("job key " + file + ": it belongs to "
                    + attributes.owner().getName() + " and has mode "
                    + PosixFilePermissions.toString(attributes.permissions())
                    + ", but it must be a file of this user that no other user can use; chmod 600 it, and take a new"
                    + " key if others may have read it");
        }
        try (InputStream in = Files.newInputStream(file)) {
            return read(in, file.toString());
        }
    }

    /// Reads a key from a stream, and not a byte more, so that the rest of standard input stays for the program.
    ///
    /// @param source of the stream, for messages
    /// @throws IOException if the stream can't be read
    /// @throws CoterieException if it does not begin with a key
    public static JobKey read(InputStream in, String source) throws IOException {
        byte[] text = new byte[MAX_TEXT_BYTES];
        int length = 0;
        for (int lines = 0; lines < 3 && length < text.length; length++) {
            int next = in.read();
            if (next < 0) {
                break;
            }
            text[length] = (byte) next;
            lines += next == '\n' ? 1 : 0;
        }
        return parse(new String(text, 0, length, StandardCharsets.UTF_8), source);
    }

    /// Returns the key that [#text] has written.
    ///
    /// @throws CoterieException if the text does not begin with a key
    public static JobKey parse(String text) {
        Objects.requireNonNull(text, "JobKey.parse: text is null");
        return parse(text, "text");
    }

    static JobKey parse(String text, String source) {
        String[] lines = text.split("\n", -1);
        if (lines.length >= 3
                && lines[0].equals(HEADER)
                && lines[1].startsWith(ADDRESS)
                && lines[2].matches(SECRET + "[0-9a-f]{" + 2 * SECRET_BYTES + "}")) {
            String place = lines[1].substring(ADDRESS.length());
            int colon = place.lastIndexOf(':');
            String port = place.substring(colon + 1);
            if (colon > 0 && port.matches("[0-9]{1,5}") && Integer.parseInt(port) <= 0xFFFF) {
                String host = place.substring(0, colon).replaceFirst("^\\[(.*)]$", "$1");
                byte[] secret = HexFormat.of().parseHex(lines[2].substring(SECRET.length()));
                return new JobKey(host, Integer.parseInt(port), secret);
            }
        }
        throw new CoterieException("job key from " + source + ": there are no three lines \"" + HEADER
                + "\", \"address HOST:PORT\" and \"secret HEX\"; pass the key that the coordinator has written");
    }

    /// Returns the address alone: a key must not get into logs.
    @Override
    public String toString() {
        return "key of the job at " + place();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof JobKey key
                && key.host.equals(host)
                && key.port == port
                && Arrays.equals(key.secret, secret);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(secret);
    }
}
