// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 2, unit = TimeUnit.MINUTES)
class EnvEncryptedTest extends EnvJobsCase {
    private static final String PASSWORD = "changeit";
    private static final Map<String, String> ENCRYPTED = Map.of("COTERIE_ENCRYPTION", "tls");

    @TempDir
    private Path files;

    @Test
    @DisplayName("processes that make their certificates themselves are a job whose coordinator they reach by TLS")
    void own() throws Exception {
        run(3, 1, ENCRYPTED, noCache());
    }

    @Test
    @DisplayName("processes that have a certificate and its key as files are a job, too")
    void given() throws Exception {
        Map<String, String> variables = new HashMap<>(ENCRYPTED);
        Path store = files.resolve("store.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "pe",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=pe.example",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .start();
        output(keytool, 0);
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream from = Files.newInputStream(store)) {
            keys.load(from, PASSWORD.toCharArray());
        }
        String certificate = pem("CERTIFICATE", keys.getCertificate("pe").getEncoded());
        variables.put("COTERIE_ENCRYPTION_CERTIFICATES", certificate);
        variables.put("COTERIE_ENCRYPTION_ROOTS", certificate);
        variables.put(
                "COTERIE_ENCRYPTION_KEY",
                pem("PRIVATE KEY", keys.getKey("pe", PASSWORD.toCharArray()).getEncoded()));
        run(3, 2, variables, noCache());
    }

    private String pem(String label, byte[] content) throws Exception {
        Path file = Files.createFile(
                files.resolve(label + ".pem"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        String text = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(content);
        return Files.writeString(file, "-----BEGIN " + label + "-----\n" + text + "\n-----END " + label + "-----\n")
                .toString();
    }
}
