// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/// The files in PEM form of the certificates that a process shows, and of those that it trusts. All are read and
/// checked at once, so
/// that a message names the file.
final class CertificateFiles {
    /// Their settings, for messages.
    static final String NAMES = "ENCRYPTION_CERTIFICATES, ENCRYPTION_KEY and ENCRYPTION_ROOTS";

    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    private static final Pattern OTHER_KEY = Pattern.compile("-----BEGIN ([A-Z ]*PRIVATE KEY)-----");

    private final List<X509Certificate> chain;
    private final PrivateKey key;
    private final List<X509Certificate> roots;

    private CertificateFiles(List<X509Certificate> chain, PrivateKey key, List<X509Certificate> roots) {
        this.chain = chain;
        this.key = key;
        this.roots = roots;
    }

    /// Returns the files of the settings, or null if none is set.
    ///
    /// @throws IllegalArgumentException if one can't be used
    static @Nullable CertificateFiles of(UnaryOperator<String> settings) {
        NamedFile chainFile = new NamedFile("ENCRYPTION_CERTIFICATES", settings);
        NamedFile keyFile = new NamedFile("ENCRYPTION_KEY", settings);
        NamedFile rootsFile = new NamedFile("ENCRYPTION_ROOTS", settings);
        List<NamedFile> missing = Stream.of(chainFile, keyFile, rootsFile)
                .filter(file -> file.path.isEmpty())
                .toList();
        if (missing.size() == 3) {
            return null;
        }
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException("setting "
                    + missing.stream().map(file -> file.setting).collect(Collectors.joining(", "))
                    + ": it names no file; set all of " + NAMES + ", or none");
        }
        List<X509Certificate> chain = chainFile.certificates();
        PrivateKey key = keyFile.key(chain.getFirst());
        List<X509Certificate> roots = rootsFile.certificates();
        chainFile.check(chain, roots, rootsFile);
        return new CertificateFiles(chain, key, roots);
    }

    KeyManager[] keyManagers() {
        return OwnCertificate.keyManagers(key, chain.toArray(Certificate[]::new));
    }

    TrustManager[] trustManagers() {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            for (int i = 0; i < roots.size(); i++) {
                store.setCertificateEntry("root" + i, roots.get(i));
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            factory.init(store);
            return factory.getTrustManagers();
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("setting ENCRYPTION_ROOTS: this JDK can't keep certificates in memory", e);
        }
    }

    /// A file that a setting names.
    private static final class NamedFile {
        final String setting;
        final String path;

        NamedFile(String setting, UnaryOperator<String> settings) {
            this.setting = setting;
            this.path = settings.apply(setting);
        }

        IllegalArgumentException wrong(String why, @Nullable Throwable cause) {
            return new IllegalArgumentException("setting " + setting + ": file " + path + ": " + why, cause);
        }

        private byte[] bytes() {
            try {
                return Files.readAllBytes(Path.of(path));
            } catch (NoSuchFileException e) {
                throw wrong("there is no such file", e);
            } catch (IOException e) {
                throw wrong("it can't be read: " + e, e);
            }
        }

        List<X509Certificate> certificates() {
            List<X509Certificate> found = new ArrayList<>();
            try {
                Collection<? extends Certificate> all =
                        CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(bytes()));
                for (Certificate each : all) {
                    found.add((X509Certificate) each);
                }
            } catch (CertificateException e) {
                throw wrong("it has no certificates in PEM form: " + e.getMessage(), e);
            }
            if (found.isEmpty()) {
                throw wrong("it has no certificates in PEM form (\"-----BEGIN CERTIFICATE-----\")", null);
            }
            for (X509Certificate each : found) {
                try {
                    each.checkValidity();
                } catch (CertificateExpiredException e) {
                    throw wrong("the certificate of " + subject(each) + " expired at " + each.getNotAfter(), e);
                } catch (CertificateNotYetValidException e) {
                    throw wrong("the certificate of " + subject(each) + " begins at " + each.getNotBefore(), e);
                }
            }
            return found;
        }

        private static String subject(X509Certificate certificate) {
            return certificate.getSubjectX500Principal().getName();
        }

        /// Returns the key of a certificate.
        PrivateKey key(X509Certificate certificate) {
            String text = new String(bytes(), StandardCharsets.ISO_8859_1);
            Matcher found = KEY.matcher(text);
            if (!found.find()) {
                Matcher other = OTHER_KEY.matcher(text);
                throw wrong(
                        (other.find() ? "it has an " + other.group(1) : "it has no private key in PEM form")
                                + ", and must have a PRIVATE KEY without a password (PKCS #8); openssl pkcs8 -topk8"
                                + " -nocrypt makes it",
                        null);
            }
            String algorithm = certificate.getPublicKey().getAlgorithm();
            String misfit = "the key does not belong to the first certificate of the chain, of " + subject(certificate)
                    + ", whose key is of kind " + algorithm;
            try {
                byte[] encoded = Base64.getMimeDecoder().decode(found.group(1));
                PrivateKey key = KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
                if (!fits(key, certificate)) {
                    throw wrong(misfit, null);
                }
                return key;
            } catch (InvalidKeySpecException | InvalidKeyException | SignatureException e) {
                throw wrong(misfit + ": " + e.getMessage(), e);
            } catch (GeneralSecurityException e) {
                throw wrong("this JDK has no keys of kind " + algorithm, e);
            }
        }

        /// Returns whether a certificate's key verifies what a key signs.
        private static boolean fits(PrivateKey key, X509Certificate certificate) throws GeneralSecurityException {
            String kind = switch (key.getAlgorithm()) {
                case "EC" -> "SHA256withECDSA";
                case "RSA" -> "SHA256withRSA";
                default -> key.getAlgorithm();
            };
            byte[] text = NAMES.getBytes(StandardCharsets.US_ASCII);
            Signature signature = Signature.getInstance(kind);
            signature.initSign(key);
            signature.update(text);
            byte[] signed = signature.sign();
            signature.initVerify(certificate.getPublicKey());
            signature.update(text);
            return signature.verify(signed);
        }

        /// Checks that a chain leads to a root. A chain may end with its root.
        void check(List<X509Certificate> chain, List<X509Certificate> roots, NamedFile rootsFile) {
            List<X509Certificate> path =
                    chain.stream().filter(each -> !roots.contains(each)).toList();
            if (path.isEmpty()) {
                return; // it is a root itself
            }
            try {
                Set<TrustAnchor> anchors =
                        roots.stream().map(root -> new TrustAnchor(root, null)).collect(Collectors.toSet());
                PKIXParameters parameters = new PKIXParameters(anchors);
                parameters.setRevocationEnabled(false);
                CertPathValidator.getInstance("PKIX")
                        .validate(CertificateFactory.getInstance("X.509").generateCertPath(path), parameters);
            } catch (CertPathValidatorException e) {
                throw wrong(
                        "the certificate of " + subject(chain.getFirst()) + " does not lead to a root of setting "
                                + rootsFile.setting + ", file " + rootsFile.path + ": " + e.getMessage(),
                        e);
            } catch (GeneralSecurityException e) {
                throw wrong("this JDK can't check it: " + e.getMessage(), e);
            }
        }
    }
}
