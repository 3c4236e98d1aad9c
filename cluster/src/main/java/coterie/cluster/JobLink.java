// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import coterie.CoterieException;
import coterie.cluster.JobFrame.Kind;
import coterie.spi.Encryption;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/// A PE's connection to the coordinator of its job. One thread receives; any thread may send.
final class JobLink implements Closeable {
    /// Time for one step of the connection and of the handshake.
    private static final int STEP_MILLIS = 5000;

    /// Pause before another attempt to reach a coordinator that may not listen yet.
    private static final Duration RETRY_PAUSE = Duration.ofMillis(100);

    /// A coordinator that closes the connection after the proof may be short of room; after so many attempts the
    /// reason is the secret.
    private static final int MAX_REFUSALS = 3;

    private final Socket socket;
    private final JobClock clock;
    private InputStream in;
    private OutputStream out;
    private JobFrame.Reader reader = new JobFrame.Reader(JobFrame.MAX_PE_LENGTH);
    private final byte[] buffer = new byte[1 << 16];
    private final ReentrantLock sending = new ReentrantLock();
    private long silenceNanos;
    private volatile long sentNanos;
    private volatile long heardNanos;

    private JobLink(Socket socket, JobClock clock) throws IOException {
        this.socket = socket;
        this.clock = clock;
        this.sentNanos = clock.nanoTime();
        this.heardNanos = sentNanos;
        this.in = socket.getInputStream();
        this.out = socket.getOutputStream();
    }

    /// Connects to the coordinator, and proves to it that this process has the secret, as the coordinator proves
    /// it to this process.
    ///
    /// @param timeout for all attempts
    /// @throws CoterieException if the coordinator can't be reached within the time, or the secrets differ, or the
    ///     coordinator encrypts and this process does not, or the other way round
    static JobLink connect(JobKey key, Encryption encryption, Duration timeout, JobClock clock) {
        long start = clock.nanoTime();
        int refusals = 0;
        while (true) {
            String problem;
            try {
                return open(key, encryption, clock);
            } catch (RefusedException e) {
                problem = e.getCause() instanceof SSLException ssl
                        ? "TLS does not begin: " + ssl.getMessage() + "; look at the settings ENCRYPTION_…"
                        : "it closes the connection after the proof of the secret; use the key or the secret of this"
                                + " coordinator"
                                + (encryption.isOn() ? ", and no host between that ends TLS" : "");
                if (++refusals == MAX_REFUSALS) {
                    throw unreachable(key, problem, e);
                }
            } catch (IOException e) {
                problem = e instanceof UnknownHostException
                        ? "the name does not resolve"
                        : String.valueOf(e.getMessage());
                if (clock.nanoTime() - start > timeout.toNanos()) {
                    throw unreachable(key, problem + " (tried for " + timeout.toSeconds() + " s)", e);
                }
            }
            try {
                clock.sleep(RETRY_PAUSE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw unreachable(key, problem + " (interrupted)", e);
            }
        }
    }

    /// Returns the address of this host by which it reaches the coordinator.
    InetAddress localAddress() {
        return socket.getLocalAddress();
    }

    /// Returns the address of the coordinator.
    InetAddress peerAddress() {
        return socket.getInetAddress();
    }

    private static CoterieException unreachable(JobKey key, String problem, Throwable cause) {
        return new CoterieException("join: the coordinator at " + key.place() + ": " + problem, cause);
    }

    /// The coordinator has closed the connection instead of a welcome.
    static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1L;

        RefusedException(Throwable cause) {
            super(cause);
        }
    }

    /// Makes one attempt at each address of the coordinator's name.
    static JobLink open(JobKey key, Encryption encryption, JobClock clock) throws IOException, RefusedException {
        return open(key.addresses(), key, encryption, clock);
    }

    /// Makes one attempt at each address. The name of a host with IPv4 and IPv6 has two, and the coordinator listens on
    /// one.
    static JobLink open(List<InetSocketAddress> addresses, JobKey key, Encryption encryption, JobClock clock)
            throws IOException, RefusedException {
        if (addresses.size() == 1) {
            return open(addresses.getFirst(), key, encryption, clock);
        }
        List<String> problems = new ArrayList<>();
        List<IOException> causes = new ArrayList<>();
        for (InetSocketAddress each : addresses) {
            try {
                return open(each, key, encryption, clock);
            } catch (IOException e) {
                problems.add(each.getAddress().getHostAddress() + ": " + e.getMessage());
                causes.add(e);
            }
        }
        ConnectException all = new ConnectException(String.join("; ", problems));
        causes.forEach(all::addSuppressed);
        throw all;
    }

    private static JobLink open(InetSocketAddress address, JobKey key, Encryption encryption, JobClock clock)
            throws IOException, RefusedException {
        Socket socket = new Socket();
        JobLink link = null;
        try {
            socket.connect(address, STEP_MILLIS);
            socket.setTcpNoDelay(true);
            JobLink opened = new JobLink(socket, clock);
            opened.prove(key, opened.secure(key, encryption));
            link = opened;
            return opened;
        } finally {
            if (link == null) {
                socket.close();
            }
        }
    }

    /// The coordinator's challenge, after its magic, and the binding of the connection, which is empty if it is not
    /// encrypted.
    private static final class Challenge {
        final JobFrame frame;
        final byte[] binding;

        Challenge(JobFrame frame, byte[] binding) {
            this.frame = frame;
            this.binding = binding;
        }
    }

