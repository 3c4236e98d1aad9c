// SPDX-License-Identifier: Apache-2.0
package coterie.internal.layer;

import coterie.CoterieException;
import coterie.layer.Attributes;
import coterie.layer.Layer;
import coterie.layer.LayerContext;
import coterie.layer.LayerLibrary;
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

    private final Layer layer;
    private final @Nullable LayerLibrary library;
    private final @Nullable Attributes attributes;
    private final @Nullable LayerContext context;
    private final byte[] address;
    private final boolean isNamed;
    private final @Nullable CoterieException refusal;

    private Component(
            Layer layer,
            @Nullable LayerLibrary library,
            @Nullable Attributes attributes,
            @Nullable LayerContext context,
            byte[] address,
            boolean isNamed,
            @Nullable CoterieException refusal) {
        this.layer = layer;
        this.library = library;
        this.attributes = attributes;
        this.context = context;
        this.address = address;
        this.isNamed = isNamed;
        this.refusal = refusal;
    }

    /// One that does not work, and why.
    static Component refused(Layer layer, CoterieException why) {
        return new Component(layer, null, null, null, new byte[0], false, why);
    }

    /// Has a library take what it needs.
    ///
    /// @param isNamed whether it was asked for by its name
    /// @throws CoterieException if it can't be had
    static Component open(Layer layer, LayerLibrary library, boolean isNamed) {
        Attributes attributes = library.attributes();
        LayerContext context = library.open();
        boolean isOpen = false;
        try {
            byte[] address = context.address().clone();
            if (address.length > MOST_BYTES) {
                throw new CoterieException(
                        "its address has " + address.length + " bytes, outside [0, " + MOST_BYTES + "]");
            }
            isOpen = true;
            return new Component(layer, library, attributes, context, address, isNamed, null);
        } finally {
            if (!isOpen) {
                context.close();
            }
        }
    }

    public Layer layer() {
        return layer;
    }

    public String name() {
        return layer.name();
    }

    /// Whether it was asked for by its name, so that it must serve.
    public boolean isNamed() {
        return isNamed;
    }

    /// Why it does not work, or null.
    public @Nullable CoterieException refusal() {
        return refusal;
    }

    /// Whether it works, and serves teams of so many.
    public boolean serves(int members) {
        return attributes != null && members >= attributes.leastMembers() && members <= attributes.mostMembers();
    }

    /// What it has in common for all teams.
    ///
    /// @throws IllegalStateException if it does not work
    public LayerContext context() {
        return open(context);
    }

    /// By what others reach this PE through it; nobody changes it.
    public byte[] address() {
        return address;
    }

    /// What it can do.
    ///
    /// @throws IllegalStateException if it does not work
    public Abilities abilities() {
        return new Abilities(layer, open(attributes));
    }

    private <T> T open(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException(Plugins.describe(layer) + " does not work here", refusal);
        }
        return part;
    }

    /// Calls it, when no other thread does.
    public void guarded(Runnable call) {
        lock.lock();
        try {
            call.run();
        } finally {
            lock.unlock();
        }
    }

    /// Calls it, when no other thread does.
    public <T> T guarded(Supplier<T> call) {
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
        try {
            if (context != null) {
                context.close();
            }
        } finally {
            if (library != null) {
                library.close();
            }
        }
    }

    @Override
    public String toString() {
        return Plugins.describe(layer);
    }
}
