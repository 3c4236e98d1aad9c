// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

/// A team whose ranks are equally far apart, and of which its owner is one: three numbers, as in NCCL, and the
/// owner's rank.
/// @counterpart `ncclTeam_t`, `ncclTeam::stride`
/// @param size at least 1
/// @param rank the owner's number, in `[0, size)`
/// @param stride from one rank to the next, at least 1
/// @param owner the owner's rank in the communicator, at least `rank * stride`
public record AffineTeam(int size, int rank, int stride, int owner) implements GinTeam {
    public AffineTeam {
        if (size < 1 || rank < 0 || rank >= size || stride < 1 || owner < (long) rank * stride) {
            throw new IllegalArgumentException(
                    "AffineTeam: size " + size + ", rank " + rank + ", stride " + stride + ", owner " + owner
                            + "; allowed are 1 ≤ size, 0 ≤ rank < size, 1 ≤ stride, rank × stride ≤ owner");
        }
    }

    @Override
    public int toCommunicator(int member) {
        return owner + (member - rank) * stride;
    }

    @Override
    public int fromCommunicator(int commRank) {
        int distance = commRank - owner;
        int member = rank + distance / stride;
        return distance % stride == 0 && member >= 0 && member < size ? member : -1;
    }

    /// Returns the owner's group, if the team is divided into groups of `count` neighbours.
    /// @counterpart `ncclTeamInnerFactor`; a remainder throws
    /// @param count a divisor of the size; NCCL forgets a remainder
    public AffineTeam innerFactor(int count) {
        checkDivisor("innerFactor", count);
        return new AffineTeam(count, rank % count, stride, owner);
    }

    /// Returns the team of the owner's place in each group, see [#innerFactor].
    /// @counterpart `ncclTeamOuterFactor`; a remainder throws
    /// @param count a divisor of the size
    public AffineTeam outerFactor(int count) {
        checkDivisor("outerFactor", count);
        return new AffineTeam(size / count, rank / count, stride * count, owner);
    }

    private void checkDivisor(String operation, int count) {
        if (count < 1 || size % count != 0) {
            throw new IllegalArgumentException(operation + " of " + this + ": " + size + " is not divisible by " + count
                    + "; allowed are the divisors of the size");
        }
    }

    @Override
    public String toString() {
        return "team {" + size + ", " + rank + ", " + stride + "}";
    }
}
