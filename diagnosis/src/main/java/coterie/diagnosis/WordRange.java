// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import coterie.diagnosis.Model.Node;
import coterie.diagnosis.OperationAction.Condition;
import coterie.diagnosis.OperationAction.Update;
import java.math.BigInteger;
import java.util.List;

/// What values a word can have, by its value now and updates that may happen.
final class WordRange {
    private static final BigInteger WRAP = BigInteger.ONE.shiftLeft(Long.SIZE);

    private WordRange() {}

    /// Returns whether a condition may hold at some moment, if these updates happen in an order that suits it.
    /// Errs towards true.
    static boolean mayHold(Condition condition, long value, List<Node> updates) {
        if (condition.holds(value)) {
            return true;
        }
        BigInteger least = number(value, condition);
        BigInteger most = least;
        BigInteger down = BigInteger.ZERO;
        BigInteger up = BigInteger.ZERO;
        for (Node node : updates) {
            if (!isWhole(node, condition) || !(node.action() instanceof Update update)) {
                return true; // a put of anything
            }
            if (update.isAdd()) {
                BigInteger added = BigInteger.valueOf(update.value());
                down = down.add(added.min(BigInteger.ZERO));
                up = up.add(added.max(BigInteger.ZERO));
            } else {
                least = least.min(number(update.value(), condition));
                most = most.max(number(update.value(), condition));
            }
        }
        least = least.add(down);
        most = most.add(up);
        if (wraps(least, condition) || wraps(most, condition)) {
            return true;
        }
        BigInteger operand = number(condition.operand(), condition);
        return switch (condition.comparison()) {
            case EQ -> least.compareTo(operand) <= 0 && operand.compareTo(most) <= 0;
            case NE -> !least.equals(most);
            case GT -> most.compareTo(operand) > 0;
            case GE -> most.compareTo(operand) >= 0;
            case LT -> least.compareTo(operand) < 0;
            case LE -> least.compareTo(operand) <= 0;
        };
    }

    /// Returns whether a condition holds from some moment on, in each order, once `sure` updates have happened,
    /// while
    /// `all` may. Errs towards false.
    static boolean mustHold(Condition condition, long value, List<Node> sure, List<Node> all) {
        if (all.isEmpty()) {
            return condition.holds(value);
        }
        boolean isStored = false;
        BigInteger sum = number(value, condition);
        boolean isRising = true;
        boolean isFalling = true;
        BigInteger end = sum;
        for (Node node : all) {
            if (isWhole(node, condition) && node.action() instanceof Update update && update.isAdd()) {
                isRising &= update.value() >= 0;
                isFalling &= update.value() <= 0;
                end = end.add(BigInteger.valueOf(update.value()));
                if (sure.contains(node)) {
                    sum = sum.add(BigInteger.valueOf(update.value()));
                }
            } else {
                isStored = true;
            }
        }
        if (isStored) {
            return storesHold(condition, sure, all);
        }
        if (wraps(end, condition)) {
            return false;
        }
        BigInteger operand = number(condition.operand(), condition);
        return switch (condition.comparison()) {
            case GT -> isRising && sum.compareTo(operand) > 0;
            case GE -> isRising && sum.compareTo(operand) >= 0;
            case LT -> isFalling && sum.compareTo(operand) < 0;
            case LE -> isFalling && sum.compareTo(operand) <= 0;
            case EQ, NE -> all.size() == 1 && sure.size() == 1 && condition.holds(sum.longValue());
        };
    }

    /// If nothing adds, and each value that anybody stores is right. A put is taken to store what its receiver
    /// waits for.
    private static boolean storesHold(Condition condition, List<Node> sure, List<Node> all) {
        for (Node node : all) {
            if (node.action() instanceof Update update && (update.isAdd() || !condition.holds(update.value()))) {
                return false;
            }
        }
        return !sure.isEmpty();
    }

    /// Returns whether an operation updates the very word of the condition, and not some of its bytes.
    private static boolean isWhole(Node node, Condition condition) {
        return node.action() instanceof Update update
                && update.word().equals(condition.word())
                && update.width() == condition.width();
    }

    /// Returns whether a number is none of the word's.
    private static boolean wraps(BigInteger number, Condition condition) {
        int bits = Byte.SIZE * condition.width() - (condition.isUnsigned() ? 0 : 1);
        BigInteger least = condition.isUnsigned()
                ? BigInteger.ZERO
                : BigInteger.ONE.shiftLeft(bits).negate();
        return number.compareTo(least) < 0 || number.bitLength() > bits;
    }

    /// Returns what a word of the condition's width holds after a store of a value.
    private static BigInteger number(long value, Condition condition) {
        int unused = Long.SIZE - Byte.SIZE * condition.width();
        long shifted = value << unused;
        BigInteger number = BigInteger.valueOf(condition.isUnsigned() ? shifted >>> unused : shifted >> unused);
        return number.signum() < 0 && condition.isUnsigned() ? number.add(WRAP) : number;
    }
}
