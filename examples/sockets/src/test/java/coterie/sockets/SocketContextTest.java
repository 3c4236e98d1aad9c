// SPDX-License-Identifier: Apache-2.0
package coterie.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CoterieException;
import coterie.ElementType;
import coterie.ReductionOperator;
import coterie.collective.CollectiveType;
import coterie.layer.Arguments;
import coterie.layer.Configuration;
import coterie.layer.Exchange;
import coterie.layer.FragmentPipeline;
import coterie.layer.TeamParameters;
import coterie.testing.Patience;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import java.util.function.LongToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The contexts of several members in one thread, and connections by other programs.
class SocketContextTest {
    private static final int SIZE = 3;

    private final List<SocketContext> contexts = new ArrayList<>();
    private final List<byte[]> addresses = new ArrayList<>();
    private final List<Socket> strays = new ArrayList<>();

    @BeforeEach
    void listen() {
        SocketLibrary library = new SocketLibrary(System.getLogger("coterie.tl.sockets"), "127.0.0.1", 1 << 16, SIZE);
        for (int member = 0; member < SIZE; member++) {
            contexts.add(new SocketContext(library));
            addresses.add(contexts.get(member).address());
        }
    }

    @AfterEach
    void hangUp() throws IOException {
        for (Socket stray : strays) {
            stray.close();
        }
        contexts.forEach(SocketContext::close);
    }

    /// A team whose members exchange their bytes at once.
    private final class Circle {
        private final byte @Nullable [][] given = new byte[SIZE][];
        private final List<SocketTeam> teams = new ArrayList<>();

        Circle() {
            for (int me = 0; me < SIZE; me++) {
                teams.add((SocketTeam) contexts.get(me).open(new Parameters(this, me)));
            }
        }

        byte[] given(int member) {
            byte[] its = given[member];
            if (its == null) {
                throw new IllegalStateException("member " + member + " has not published its bytes yet");
            }
            return its;
        }

        byte[] address(int member) {
            return addresses.get(member);
        }

        long number() {
            return ByteBuffer.wrap(given(0)).getLong();
        }

        /// Advances all members until their team is open.
        void open() {
            List<SocketTeam> busy = new ArrayList<>(teams);
            Patience.until("all members open the team", () -> {
                busy.removeIf(SocketTeam::test);
                return busy.isEmpty();
            });
        }

        /// Each member sends a message to each other one, and receives theirs.
        void talk() {
            for (SocketTeam team : teams) {
                for (int to = 0; to < SIZE; to++) {
                    if (to != team.me()) {
                        team.connection(to)
                                .send(
                                        7,
                                        ByteBuffer.allocate(Integer.BYTES)
                                                .putInt(10 * team.me() + to)
                                                .flip());
                    }
                }
            }
            for (SocketTeam team : teams) {
                for (int from = 0; from < SIZE; from++) {
                    if (from != team.me()) {
                        assertThat(received(team, from).getInt()).isEqualTo(10 * from + team.me());
                    }
                }
            }
        }

        /// Advances all members until one has received a message.
        ByteBuffer received(SocketTeam team, int from) {
            AtomicReference<ByteBuffer> received = new AtomicReference<>();
            Patience.until(team.me() + " receives from " + from, () -> {
                teams.forEach(SocketTeam::pump);
                team.connection(from).check();
                received.set(team.connection(from).receive(7));
                return received.get() != null;
            });
            return received.get();
        }

        void close() {
            teams.forEach(SocketTeam::close);
        }
    }

    private record Parameters(Circle circle, int me) implements TeamParameters {
        @Override
        public String id() {
            return "0.1";
        }

        @Override
        public String name() {
            return "circle";
        }

        @Override
        public int size() {
            return SIZE;
        }

        @Override
        public int pe(int member) {
            return member;
        }

        @Override
        public int node(int member) {
            return 0;
        }

        @Override
        public byte[] address(int member) {
            return circle.address(member);
        }

        @Override
        public Exchange exchange(byte[] mine) {
            circle.given[me] = mine;
            return new Exchange() {
                @Override
                public boolean isDone() {
                    return Stream.of(circle.given).allMatch(each -> each != null);
                }

                @Override
                public byte[] get(int member) {
                    return circle.given(member).clone();
                }
            };
        }
    }

    private void call(Stray stray, long team) throws IOException {
        for (SocketContext context : contexts) {
            strays.add(stray.call(context.address(), team));
        }
    }

    /// All strays' connections were closed.
    private void assertAllGone() {
        for (Socket stray : strays) {
            if (!stray.isClosed()) {
                // what was sent and not read makes it a reset
                assertThatCode(() -> assertThat(stray.getInputStream().read()).isNegative())
                        .satisfiesAnyOf(
                                nothing -> assertThat(nothing).isNull(),
                                why -> assertThat(why).isExactlyInstanceOf(SocketException.class));
            }
        }
    }

    @Test
    @DisplayName("an invalid host is rejected by the configuration, which knows where it was set")
    void hostIsNone() {
        assertThatThrownBy(() -> new SocketLayer().open(new HostIsNone()))
                .hasMessage("HOST is not a name or an address" + " of this machine");
    }

