// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.device;

import coterie.Context;
import coterie.CoterieException;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.ThreadLevel;
import coterie.World;
import coterie.cuda.DeviceError;
import coterie.cuda.DeviceTeamOptions;
import coterie.spi.FaceSupport;
import coterie.spi.ProgressHook;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A team as the kernels of one device see it: the control block, the image in device memory, the ring and its
/// consumer. [coterie.cuda.DeviceTeam] is its public face.
///
/// The consumer is a progress hook of the PE. At [ThreadLevel#MULTIPLE] it also has a thread, since the program may
/// wait in the driver, where no hook runs; at other levels the program calls [World#progress] while kernels run.
public final class KernelTeam implements AutoCloseable {
    /// The largest page of the supported machines: the driver registers whole pages, each once.
    private static final long PAGE = 65_536;

    private final Team team;
    private final DeviceAccess access;
    private final ControlLayout layout;
    private final SymmetricMemory control;
    private final Context context;
    private final long address;
    private final RingConsumer consumer;
    private final ProgressHook.Registration registration;
    private final @Nullable RingThread thread;
    private boolean isClosed;

    private KernelTeam(
            World world,
            Team team,
            ControlLayout layout,
            DeviceAccess access,
            SymmetricMemory control,
            List<DeviceBlock> blocks,
            long address) {
        FaceSupport support = FaceSupport.of(world);
        this.team = team;
        this.access = access;
        this.layout = layout;
        this.control = control;
        this.context = team.createContext();
        this.address = address;
        this.consumer = new RingConsumer(
                part(layout.slots(), layout.slotBytes()),
                part(layout.published(), DeviceLayouts.PUBLISHED.byteSize()),
                part(layout.abortWord(), Long.BYTES),
                part(layout.completions(), layout.completionBytes()),
                part(layout.staging(), ControlLayout.STAGING_BYTES),
                ringBlocks(blocks),
                context,
                access,
                support::nanoTime);
        this.registration = support.addProgress(consumer);
        boolean hasThread = world.threadLevel() == ThreadLevel.MULTIPLE;
        this.thread = hasThread ? RingThread.start(world, "coterie-ring-pe" + world.pe(), this::abort) : null;
    }

    /// Makes a team's resources. **Collective** over the team, agreeing.
    ///
    /// @param given blocks of all members alike; kernels number them from 1, since block 0 is the control block's
    /// @throws CoterieException on all members, if a device refuses to register its memory or to allocate
    public static KernelTeam create(
            World world, Team team, DeviceTeamOptions options, DeviceAccess access, List<DeviceBlock> given) {
        for (DeviceBlock each : given) {
            if (each.members() != team.size()) {
                throw new IllegalArgumentException("device team on PE " + world.pe() + ": a block has addresses of "
                        + each.members() + " members; the team has " + team.size());
            }
        }
        ControlLayout layout = new ControlLayout(options);
        SymmetricMemory control = team.allocate((layout.byteSize() + PAGE - 1) / PAGE * PAGE, PAGE);
        List<DeviceBlock> blocks = new ArrayList<>();
        long address = 0;
        RuntimeException failure = null;
        try {
            long[] bases = access.map(control);
            SymmetricMemory words = control.slice(0, layout.symmetricBytes());
            blocks.add(DeviceBlock.ofHost(words, bases, access.hasHostAtomics()));
            blocks.addAll(given);
            DeviceTeamImage image = new DeviceTeamImage(options, blocks, team.pes());
            address = access.allocate(image.byteSize());
            try (Arena arena = Arena.ofConfined()) {
                access.toDevice(image.bytes(arena, address, bases[team.member()], team.member()), address);
            }
        } catch (RuntimeException e) {
            failure = e;
        }
        if (team.allReduce(Reduction.MIN, failure == null ? 1 : 0) == 1) {
            return new KernelTeam(world, team, layout, access, control, blocks, address);
        }
        if (address != 0) {
            access.free(address);
        }
        if (!blocks.isEmpty()) {
            access.unmap(control);
        }
        control.close();
        String operation = "device team on PE " + world.pe() + ", team " + team.name() + ": ";
        throw failure == null
                ? new CoterieException(operation + "another member's device has failed")
                : new CoterieException(operation + failure.getMessage(), failure);
    }

    private @Nullable RingBlock[] ringBlocks(List<DeviceBlock> blocks) {
        @Nullable RingBlock[] made = new @Nullable RingBlock[blocks.size()];
        for (int i = 0; i < made.length; i++) {
            DeviceBlock block = blocks.get(i);
            SymmetricMemory memory = block.memory();
            made[i] = memory == null ? null : new RingBlock(memory, context, block.base(team.member()));
        }
        return made;
    }

    private MemorySegment part(long offset, long bytes) {
        return control.segment().asSlice(offset, bytes);
    }

    /// Returns the address of the `coterie_team`, which kernels get as an argument.
    public long address() {
        return address;
    }

    /// Returns the team.
    public Team team() {
        return team;
    }

    /// Returns which error the kernels have met first.
    public Optional<DeviceError> error() {
        return DeviceErrors.error(record());
    }

    /// Returns the sentence about an error that [#error] has returned.
    public String describe(DeviceError error) {
        return DeviceErrors.describe(record(), error);
    }

    /// Returns what ended the ring's consumer, or null.
    public @Nullable RuntimeException ringFailure() {
        return consumer.failure();
    }

    /// Ends all waits of the kernels, with [DeviceError#ABORTED].
    public void abort() {
        RingLayout.release(part(layout.abortWord(), Long.BYTES), 0, RingConsumer.ENDED);
    }

    private MemorySegment record() {
        return part(layout.error(), DeviceLayouts.ERROR.byteSize());
    }

    /// Ends this member's use of all, and waits for no other PE: kernels of this device that still use the team fail
    /// with [DeviceError#ABORTED]. Others may go on with the words of this member, which stay until all have
    /// closed the team. A second close does nothing.
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        abort();
        if (thread != null) {
            thread.stop();
        }
        registration.close();
        access.whenIdle(this::release);
    }

    private void release() {
        try {
            access.free(address);
            access.unmap(control);
        } finally {
            context.close();
            control.close();
        }
    }
}
