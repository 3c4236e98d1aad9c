// SPDX-License-Identifier: Apache-2.0
package coterie;

/// The class of [Context#INVALID], its only instance; no other code names it.
final class InvalidContext implements Context {
    @Override
    public Team team() {
        return Team.INVALID;
    }

    @Override
    public void fence() {
        // INVALID has no operations to order
    }

    @Override
    public void quiet() {
        // INVALID has no operations to complete
    }

    @Override
    public void quiet(int... pes) {
        // INVALID has no operations to complete
    }

    @Override
    public long quietNbi() {
        return 0; // INVALID has no operations to complete
    }

    @Override
    public long quietNbi(int pe) {
        return 0; // INVALID has no operations to complete
    }

    @Override
    public boolean isComplete(long ticket) {
        complete(ticket);
        return true;
    }

    @Override
    public void complete(long ticket) {
        if (ticket != 0) {
            throw new IllegalArgumentException("ticket " + ticket + " is not one of Context.INVALID, which has no"
                    + " operations; pass it to the context that the operation's view goes through");
        }
    }

    @Override
    public boolean isDirect(int pe) {
        throw new IllegalArgumentException("isDirect: Context.INVALID has no PE " + pe);
    }

    @Override
    public void startSession(SessionOption... options) {
        // INVALID has no operations to describe
    }

    @Override
    public void startSession(long totalOperations, SessionOption... options) {
        // INVALID has no operations to describe
    }

    @Override
    public void stopSession() {
        // INVALID has no session
    }

    @Override
    public void close() {
        // INVALID has nothing to end
    }

    @Override
    public String toString() {
        return "Context.INVALID";
    }
}
