// SPDX-License-Identifier: Apache-2.0
package coterie.internal.layer;

import coterie.CoterieException;
import coterie.internal.memory.StatusLabel;
import coterie.layer.Attributes;
import coterie.layer.Layer;
import coterie.layer.LayerContext;
import coterie.layer.LayerLibrary;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A layer that plugs in, at work in a world of this PE, or why it is not.
public final class Component {
    /// Bytes of the longest address, and of the longest that a member gives in an exchange.
    public static final int MOST_BYTES = 1 << 16;

    /// Held while the layer or one of its objects is called, for moments. What it moves is moved by one thread;
    /// another that comes for that goes on with something else.
    private final ReentrantLock lock = new ReentrantLock();

    private final String name;
    private final StatusLabel label;
    private final String provider;

    /// Null where it can't be used at all.
    private final @Nullable Layer layer;

    private final @Nullable Parts parts;
    private final byte[] address;
    private final @Nullable CoterieException refusal;
    private final AtomicBoolean isTold = new AtomicBoolean();

    /// What it has where it works.
    private record Parts(LayerLibrary library, Attributes attributes, LayerContext context, boolean isNamed) {}

    private Component(
            String name,
            String provider,
            @Nullable Layer layer,
            @Nullable Parts parts,
            byte[] address,
            @Nullable CoterieException refusal) {
        this.name = name;
        this.label = new StatusLabel(name);
        this.provider = provider;
        this.layer = layer;
        this.parts = parts;
        this.address = address;
        this.refusal = refusal;
    }

    /// One that does not work, and why.
    static Component refused(Layer layer, CoterieException why) {
        return new Component(layer.name(), layer.getClass().getName(), layer, null, new byte[0], why);
    }

    /// One that can't be used at all.
    static Component unusable(UnusableLayer unusableLayer) {
        return new Component(
                unusableLayer.name(), unusableLayer.provider(), null, null, new byte[0], unusableLayer.refusal());
    }

    /// Has a library take what it needs.
    ///
    /// @param attributes its own
    /// @param isNamed whether it was asked for by its name
    /// @throws CoterieException if it can't be had
    /// @throws IllegalArgumentException if its algorithms can't be
    static Component open(Layer layer, LayerLibrary library, Attributes attributes, boolean isNamed) {
        new LayerAttributes(layer, attributes)
                .table((_, algorithm) -> algorithm); // which teams build, where its layer is not named any more
        LayerContext context = Objects.requireNonNull(library.open(), "its context is null");
        try {
            byte[] address = Objects.requireNonNull(context.address(), "its address is null")
                    .clone();
            if (address.length > MOST_BYTES) {
                throw new CoterieException(
                        "its address has " + address.length + " bytes, outside [0, " + MOST_BYTES + "]");
            }
            Parts parts = new Parts(library, attributes, context, isNamed);
            return new Component(layer.name(), layer.getClass().getName(), layer, parts, address, null);
        } catch (Throwable e) {
            Components.quietly(LayerDiscovery.describe(layer), context::close);
            throw e;
        }
    }

    /// The layer itself.
    ///
    /// @throws IllegalStateException if it can't be used
    public Layer layer() {
        return working(layer);
    }

    /// Returns the name, as a status page shows it.
    public StatusLabel label() {
        return label;
    }

    /// Returns the name.
    public String name() {
        return name;
    }

    /// Its class, by which PEs compare what they have: one where it can't be used has no name.
    public String provider() {
        return provider;
    }

    /// Whether it was asked for by its name: then it is an error if it fails, and people are told of teams that it
    /// does not serve.
    public boolean isNamed() {
        return parts != null && parts.isNamed;
    }

    /// Why it does not work, or null.
    public @Nullable CoterieException refusal() {
        return refusal;
    }

    /// Why it does not serve teams of so many, or null if it does.
    public @Nullable String whyNot(int members) {
        if (parts == null) {
            return Objects.requireNonNull(refusal).getMessage();
        }
        Attributes can = parts.attributes;
        return members >= can.minMembers() && members <= can.maxMembers()
                ? null
                : "it serves teams of [" + can.minMembers() + ", " + can.maxMembers() + "] members, and this team has "
                        + members;
    }

    /// Whether this has not been asked before: what is told of it is told once in a world.
    public boolean isReported() {
        return !isTold.getAndSet(true);
    }

    /// What it has in common for all teams.
    ///
    /// @throws IllegalStateException if it does not work
    public LayerContext context() {
        return working(parts).context;
    }

    /// By what others reach this PE through it; it never changes.
    public byte[] address() {
        return address;
    }

    /// What it can do.
    ///
    /// @throws IllegalStateException if it does not work
    public LayerAttributes layerAttributes() {
        return new LayerAttributes(layer(), working(parts).attributes);
    }

    private <T> T working(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException(this + " does not work on this PE", refusal);
        }
        return part;
    }

    /// Calls it, when no other thread does.
    public void callGuarded(Runnable call) {
        lock.lock();
        try {
            call.run();
        } finally {
            lock.unlock();
        }
    }

    /// Calls it, when no other thread does.
    public <T> T callGuarded(Supplier<T> call) {
        lock.lock();
        try {
            return call.get();
        } finally {
            lock.unlock();
        }
    }

    /// Calls it, unless another thread does so right now.
    ///
    /// @return what it answers, or false
    public boolean tryGuarded(BooleanSupplier call) {
        if (!lock.tryLock()) {
            return false;
        }
        try {
            return call.getAsBoolean();
        } finally {
            lock.unlock();
        }
    }

    /// Lets go of all.
    void close() {
        if (parts != null) {
            try {
                parts.context.close();
            } finally {
                parts.library.close();
            }
        }
    }

    @Override
    public String toString() {
        return LayerDiscovery.describe(name, provider);
    }
}
