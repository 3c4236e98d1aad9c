// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import coterie.diagnosis.Model.Node;
import coterie.diagnosis.OperationAction.Await;
import coterie.diagnosis.OperationAction.Condition;
import coterie.diagnosis.OperationAction.Meet;
import java.util.LinkedHashMap;
import java.util.Map;

/// What a stuck operation needs and does, as fields for programs.
final class OperationFields {
    private OperationFields() {}

    static Map<String, Object> of(Model model, Node node) {
        Map<String, Object> fields = new LinkedHashMap<>();
        LaneSnapshot lane = model.laneOf(node);
        long number = lane.completed() + model.lane(node.pe, node.lane).indexOf(node);
        fields.put("number", number);
        fields.put("laneCompleted", lane.completed());
        fields.put("lanePending", lane.pending().size());
        fields.put("laneHistory", lane.history());
        if (Limits.of(model, node).hasQueues() && lane.kind() == LaneSnapshot.Kind.DEVICE) {
            fields.put("queue", Limits.queueOf(model, node));
            fields.put("queued", node.operation.queued());
        }
        fields.put("slot", node.operation.slot().name());
        action(model, node, fields);
        return fields;
    }

    private static void action(Model model, Node node, Map<String, Object> fields) {
        switch (node.action()) {
            case OperationAction.Update update -> {
                word(update.word(), fields);
                fields.put("isAdd", update.isAdd());
                fields.put("value", update.value());
                fields.put("width", update.width());
            }
            case OperationAction.Put put -> {
                word(new Word(put.pe(), put.offset()), fields);
                fields.put("length", put.length());
            }
            case Await await -> {
                fields.put("needed", await.needed());
                fields.put("senders", await.senders());
                fields.put(
                        "conditions",
                        await.conditions().stream()
                                .map(each -> condition(model, each))
                                .toList());
            }
            case Meet meet -> {
                fields.put("team", meet.team());
                fields.put("members", meet.members());
                fields.put("sequence", meet.sequence());
                fields.put("signature", meet.signature());
            }
            case OperationAction.Kernel kernel -> {
                fields.put("threadsNeeded", kernel.blockThreads());
                fields.put("threadsHeld", kernel.heldThreads());
                fields.put("threadsOfDevice", Limits.of(model, node).threads());
            }
            case OperationAction.Help help -> fields.put("helpers", help.pes());
            case OperationAction.Local _, OperationAction.After _, OperationAction.Run _ -> {}
        }
    }

    private static void word(Word word, Map<String, Object> fields) {
        fields.put("peer", word.pe());
        fields.put("offset", word.offset());
    }

    private static Map<String, Object> condition(Model model, Condition condition) {
        Map<String, Object> fields = new LinkedHashMap<>();
        word(condition.word(), fields);
        fields.put("width", condition.width());
        fields.put("isUnsigned", condition.isUnsigned());
        fields.put("current", model.value(condition.word()));
        fields.put("comparison", condition.comparison().name());
        fields.put("wanted", condition.operand());
        return fields;
    }
}
