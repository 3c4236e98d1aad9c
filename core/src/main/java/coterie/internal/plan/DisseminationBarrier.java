// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

/// Barrier by dissemination (Hensgen, Finkel and Manber, 1988), k members at a time: in the step with stride s,
/// each member notifies the members s, 2s … (k-1)s places after it, and waits for those before it. After the step
/// it knows that the ks - 1 members before it have entered the barrier.
///
/// ```
///  k = 2, member 0 of 5:   from 4 │ from 3, which knows of 2 │ from 1, which knows of 0, 4, 3
/// ```
///
/// ⌈log_k n⌉ steps, without bytes.
public final class DisseminationBarrier {

    static void barrier(Plan.Builder plan, CollectiveShape shape) {
        barrier(plan, shape.size(), shape.me(), shape.radix());
    }

    /// Makes a plan of a task between two barriers: no member begins the task before all have come, and a member that
    /// has done the plan knows that all have done the task.
    public static Plan around(Action.Run task, int size, int me) {
        Plan.Builder plan = Plan.builder();
        barrier(plan, size, me, 2);
        plan.task(task).next();
        barrier(plan, size, me, 2);
        return plan.build();
    }

    /// Makes a plan of a task after a barrier: no member begins the task before all have come.
    public static Plan before(Action.Run task, int size, int me) {
        Plan.Builder plan = Plan.builder();
        barrier(plan, size, me, 4);
        return plan.task(task).build();
    }

    private static void barrier(Plan.Builder plan, int size, int me, int radix) {
        for (long stride = 1; stride < size; stride *= radix) {
            for (long digit = 1; digit < radix && digit * stride < size; digit++) {
                plan.send(Math.floorMod(me + digit * stride, size), ByteSpan.NOTHING);
                plan.receive(Math.floorMod(me - digit * stride, size), ByteSpan.NOTHING);
            }
            plan.next();
        }
    }

    private DisseminationBarrier() {}
}