    private record HostIsNone() implements Configuration {
        @Override
        public String text(String field) {
            return "[::x]";
        }

        @Override
        public long number(String field, long least, long most) {
            return least;
        }

        @Override
        public long bytes(String field, long least, long most) {
            return least;
        }

        @Override
        public LongToIntFunction bySize(String field, int least) {
            return _ -> least;
        }

        @Override
        public LongFunction<FragmentPipeline> pipeline(String field) {
            return _ -> FragmentPipeline.NONE;
        }

        @Override
        public boolean flag(String field) {
            return false;
        }

        @Override
        public IllegalArgumentException invalidValue(String field, String allowed) {
            return new IllegalArgumentException(field + " is not " + allowed);
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("connections of other programs, before a team opens and meanwhile, disturb no member")
    void undisturbed(Stray stray) throws IOException {
        Circle circle = new Circle();
        call(stray, circle.number());
        for (SocketTeam team : circle.teams) {
            team.test();
            call(stray, circle.number());
        }
        circle.open();
        call(stray, circle.number());
        circle.talk();
        Circle another = new Circle();
        another.open();
        circle.close();
        another.talk();
        another.close();
        contexts.forEach(SocketContext::close);
        assertAllGone();
    }

    @Test
    @DisplayName("after stop a task sends the source as it was, even if the program changes it")
    void stoppedTaskLeavesItsSource() {
        Circle circle = new Circle();
        circle.open();
        byte[] source = new byte[32 << 20]; // more than the buffers of a connection hold
        Arrays.fill(source, (byte) 1);
        SocketTask task = new SocketTask(circle.teams.getFirst(), new Broadcast(source));
        task.post(7);
        circle.teams.getFirst().pump();
        task.stop(new IllegalStateException("another member has failed"));
        Arrays.fill(source, (byte) 2);
        ByteBuffer received = circle.received(circle.teams.get(1), 0);
        Arrays.fill(source, (byte) 1);
        assertThat(received.equals(ByteBuffer.wrap(source)))
                .as("all bytes are those before stop")
                .isTrue();
        circle.close();
    }

    /// A broadcast by member 0 of all bytes of an array.
    @SuppressWarnings("ArrayRecordComponent") // the array is the buffer itself
    private record Broadcast(byte[] bytesOfRoot) implements Arguments {
        @Override
        public CollectiveType type() {
            return CollectiveType.BROADCAST;
        }

        @Override
        public long bytes() {
            return bytesOfRoot.length;
        }

        @Override
        public TeamParameters team() {
            throw new UnsupportedOperationException();
        }

        @Override
        public int root() {
            return 0;
        }

        @Override
        public ElementType elements() {
            return ElementType.BYTE;
        }

        @Override
        public int width() {
            return 1;
        }

        @Override
        public Optional<ReductionOperator<?>> operator() {
            return Optional.empty();
        }

        @Override
        public Order order() {
            return Order.ANY;
        }

        @Override
        public boolean isInPlace() {
            return false;
        }

        @Override
        public boolean isPersistent() {
            return false;
        }

        @Override
        public int sources() {
            return 1;
        }

        @Override
        public MemorySegment source(int block) {
            return MemorySegment.ofArray(bytesOfRoot);
        }

        @Override
        public int targets() {
            return 0;
        }

        @Override
        public MemorySegment target(int block) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void fold(MemorySegment target, MemorySegment left, MemorySegment right) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void clear(MemorySegment target) {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    @DisplayName("connections of several teams that open at once, and strays of all kinds, are distinguished")
    void severalTeams() throws IOException {
        List<Circle> circles = List.of(new Circle(), new Circle(), new Circle());
        for (Circle circle : circles.reversed()) {
            for (Stray stray : Stray.values()) {
                call(stray, circle.number());
            }
            circle.teams.getLast().test();
        }
        circles.forEach(Circle::open);
        circles.forEach(Circle::talk);
        circles.forEach(Circle::close);
    }

    @Test
    @DisplayName("a closing team closes the connections for it that it has not taken, and no others")
    void forgets() throws IOException {
        Circle circle = new Circle();
        circle.open();
        Circle another = new Circle();
        Socket mine = Stray.NEGATIVE_MEMBER.call(contexts.getFirst().address(), circle.number());
        Socket its = Stray.NEGATIVE_MEMBER.call(contexts.getFirst().address(), another.number());
        strays.add(mine);
        another.open();
        AtomicReference<SocketChannel> taken = new AtomicReference<>();
        Patience.until("the connection for the other team", () -> {
            contexts.getFirst().accept();
            taken.set(contexts.getFirst().take(another.number(), -1));
            return taken.get() != null;
        });
        circle.close();
        assertAllGone();
        another.talk();
        taken.get().close();
        its.close();
        another.close();
    }

    @Test
    @DisplayName("if a member can't be reached, the opening throws an error that names its PE")
    void unreachableMember() {
        Circle circle = new Circle();
        contexts.getFirst().close();
        assertThatThrownBy(() -> Patience.until("the member's opening", circle.teams.getLast()::test))
                .isInstanceOf(CoterieException.class)
                .hasMessageContaining("no connection with PE 0");
        circle.close();
    }
}
