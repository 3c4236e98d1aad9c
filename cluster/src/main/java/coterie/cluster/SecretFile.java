// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import coterie.CoterieException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// A file with the secret that all processes of a job have: any bytes, such as 32 random ones, which a
/// scheduler or an administrator has put there. One of these must hold, so that other users of the machine
/// can't read it:
///
/// | owner | mode at most | such as |
/// | --- | --- | --- |
/// | the user of this process | 0700 | a file of the user |
/// | root | 0750 | a credential of systemd, a secret of Kubernetes with `defaultMode: 0440` and `fsGroup` |
/// | root | 0755, on a tmpfs that is mounted for reading alone | a secret of Kubernetes or Docker by default |
///
/// An engine makes such a mount for the processes of one container, and other users of the machine don't reach
/// it.
final class SecretFile {
    private static final int MIN_BYTES = 16;
    private static final int MAX_BYTES = 1 << 16;
    private static final int ROOT = 0;
    private static final String ALGORITHM = "HmacSHA256";

    private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> GROUP = PosixFilePermissions.fromString("rwxr-x---");
    private static final Set<PosixFilePermission> ALL = PosixFilePermissions.fromString("rwxr-xr-x");

    private SecretFile() {}

    /// Reads the secret, and returns a key that is made of it.
    ///
    /// @throws IOException if the file can't be read
    /// @throws CoterieException if other users may read it, or it is too short or too long
    static byte[] read(Path file) throws IOException {
        PosixFileAttributes attributes = Files.readAttributes(file, PosixFileAttributes.class);
        boolean isMine = attributes.owner().equals(Files.getOwner(Path.of("/proc/self"), LinkOption.NOFOLLOW_LINKS));
        boolean isRoots = Files.getAttribute(file, "unix:uid").equals(ROOT);
        if (!isHidden(attributes.permissions(), isMine, isRoots, isMountedForReading(file))) {
            throw new CoterieException("join: the secret " + file + " belongs to "
                    + attributes.owner().getName() + " and has mode "
                    + PosixFilePermissions.toString(attributes.permissions())
                    + ", so that other users may read or change it; it must be of this user with mode 0600, of root with"
                    + " mode 0640, or a secret that an engine of containers mounts; take a new secret if others may"
                    + " have read it");
        }
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        }
        int length = withoutLineEnd(bytes);
        if (length < MIN_BYTES || length > MAX_BYTES) {
            throw new CoterieException("join: the secret " + file + " has " + (length > MAX_BYTES ? "more than " : "")
                    + Math.min(length, MAX_BYTES) + " bytes without the end of a line, outside [" + MIN_BYTES + ", "
                    + MAX_BYTES + "]; make one with 'openssl rand -hex 32'");
        }
        return key(Arrays.copyOf(bytes, length));
    }

    /// Returns whether other users of the machine can neither read nor change a file.
    ///
    /// @param isMine whether it belongs to the user of this process
    /// @param isRoots whether it belongs to root
    /// @param isMounted whether it is on a tmpfs that is mounted for reading alone
    static boolean isHidden(Set<PosixFilePermission> mode, boolean isMine, boolean isRoots, boolean isMounted) {
        return (isMine && OWNER.containsAll(mode))
                || (isRoots && GROUP.containsAll(mode))
                || (isRoots && isMounted && ALL.containsAll(mode));
    }

    private static boolean isMountedForReading(Path file) throws IOException {
        FileStore store = Files.getFileStore(file.toRealPath()); // Kubernetes has links there
        return store.isReadOnly() && store.type().equals("tmpfs");
    }

    /// Editors and `echo` end the last line, and other tools do not.
    private static int withoutLineEnd(byte[] bytes) {
        int length = bytes.length;
        if (length > 0 && bytes[length - 1] == '\n') {
            length--;
            if (length > 0 && bytes[length - 1] == '\r') {
                length--;
            }
        }
        return length;
    }

    private static byte[] key(byte[] secret) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
            return mac.doFinal("coterie env 1\n".getBytes(StandardCharsets.US_ASCII));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("each JDK has " + ALGORITHM, e);
        }
    }
}
