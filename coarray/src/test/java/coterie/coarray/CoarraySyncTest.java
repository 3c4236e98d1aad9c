// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.World;
import coterie.junit.SpmdTest;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;

class CoarraySyncTest {

    @SpmdTest(pes = 8)
    @DisplayName(
            "CA-T10, CA-T35: nested teams of 8, 4 and 2 synchronize at all levels, and each forms teams of its own")
    void nested(World world) {
        Images.run(world, scope -> {
            ImageTeam all = scope.team();
            int me = all.thisImage();
            IntegerCoarray counts = scope.allocateLongs(3);
            ImageTeam four = all.form(1 + (me - 1) / 4);
            four.run(outer -> {
                if (me > 4) {
                    for (int i = 0; i < 3; i++) {
                        four.form(5).close();
                    }
                }
                ImageTeam five = four.form(5);
                assertThat(five.numImages()).isEqualTo(4);
                assertThat(five.thisImage()).isEqualTo((me - 1) % 4 + 1);
                ImageTeam two = four.form(1 + (four.thisImage() - 1) / 2);
                two.run(inner -> {
                    for (int round = 1; round <= 20; round++) {
                        counts.in(two).add(0, 1, 1);
                        two.sync();
                        assertThat(counts.in(two).get(0, 1)).isEqualTo(2L * round);
                        counts.in(four).add(1, 1, 1);
                        four.sync();
                        assertThat(counts.in(four).get(1, 1)).isEqualTo(4L * round);
                        counts.in(all).add(2, 1, 1);
                        if (round % 2 == 0) {
                            two.sync();
                        }
                        all.sync();
                        assertThat(counts.in(all).get(2, 1)).isEqualTo(8L * round);
                        all.sync();
                    }
                });
                five.sync();
            });
        });
    }

    @SpmdTest(pes = 4)
    @DisplayName("CA-F01, CA-F09: at first all images are active; sync images counts pairs, and refuses an image twice")
    void syncImages(World world) {
        Images.run(world, scope -> {
            ImageTeam all = scope.team();
            int me = all.thisImage();
            assertThat(IntStream.rangeClosed(1, 4).mapToObj(all::status)).containsOnly(ImageStatus.ACTIVE);
            assertThat(all.failedImages().isEmpty() && all.stoppedImages().isEmpty())
                    .isTrue();
            if (me == 1) {
                Outcome twice = all.trySyncImages(1, 3, 1);
                assertThat(twice.code()).isGreaterThan(Outcome.FAULT);
            }
            IntegerCoarray a = scope.allocateLongs(1);
            for (int round = 1; round <= 100; round++) {
                if (me == 1) {
                    a.put(0, round, 2);
                    all.syncImages(2); // the value is there
                    all.syncImages(2); // it is read
                } else if (me == 2) {
                    all.syncImages(1);
                    assertThat(a.get(0)).isEqualTo(round);
                    all.syncImages(1, 2);
                }
                if (round % 10 == 0) {
                    all.syncEach();
                }
            }
            ImageTeam team = all.form(1 + (me - 1) / 2);
            team.run(inner -> {
                for (int round = 0; round < 10; round++) {
                    team.syncImages(1, 2);
                }
            });
            all.syncEach();
            Images.syncMemory();
        });
    }

    @SpmdTest(pes = 4)
    @DisplayName("CA-S01: an allocation completes on no image before all have come to it")
    void allocationIsBarrier(World world) {
        Images.run(world, scope -> {
            int me = Images.thisImage();
            IntegerCoarray came = scope.allocateLongs(1);
            if (me != 1) {
                came.add(0, 1, 1);
                Images.syncMemory();
            } else {
                while (came.getAcquire(0, 1) != 3) {
                    world.progress();
                }
                came.setRelease(0, 100, 1);
            }
            IntegerCoarray second = scope.allocateLongs(1);
            assertThat(came.get(0, 1)).isEqualTo(100);
            assertThat(second.get(0, 1)).isZero();
        });
    }

    @SpmdTest(pes = 4)
    @DisplayName("CA-S03, CA-S04, CA-S05, CA-S06: events count posts, waits subtract, and no post is lost")
    void events(World world) {
        Images.run(world, scope -> {
            ImageTeam all = scope.team();
            int me = all.thisImage();
            EventCoarray events = scope.allocateEvents(3);
            events.post(0, 1);
            all.sync();
            if (me == 1) {
                events.await(0, 3);
                assertThat(events.count(0)).isEqualTo(1);
                events.await(0, 0);
                assertThat(events.count(0)).isZero();
                events.post(0, 1);
                events.await(0, -5);
                assertThat(events.count(0)).isZero();
                assertThat(events.tryAwait(0, 1, Duration.ofMillis(1), ImageSet.EMPTY))
                        .isEqualTo(new Outcome.TimedOut());
                assertThat(events.tryAwait(0, 1, Duration.ofMillis(1), ImageSet.of(2)))
                        .isEqualTo(new Outcome.TimedOut());
            }
            events.post(1, me); // an event of its own
            events.await(1);
            for (int i = 0; i < 10; i++) {
                assertThat(events.tryPost(2, 3)).isEqualTo(Outcome.Ok.DONE);
            }
            if (me == 3) {
                assertThat(events.tryAwait(2, 40, Duration.ofSeconds(20), ImageSet.of(1, 2, 4)))
                        .isEqualTo(Outcome.Ok.DONE);
                assertThat(events.count(2)).isZero();
            }
            all.sync(); // an image that stops ends the waits for its posts
        });
    }

