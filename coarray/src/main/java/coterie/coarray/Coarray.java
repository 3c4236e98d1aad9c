// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.Context;
import coterie.ElementView;
import coterie.SignalUpdate;
import java.lang.foreign.MemorySegment;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// An array that each image of a team has, and whose elements each image reads and writes on any image.
///
/// Images are those of the caller's **current** team. [#in(ImageTeam)] and [#in(Sibling)] give the same coarray
/// with the images of another team. A [TeamScope] allocates coarrays; they end with it.
///
/// Indices and counts are in elements, from 0. A put has its source when it returns; another image sees the
/// elements after the next synchronisation of the two, and so after a notification of [#put(long, MemorySegment,
/// long, long, int, NotifyCoarray, long)]. A get has the elements when it returns.
///
/// **Failures.** The memory of a failed image stays readable on one node, so an access to it returns normally;
/// [#stat(int)] after the access is its `stat=`.
///
/// **Errors.** Every access checks its arguments first. It throws [IndexOutOfBoundsException] for an image outside
/// the team, or a range that leaves the array or the segment; [IllegalStateException] if the coarray is freed, or,
/// without [#in(ImageTeam)], if the calling thread has no current team. A copy between the caller's own part and a
/// segment of it, which reads elements that it writes, throws [IllegalArgumentException].
///
/// **Threads.** Any thread that knows its team may access elements: a thread that the image has started uses
/// `a.in(team)`. Nothing but sections of a negative stride allocates.
public abstract sealed class Coarray
        permits IntegerCoarray, FloatCoarray, DoubleCoarray, RecordCoarray, EventCoarray, NotifyCoarray, LockCoarray {
    final CoarrayBlock block;
    final Cobounds cobounds;
    final ImageTeam established;
    private final ElementView elements;
    private final int unit;
    private final int @Nullable [] fixed;
    private final String numbering;

    /// Where a coarray is, and which images it names.
    ///
    /// @param fixed for each image its number in the team that has allocated, or null for the current team's
    ///     images
    @SuppressWarnings("ArrayRecordComponent") // no program compares placements
    record Placement(
            CoarrayBlock block, Cobounds cobounds, ImageTeam established, int @Nullable [] fixed, String numbering) {}

    /// @param unit elements of the view that are one element of the coarray
    Coarray(Placement placement, ElementView elements, int unit) {
        this.block = placement.block;
        this.cobounds = placement.cobounds;
        this.established = placement.established;
        this.fixed = placement.fixed;
        this.numbering = placement.numbering;
        this.elements = elements;
        this.unit = unit;
    }

    /// Returns this coarray at another placement of the same block.
    abstract Coarray at(Placement placement);

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
        return at(new Placement(block, cobounds, established, numbers, team.path()));
    }

    /// Returns this coarray with the images of a sibling of the current team, or of an ancestor.
    /// @counterpart `team_number=`
    /// @throws IllegalArgumentException if the coarray is not established in the sibling's parent
    public Coarray in(Sibling sibling) {
        StatementChecks.notNull(sibling, "in", "sibling");
        if (!established.hasDescendant(sibling.parent())) {
            throw notEstablished(sibling.parent().path() + ", the parent of " + sibling);
        }
        return at(new Placement(
                block, cobounds, established, block.team().roster().numbersOf(sibling.pes()), sibling.toString()));
    }

    private IllegalArgumentException notEstablished(String where) {
        return new IllegalArgumentException(StatementChecks.prefix("in") + block + " is not established in " + where
                + "; allowed are " + established.path() + " and teams formed in it");
    }

    /// Returns the number of elements that the array has on each image.
    /// @counterpart `prif_size_bytes`
    public final long length() {
        return elements.length() / unit;
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

    /// Returns the cobounds.
    public final Cobounds cobounds() {
        return cobounds;
    }

    private int images() {
        return fixed == null ? scopeNow("images").team().numImages() : fixed.length;
    }

    /// Returns an upper cobound, by the number of images of this coarray's team.
    /// @counterpart `ucobound`, `prif_ucobound`
    /// @param dim in `[1, cobounds().corank()]`
    public final int upperCobound(int dim) {
        return cobounds.upper(dim, images());
    }

    /// Returns the image that cosubscripts name, or 0 if they name none.
    /// @counterpart `image_index`, `prif_image_index`, `prif_image_index_with_team` and `_with_team_number`; of a
    ///     team after `in`
    public final int imageIndex(int... subscripts) {
        return cobounds.index(images(), StatementChecks.notNull(subscripts, "imageIndex", "subscripts"));
    }

    /// Returns the caller's cosubscripts in the team of this coarray's images: the current one, or that of
    /// [#in(ImageTeam)].
    /// @counterpart `this_image(a)`, `this_image(a, team=t)`, `prif_this_image_with_coarray`,
    ///     `prif_this_image_with_dim`
    /// @throws IllegalStateException if that is a sibling of which the caller is no image
    public final int[] thisImage() {
        int[] numbers = fixed;
        if (numbers == null) {
            return cobounds.subscripts(scopeNow("thisImage").team().thisImage());
        }
        int me = block.team().roster().me();
        for (int i = 0; i < numbers.length; i++) {
            if (numbers[i] == me) {
                return cobounds.subscripts(i + 1);
            }
        }
        throw new IllegalStateException(StatementChecks.prefix("thisImage") + "the caller is no image of " + numbering);
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
    /// @param offset of the first element in the segment, in elements
    public final void get(long index, MemorySegment target, long offset, long count, int image) {
        StatementChecks.notNull(target, "get", "target");
        int member = contiguous("get", index, target, offset, count, image);
        elements.get(index * unit, target, offset * unit, count * unit, member);
    }

    /// Copies elements of a segment to an image.
    /// @counterpart `prif_put` and its `_indirect` form
    /// @param offset of the first element in the segment, in elements
    public final void put(long index, MemorySegment source, long offset, long count, int image) {
        StatementChecks.notNull(source, "put", "source");
        int member = contiguous("put", index, source, offset, count, image);
        elements.put(index * unit, source, offset * unit, count * unit, member);
    }

    /// Copies elements of a segment to an image, and then adds 1 to a notification of that image. A waiter that
    /// has seen it sees these elements.
    /// @counterpart `notify=`, `prif_put_with_notify` and its `_indirect` form
    public final void put(
            long index,
            MemorySegment source,
            long offset,
            long count,
            int image,
            NotifyCoarray notify,
            long notification) {
        StatementChecks.notNull(source, "put", "source");
        StatementChecks.notNull(notify, "put", "notify");
        int member = contiguous("put", index, source, offset, count, image);
        elements.putSignal(index * unit, source, offset * unit, count * unit, member, notify.adding(notification));
    }

    /// Checks a copy of contiguous elements, and returns the image's number in the team that has allocated.
    private int contiguous(String operation, long index, MemorySegment segment, long offset, long count, int image) {
        checkData(operation);
        int member = target(operation, image);
        boolean isWithin = index >= 0 && count >= 0 && count <= length() - index;
        if (isWithin && member == block.team().roster().me()) {
            long bytes = elementBytes();
            long own = block.address() + index * bytes;
            SelfCopy.check(block, operation, own, segment, offset * bytes, count * bytes);
        }
        return member;
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
            Section to, MemorySegment source, Section from, int image, NotifyCoarray notify, long notification) {
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
        remote.check(local, isPut, length(), segment.byteSize() / elementBytes());
        if (member == block.team().roster().me()) {
            SelfCopy.check(block, operation, remote, segment, local, elementBytes());
        }
        remote.forEachRow(local, (index, stride, offset, offsetStride, count) -> {
            if (stride > 0 && offsetStride > 0) {
                row(index, stride, segment, offset, offsetStride, count, member, isPut);
            } else {
                for (long i = 0; i < count; i++) {
                    row(index + i * stride, 1, segment, offset + i * offsetStride, 1, 1, member, isPut);
                }
            }
        });
    }

    private void row(
            long index,
            long stride,
            MemorySegment segment,
            long offset,
            long offsetStride,
            long count,
            int member,
            boolean isPut) {
        if (isPut) {
            elements.putStrided(
                    index * unit, stride * unit, segment, offset * unit, offsetStride * unit, unit, count, member);
        } else {
            elements.getStrided(
                    index * unit, stride * unit, segment, offset * unit, offsetStride * unit, unit, count, member);
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

    /// Returns the team whose images the caller's numbers are.
    final String where() {
        return fixed == null ? ImageTeam.current().path() : numbering;
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

    private TeamScope scopeNow(String operation) {
        try {
            return Images.CURRENT.get();
        } catch (NoSuchElementException e) {
            throw new IllegalStateException(
                    block.team().runtime().prefix(operation) + Thread.currentThread() + " has no current team, whose"
                            + " images " + this + " would name; use Coarray.in with a team in such a thread");
        }
    }

    @Override
    public String toString() {
        return block + " " + cobounds + (fixed == null ? "" : " in " + numbering);
    }
}