    /// Begins TLS if both ends have it. A PE that encrypts sends nothing else to a coordinator that does not.
    ///
    /// @throws CoterieException if one end encrypts and the other does not
    private Challenge secure(JobKey key, Encryption encryption) throws IOException, RefusedException {
        JobFrame first = handshake();
        boolean isGreeting = first.kind() == Kind.ENCRYPTION;
        if (!isGreeting) {
            first.require(Kind.CHALLENGE);
        }
        requireMagic(first);
        if (isGreeting != encryption.isOn()) {
            String its = isGreeting ? first.text() : Encryption.none().value();
            send(new JobFrame.Builder(Kind.ENCRYPTION)
                    .bytes(JobFrame.MAGIC)
                    .text(encryption.value())
                    .build());
            throw new CoterieException("join: the coordinator at " + key.place() + " has ENCRYPTION=" + its
                    + ", and this process has ENCRYPTION=" + encryption.value()
                    + "; set COTERIE_ENCRYPTION alike for all processes of the job");
        }
        if (!isGreeting) {
            return new Challenge(first, new byte[0]);
        }
        socket.setSoTimeout(STEP_MILLIS);
        try {
            SSLSocket secured = encryption.connect(socket);
            in = secured.getInputStream();
            out = secured.getOutputStream();
            reader = new JobFrame.Reader(JobFrame.MAX_PE_LENGTH); // no byte before TLS counts
            JobFrame challenge = handshake(Kind.CHALLENGE);
            requireMagic(challenge);
            return new Challenge(challenge, Encryption.binding(secured.getSession()));
        } catch (SSLException e) {
            throw new RefusedException(e);
        }
    }

    private static void requireMagic(JobFrame frame) throws ProtocolException {
        if (!Arrays.equals(frame.bytes(JobFrame.MAGIC.length), JobFrame.MAGIC)) {
            throw new ProtocolException("there is no coordinator of this version of Coterie at this address");
        }
    }

    private void prove(JobKey key, Challenge challenge) throws IOException, RefusedException {
        byte[] its = challenge.frame.bytes(KeyProof.NONCE_BYTES);
        challenge.frame.end();
        byte[] mine = KeyProof.nonce();
        send(new JobFrame.Builder(Kind.PROOF)
                .bytes(JobFrame.MAGIC)
                .bytes(mine)
                .bytes(KeyProof.of(KeyProof.Role.PE, key.secret(), its, mine, challenge.binding))
                .build());
        JobFrame welcome;
        try {
            welcome = handshake(Kind.WELCOME);
        } catch (EOFException | SocketException e) {
            throw new RefusedException(e);
        }
        byte[] proof = welcome.bytes(KeyProof.PROOF_BYTES);
        if (!KeyProof.isRight(proof, KeyProof.Role.COORDINATOR, key.secret(), its, mine, challenge.binding)) {
            throw new ProtocolException("it has not the secret of the key, so that it is no coordinator of this job");
        }
        silenceNanos = TimeUnit.MILLISECONDS.toNanos(Math.max(1, welcome.number()));
        welcome.end();
        reader.allow(JobFrame.MAX_COORDINATOR_LENGTH);
    }

    /// Returns the time after which the coordinator counts a PE as failed that sends nothing, in nanoseconds; a PE
    /// counts itself as failed if the coordinator sends nothing for this time.
    long silenceNanos() {
        return silenceNanos;
    }

    private JobFrame handshake(Kind expected) throws IOException {
        JobFrame frame = handshake();
        frame.require(expected);
        return frame;
    }

    private JobFrame handshake() throws IOException {
        long end = clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(STEP_MILLIS);
        JobFrame frame = null;
        while (frame == null) { // it may come in pieces
            long left = end - clock.nanoTime();
            if (left <= 0) {
                throw new SocketTimeoutException("no answer within " + STEP_MILLIS + " ms");
            }
            frame = receive(left);
        }
        return frame;
    }

    /// Returns when the latest bytes came, whether a part of a message or all of it.
    long heardNanos() {
        return heardNanos;
    }

    /// Returns the next message, or null if the bytes that have come are none yet. Waits for bytes once.
    ///
    /// @param nanos time for the wait at most
    /// @throws EOFException if the coordinator has closed the connection
    @Nullable
    JobFrame receive(long nanos) throws IOException {
        JobFrame frame = reader.next();
        if (frame != null) {
            return frame;
        }
        socket.setSoTimeout(clock.blockMillis(nanos));
        int count;
        try {
            count = in.read(buffer);
        } catch (SocketTimeoutException e) {
            return null;
        }
        if (count < 0) {
            throw new EOFException("it has closed the connection");
        }
        heardNanos = clock.nanoTime();
        reader.add(ByteBuffer.wrap(buffer, 0, count));
        return reader.next();
    }

    /// Sends a message. Waits while the connection takes no more; [#close] ends the wait.
    void send(ByteBuffer message) throws IOException {
        sending.lock();
        try {
            sentNanos = clock.nanoTime(); // no later than the coordinator can have it
            out.write(message.array(), message.arrayOffset() + message.position(), message.remaining());
        } finally {
            sending.unlock();
        }
    }

    /// Sends a message that shows that this PE lives, unless one was sent within the time, or is being sent.
    void keepAlive(long nanos) throws IOException {
        if (clock.nanoTime() - sentNanos >= nanos && sending.tryLock()) {
            try {
                send(new JobFrame.Builder(Kind.ALIVE).build());
            } finally {
                sending.unlock();
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