    @SpmdTest(pes = 2, timeoutSeconds = 60)
    @DisplayName("CA-S07: two threads wait for notifications; each sees the elements that came before its notification")
    void notifications(World world) throws InterruptedException {
        Images.run(world, scope -> {
            int puts = 10_000;
            int ring = 1000;
            IntegerCoarray a = scope.allocateLongs(ring).in(scope.team());
            NotifyCoarray notify = scope.allocateNotifications(2);
            EventCoarray free = scope.allocateEvents(2);
            if (Images.thisImage() == 1) {
                for (int i = 0; i < puts; i++) {
                    if (i >= ring && i % (ring / 2) == 0) {
                        free.await(0);
                        free.await(1);
                    }
                    a.put(i % ring, MemorySegment.ofArray(new long[] {i}), 0, 1, notify, i & 1, 2);
                }
            } else {
                AtomicLong wrong = new AtomicLong();
                EventCoarray post = free.in(scope.team());
                List<Thread> threads = new ArrayList<>();
                for (int t = 0; t < 2; t++) {
                    int first = t;
                    threads.add(new Thread(() -> {
                        for (int i = first; i < puts; i += 2) {
                            notify.await(first);
                            wrong.addAndGet(a.get(i % ring) == i ? 0 : 1);
                            if ((i / 2 + 1) % (ring / 4) == 0) {
                                post.post(first, 1);
                            }
                        }
                    }));
                }
                threads.forEach(Thread::start);
                for (Thread thread : threads) {
                    thread.join();
                }
                assertThat(wrong.get()).isZero();
                assertThat(notify.count(0) + notify.count(1)).isZero();
            }
            scope.team().sync();
        });
    }

    @SpmdTest(pes = 2)
    @DisplayName("CA-S07: a notification of a section comes after all its elements, also in a team")
    void notificationOfSection(World world) {
        Images.run(world, scope -> {
            scope.team().form(1).run(inner -> {
                int rounds = 1000;
                Section column = Section.of(1, 8, 2);
                IntegerCoarray a = inner.allocateLongs(16);
                NotifyCoarray notify = inner.allocateNotifications(1);
                NotifyCoarray taken = inner.allocateNotifications(1);
                long[] mine = new long[8];
                for (int round = 1; round <= rounds; round++) {
                    if (Images.thisImage() == 1) {
                        Arrays.fill(mine, round);
                        a.put(column, MemorySegment.ofArray(mine), Section.of(0, 8, 1), notify, 0, 2);
                        taken.await(0);
                    } else {
                        notify.await(0);
                        for (int i = 0; i < 16; i++) {
                            assertThat(a.get(i)).isEqualTo(i % 2 == 0 ? 0 : round);
                        }
                        a.put(Section.of(0, 0, 1), MemorySegment.ofArray(mine), Section.of(0, 0, 1), taken, 0, 1);
                    }
                }
            });
        });
    }

    @SpmdTest(pes = 4)
    @DisplayName("CA-S08, CA-S09, CA-S10: locks exclude, and each wrong use has its outcome")
    void locks(World world) {
        Images.run(world, scope -> {
            ImageTeam all = scope.team();
            int me = all.thisImage();
            LockCoarray locks = scope.allocateLocks(2);
            IntegerCoarray total = scope.allocateLongs(1);
            for (int i = 0; i < 10_000; i++) {
                locks.lock(0, 2);
                total.put(0, total.get(0, 1) + 1, 1);
                locks.unlock(0, 2);
            }
            all.sync();
            assertThat(total.get(0, 1)).isEqualTo(40_000);
            if (me == 3) {
                assertThat(locks.tryLock(1, 4)).isEqualTo(new LockOutcome.Acquired());
                assertThat(locks.tryLock(1, 4)).isEqualTo(new LockOutcome.AlreadyMine());
                assertThat(locks.tryLockWaiting(1, 4)).isEqualTo(new LockOutcome.AlreadyMine());
                assertThat(locks.tryUnlock(0, 4)).isEqualTo(new UnlockOutcome.NotLocked());
            }
            all.sync();
            ImageTeam team = all.form(1 + me % 2);
            team.run(inner -> {
                LockCoarray ofAll = locks.in(all);
                if (me == 1) {
                    assertThat(ofAll.tryLock(1, 4)).isEqualTo(new LockOutcome.Busy());
                    assertThat(ofAll.tryUnlock(1, 4)).isEqualTo(new UnlockOutcome.NotMine(3));
                    assertThatThrownBy(() -> ofAll.unlock(1, 4)).isInstanceOf(StatementException.class);
                }
                team.sync();
                if (me == 3) {
                    assertThat(ofAll.tryUnlock(1, 4)).isEqualTo(new UnlockOutcome.Released());
                }
            });
            all.sync();
        });
    }

    @SpmdTest(pes = 4)
    @DisplayName("CA-S12, CA-S14: critical constructs and atomics lose no update")
    void criticalAndAtomics(World world) {
        Images.run(world, scope -> {
            Critical critical = scope.allocateCritical();
            IntegerCoarray a = scope.allocateLongs(3);
            int me = Images.thisImage();
            for (int i = 0; i < 1000; i++) {
                critical.run(_ -> a.put(0, a.get(0, 1) + 1, 1));
            }
            for (int i = 0; i < 100; i++) {
                long seen = a.getAcquire(1, 2);
                while (true) {
                    long former = a.compareAndExchange(1, seen, seen + 1, 2);
                    if (former == seen) {
                        break;
                    }
                    seen = former;
                }
            }
            a.getAndBitwiseOr(2, 1L << me, 3);
            scope.team().sync();
            assertThat(a.get(0, 1)).isEqualTo(4000);
            assertThat(a.get(1, 2)).isEqualTo(400);
            assertThat(a.get(2, 3)).isEqualTo(0b11110);
            scope.team()
                    .form(1)
                    .run(inner ->
                            assertThatThrownBy(inner::allocateCritical).isInstanceOf(IllegalStateException.class));
        });
    }
}
