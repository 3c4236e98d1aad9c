// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import coterie.ElementType;
import coterie.Team;
import coterie.cuda.DeviceTransfer.Direction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The checks of sends and receives that programs pass to [DeviceCollectives]. They enqueue nothing.
final class ExchangeChecks {
    private final DeviceCallChecks checks;
    private final Team team;

    ExchangeChecks(DeviceCallChecks checks, Team team) {
        this.checks = checks;
        this.team = team;
    }

    /// Returns one transfer.
    DeviceTransfer transfer(
            Direction direction, ElementType elements, DeviceMemory memory, long index, long count, int peer) {
        boolean isSend = direction == Direction.SEND;
        String operation = isSend ? "send" : "receive";
        checks.checked(elements, operation, "elements");
        if (peer < 0 || peer >= team.size()) {
            throw new IndexOutOfBoundsException(
                    checks.prefix(operation) + "peer " + peer + " is outside [0, " + team.size() + ")");
        }
        return block(operation, direction, elements, memory, index, count, peer);
    }

    private DeviceTransfer block(
            String operation,
            Direction direction,
            ElementType elements,
            DeviceMemory memory,
            long index,
            long count,
            int peer) {
        checks.count(operation, count, elements);
        String role = direction == Direction.SEND ? "source" : "target";
        long at = checks.place(operation, role, memory, index, elements, count);
        return new DeviceTransfer(direction, peer, at, count * elements.byteSize());
    }

    /// Returns a receive of each member, and a send to each.
    List<DeviceTransfer> allToAllV(
            ElementType elements,
            DeviceMemory target,
            long[] targetCounts,
            long[] targetIndices,
            DeviceMemory source,
            long[] sourceCounts,
            long[] sourceIndices) {
        String operation = "allToAllV";
        checks.checked(elements, operation, "elements");
        checks.checked(target, operation, "target");
        checks.checked(source, operation, "source");
        checks.checked(targetCounts, operation, "targetCounts");
        checks.checked(targetIndices, operation, "targetIndices");
        checks.checked(sourceCounts, operation, "sourceCounts");
        checks.checked(sourceIndices, operation, "sourceIndices");
        checkLength("targetCounts", targetCounts);
        checkLength("targetIndices", targetIndices);
        checkLength("sourceCounts", sourceCounts);
        checkLength("sourceIndices", sourceIndices);
        List<DeviceTransfer> transfers = new ArrayList<>();
        for (int peer = 0; peer < team.size(); peer++) {
            transfers.add(
                    block(operation, Direction.SEND, elements, source, sourceIndices[peer], sourceCounts[peer], peer));
            transfers.add(block(
                    operation, Direction.RECEIVE, elements, target, targetIndices[peer], targetCounts[peer], peer));
        }
        check(operation, transfers);
        return transfers;
    }

    private void checkLength(String name, long[] array) {
        if (array.length != team.size()) {
            throw checks.illegal(
                    "allToAllV",
                    name + " has " + array.length + " elements; required: " + team.size() + ", one for each member");
        }
    }

    /// Checks what goes on together: what comes overlaps nothing else, and what this member sends to itself it
    /// receives.
    void check(String operation, List<DeviceTransfer> transfers) {
        checkOwn(operation, transfers);
        List<DeviceTransfer> sorted = transfers.stream()
                .filter(each -> each.bytes() > 0)
                .sorted(Comparator.comparingLong(DeviceTransfer::at))
                .toList();
        long sent = 0; // the end of what is sent so far
        long received = 0;
        for (DeviceTransfer each : sorted) {
            long taken = each.isSend() ? received : Math.max(sent, received);
            if (each.at() < taken) {
                throw checks.illegal(
                        operation,
                        each.bytes() + " bytes of the " + (each.isSend() ? "source for" : "target from") + " PE "
                                + team.pe(each.peer()) + " overlap other bytes of the call; what is received must be"
                                + " disjoint from all others");
            }
            sent = each.isSend() ? Math.max(sent, each.end()) : sent;
            received = each.isSend() ? received : each.end();
        }
    }

    private void checkOwn(String operation, List<DeviceTransfer> transfers) {
        List<Long> sent = ownBytes(transfers, Direction.SEND);
        List<Long> received = ownBytes(transfers, Direction.RECEIVE);
        if (!sent.equals(received)) {
            throw checks.illegal(
                    operation,
                    "this PE sends " + sent + " bytes to itself and receives " + received
                            + "; both must be the same, in one call or one group");
        }
    }

    private List<Long> ownBytes(List<DeviceTransfer> transfers, Direction direction) {
        return transfers.stream()
                .filter(each -> each.peer() == team.member() && each.direction() == direction)
                .map(DeviceTransfer::bytes)
                .toList();
    }
}
