// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.Context;
import coterie.ElementView;
import coterie.SignalUpdate;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// An array that each image of a team has, and whose elements each image reads and writes on any image.
///
/// Images are those of the caller's **current** team. [#in(ImageTeam)] and [#in(Sibling)] give the same coarray
/// with the images of another team. A [TeamScope] allocates coarrays; they end with it, or by [#close] before.
///
/// Indices and counts are in elements, from 0, in Fortran's order of the dimensions; [#at(long, long)] returns
/// the index of subscripts, and [#image(int, int)] the image of cosubscripts. Neither allocates. A put has its
/// source when it returns; another image sees the elements after the next synchronization of the two, and so
/// after a notification of [#put(long, MemorySegment, long, long, NotifyCoarray, long, int)]. A get has the
/// elements when it returns.
///
/// **Failures.** The memory of a failed image stays readable on one node, so an access to it returns normally;
/// [#stat(int)] after the access is its `stat=`.
///
/// **Errors.** Every access checks its arguments first. It throws [IndexOutOfBoundsException] for an image
/// outside the team, or a range that leaves the array or the segment; [IllegalStateException] if the coarray has
/// ended, or, without [#in(ImageTeam)], if the calling thread has no current team. A copy between the caller's
/// own part and a segment of it, which reads elements that it writes, throws [IllegalArgumentException].
///
/// **Threads.** Any thread that knows its team may access elements: a thread that the image has started uses
/// `a.in(team)`. Accesses allocate nothing but those of sections.
public abstract sealed class Coarray extends CoarrayNumbering implements AutoCloseable
        permits IntegerCoarray, FloatCoarray, DoubleCoarray, RecordCoarray, EventCoarray, NotifyCoarray, LockCoarray {
    private final long length;
    private final ElementView elements;
    private final int unit;

    /// @param unit elements of the view that are one element of the coarray
    Coarray(Placement placement, ElementView elements, int unit) {
        super(placement);
        this.elements = elements;
        this.unit = unit;
        this.length = elements.length() / unit;
    }

    /// Returns this coarray at another placement of the same block.
    abstract Coarray placed(Placement placement);

    /// Returns this coarray with the images of a team: the current one or an ancestor.
    /// @counterpart `team=`
    /// @throws IllegalArgumentException if the coarray is not established in the team: the team is an ancestor of
    ///     its own team or, if it is associated, of the team of that scope
    public Coarray in(ImageTeam team) {
        StatementChecks.notNull(team, "in", "team");
        int[] numbers =
                established.hasDescendant(team) ? team.numbersIn(block.team().depth()) : null;
        if (numbers == null) {
            throw notEstablished(team.path());
        }
        return placed(new Placement(block, shape(), cobounds, established, numbers, team.path()));
    }

    /// Returns this coarray with the images of a sibling of the current team, or of an ancestor.
    /// @counterpart `team_number=`
    /// @throws IllegalArgumentException if the coarray is not established in the sibling's parent
    public Coarray in(Sibling sibling) {
        StatementChecks.notNull(sibling, "in", "sibling");
        if (!established.hasDescendant(sibling.parent())) {
            throw notEstablished(sibling.parent().path() + ", the parent of " + sibling);
        }
        return placed(new Placement(
                block,
                shape(),
                cobounds,
                established,
                block.team().roster().numbersOf(sibling.pes()),
                sibling.toString()));
    }

    private IllegalArgumentException notEstablished(String where) {
        return new IllegalArgumentException(StatementChecks.prefix("in") + block + " is not established in " + where
                + "; allowed are " + established.path() + " and teams formed in it");
    }

    /// Returns the number of elements that the array has on each image.
    /// @counterpart `prif_size_bytes`
    public final long length() {
        return length;
    }

    /// Returns whether programs copy elements; counts and locks have operations of their own.
    boolean isData() {
        return true;
    }

    /// Returns the caller's own elements, for plain loads and stores of the thread that runs the image. The
    /// segment ends with the scope.
    /// @counterpart `prif_local_data_pointer`
    public final MemorySegment local() {
        checkData("local");
        return block.local();
    }

    /// Ends the caller's use of this coarray, with all of its other views, and waits for no image: every later
    /// use throws, and others may go on with theirs, also with the caller's part. Images may close coarrays in
    /// different orders. The memory is free for a new coarray when all images have closed it, which they learn
    /// in the next allocation. A second close does nothing. A coarray ends with its scope at the latest.
    ///
    /// Fortran's `deallocate` waits for all images: [TeamScope#deallocate].
    ///
    /// @throws IllegalStateException if another scope than the current one has allocated it, or a collective on it
    ///     that the caller has begun is under way: it stays usable
    @Override
    public final void close() {
        TeamScope owner = block.scope;
        if (owner != null && !owner.runtime().hasEnded()) {
            owner.close(block);
        }
    }

    /// Registers a callback for the end of this coarray: callbacks run on each image, in the reverse order, before
    /// the memory is released.
    /// @counterpart the final procedure of `prif_allocate_coarray`
    public final void onRelease(Runnable callback) {
        StatementChecks.notNull(callback, "onRelease", "callback");
        if (block.scope == null) {
            throw block.over("onRelease");
        }
        block.onRelease(callback);
    }

    /// Returns the `stat=` of the accesses to an image up to now: Failed if the image has failed, so that what the
    /// caller has put is lost and what it has got may be; otherwise Ok, also for a stopped image.
    public final Outcome stat(int image) {
        int member = target("stat", image);
        ImageRuntime runtime = block.team().runtime();
        runtime.complete();
        return runtime.hasFailed(block.team().roster().pes()[member])
                ? new Outcome.Failed(ImageSet.of(image))
                : Outcome.Ok.DONE;
    }

    /// Copies elements of an image to a segment.
    /// @counterpart `prif_get` and its `_indirect` form
    /// @param targetIndex of the first element in the segment, in elements
    public final void get(long index, MemorySegment target, long targetIndex, long count, int image) {
        StatementChecks.notNull(target, "get", "target");
        int member = contiguous("get", index, target, targetIndex, count, image);
        elements.get(index * unit, target, targetIndex * unit, count * unit, member);
    }

    /// Copies elements of a segment to an image.
    /// @counterpart `prif_put` and its `_indirect` form
    /// @param sourceIndex of the first element in the segment, in elements
    public final void put(long index, MemorySegment source, long sourceIndex, long count, int image) {
        StatementChecks.notNull(source, "put", "source");
        int member = contiguous("put", index, source, sourceIndex, count, image);
        elements.put(index * unit, source, sourceIndex * unit, count * unit, member);
    }

    /// Copies elements of a segment to an image, and then adds 1 to a notification of that image. A waiter that
    /// has seen it sees these elements.
    /// @counterpart `notify=`, `prif_put_with_notify` and its `_indirect` form
    public final void put(
            long index,
            MemorySegment source,
            long sourceIndex,
            long count,
            NotifyCoarray notify,
            long notification,
            int image) {
        StatementChecks.notNull(source, "put", "source");
        StatementChecks.notNull(notify, "put", "notify");
        int member = contiguous("put", index, source, sourceIndex, count, image);
        elements.putSignal(index * unit, source, sourceIndex * unit, count * unit, notify.adding(notification), member);
    }

    /// Checks a copy of contiguous elements, and returns the image's number in the team that has allocated.
    private int contiguous(
            String operation, long index, MemorySegment segment, long localIndex, long count, int image) {
        checkData(operation);
        int member = target(operation, image);
        StatementChecks.range(operation, this, index, count);
        long bytes = elementBytes();
        StatementChecks.part(operation, "segment", segment.byteSize() / bytes, localIndex, count);
        if (member == block.team().roster().me()) {
            long own = block.address() + index * bytes;
            SelfCopy.check(block, operation, own, segment, localIndex * bytes, count * bytes);
        }
        return member;
    }

    /// Checks a copy of elements of an array, and returns the image's number in the team that has allocated.
    final int array(String operation, long index, int arrayLength, long localIndex, long count, int image) {
        int member = target(operation, image);
        StatementChecks.range(operation, this, index, count);
        StatementChecks.part(operation, "array", arrayLength, localIndex, count);
        return member;
    }

    /// Returns the segment of an array; throws if it is not as long as a section.
    final MemorySegment whole(String operation, Section section, @Nullable MemorySegment array) {
        checkWhole(operation, section, array);
        long elementCount = Objects.requireNonNull(array, operation).byteSize() / elementBytes();
        if (elementCount != section.size()) {
            throw new IllegalArgumentException(StatementChecks.prefix(operation) + "the array has " + elementCount
                    + " elements, and the " + section + " has " + section.size());
        }
        return array;
    }

    final void checkWhole(String operation, Section section, @Nullable MemorySegment array) {
        if (block.scope == null) {
            throw block.over(operation);
        }
        StatementChecks.notNull(section, operation, operation.equals("get") ? "from" : "to");
        StatementChecks.notNull(array, operation, operation.equals("get") ? "target" : "source");
    }

    private long elementBytes() {
        return (long) elements.type().byteSize() * unit;
    }

    private void checkData(String operation) {
        if (!isData()) {
            throw new UnsupportedOperationException(StatementChecks.prefix(operation) + this
                    + " has no elements to copy; its own operations change" + " it");
        }
    }

    /// Copies a section of an image's array to a section of a segment, in the order of the sections.
    /// @counterpart an array section with cosubscripts, `prif_get_strided` and its `_indirect` form
    /// @param from elements of the image's array
    /// @param to elements of the segment, as many in each dimension
    public final void get(Section from, MemorySegment target, Section to, int image) {
        StatementChecks.notNull(from, "get", "from");
        StatementChecks.notNull(target, "get", "target");
        StatementChecks.notNull(to, "get", "to");
        move(from, target, to, target("get", image), false);
    }

    /// Copies a section of a segment to a section of an image's array, in the order of the sections.
    /// @counterpart `prif_put_strided` and its `_indirect` form
    /// @param to elements of the image's array
    /// @param from elements of the segment, as many in each dimension
    public final void put(Section to, MemorySegment source, Section from, int image) {
        checkNotNull(to, source, from);
        move(to, source, from, target("put", image), true);
    }

    /// Copies a section as [#put(Section, MemorySegment, Section, int)] does, and then adds 1 to a notification of
    /// that image. A waiter that has seen it sees these elements.
    /// @counterpart `prif_put_strided_with_notify` and its `_indirect` form
    public final void put(
            Section to, MemorySegment source, Section from, NotifyCoarray notify, long notification, int image) {
        checkNotNull(to, source, from);
        StatementChecks.notNull(notify, "put", "notify");
        int member = target("put", image);
        ImageTeam team = block.team();
        if (notify.block.team() != team) { // it numbers its images differently
            notify.checkPe("put", team.roster().pes()[member]);
            move(to, source, from, member, true);
            notify.notifyPe(notification, team.roster().pes()[member]);
            return;
        }
        SignalUpdate update = notify.adding(notification);
        move(to, source, from, member, true);
        Context context = elements.context();
        context.fence();
        update.signal().through(context).add(update.value(), member);
    }

    private static void checkNotNull(Section to, MemorySegment source, Section from) {
        StatementChecks.notNull(to, "put", "to");
        StatementChecks.notNull(source, "put", "source");
        StatementChecks.notNull(from, "put", "from");
    }

    private void move(Section remote, MemorySegment segment, Section local, int member, boolean isPut) {
        String operation = isPut ? "put" : "get";
        checkData(operation);
        remote.check(local, isPut, length, segment.byteSize() / elementBytes());
        if (member == block.team().roster().me()) {
            SelfCopy.check(block, operation, remote, segment, local, elementBytes());
        }
        remote.forEachRow(
                local,
                (index, stride, localIndex, localStride, count) ->
                        rows(index, stride, segment, localIndex, localStride, count, member, isPut));
    }

    private void rows(
            long index,
            long stride,
            MemorySegment segment,
            long localIndex,
            long localStride,
            long count,
            int member,
            boolean isPut) {
        if (stride == 1 && localStride == 1) {
            side(index, segment, localIndex, count, member, isPut);
        } else if (stride > 0 && localStride > 0) {
            row(index, stride, segment, localIndex, localStride, count, member, isPut);
        } else {
            for (long i = 0; i < count; i++) {
                side(index + i * stride, segment, localIndex + i * localStride, 1, member, isPut);
            }
        }
    }

    private void side(long index, MemorySegment segment, long localIndex, long count, int member, boolean isPut) {
        if (isPut) {
            elements.put(index * unit, segment, localIndex * unit, count * unit, member);
        } else {
            elements.get(index * unit, segment, localIndex * unit, count * unit, member);
        }
    }

    private void row(
            long index,
            long stride,
            MemorySegment segment,
            long localIndex,
            long localStride,
            long count,
            int member,
            boolean isPut) {
        if (isPut) {
            elements.putStrided(
                    index * unit, stride * unit, segment, localIndex * unit, localStride * unit, unit, count, member);
        } else {
            elements.getStrided(
                    index * unit, stride * unit, segment, localIndex * unit, localStride * unit, unit, count, member);
        }
    }

    /// Returns a copy of a section of the caller's own elements.
    MemorySegment packed(Section section) {
        MemorySegment copy = MemorySegment.ofArray(new byte[Math.toIntExact(section.size() * elementBytes())]);
        int me = block.team().roster().me();
        section.forEachRow(
                section.dense(),
                (index, stride, localIndex, localStride, count) ->
                        rows(index, stride, copy, localIndex, localStride, count, me, false));
        return copy;
    }

    /// Copies what [#packed] has returned back, if it is defined.
    void unpack(Section section, MemorySegment copy, boolean isDefined) {
        if (isDefined) {
            int me = block.team().roster().me();
            section.forEachRow(
                    section.dense(),
                    (index, stride, localIndex, localStride, count) ->
                            rows(index, stride, copy, localIndex, localStride, count, me, true));
        }
    }

    ElementView elements() {
        checkData("collective");
        return elements;
    }

    int unit() {
        return unit;
    }

    /// Returns an image's number in the team that has allocated; checks the image and the coarray.
    final int target(String operation, int image) {
        int[] numbers = fixed;
        if (numbers == null) {
            TeamScope scope = scopeNow(operation);
            numbers = scope.numbersIn(block);
            if (numbers == null) {
                throw block.over(operation);
            }
        } else if (block.scope == null) {
            throw block.over(operation);
        }
        if (image < 1 || image > numbers.length) {
            throw new IndexOutOfBoundsException(StatementChecks.prefix(operation) + "image " + image
                    + " is outside [1, " + numbers.length + "] of " + where());
        }
        return numbers[image - 1];
    }

    /// Returns an image's number as [#target(String, int)]; checks an index too.
    final int target(String operation, long index, int image) {
        int member = target(operation, image);
        if (index < 0 || index >= length) {
            throw StatementChecks.outside(operation, this, index);
        }
        return member;
    }

    /// Returns an index of the caller's own elements; checks it and the coarray.
    final long own(String operation, long index) {
        if (block.scope == null) {
            throw block.over(operation);
        }
        if (index < 0 || index >= length) {
            throw StatementChecks.outside(operation, this, index);
        }
        return index;
    }

    /// Throws if the images of a team can't use this coarray in a collective.
    final void checkUsable(String operation, ImageTeam team) {
        ImageTeam owner = block.team();
        if (block.scope == null || owner.runtime() != team.runtime()) {
            throw block.over(operation);
        }
        boolean hasAll = owner.hasDescendant(team)
                || IntStream.of(owner.roster().numbersOf(team.roster().pes())).allMatch(member -> member >= 0);
        if (!hasAll) {
            throw new IllegalArgumentException(
                    StatementChecks.prefix(operation) + "not all images of " + team.path() + " have " + this);
        }
    }

    @Override
    public String toString() {
        return block + " " + cobounds + (fixed == null ? "" : " in " + numbering);
    }
}
