// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import static coterie.coarray.ImageBoard.ABANDONED;
import static coterie.coarray.ImageBoard.TOKEN;

/// `sync images` of one image on one team: counts the calls for each pair of images.
///
/// An image puts its count for a pair into the partner's word for this image, with the team's token. Counts of a
/// pair are at most one apart, so 16 bits suffice; and two images are in no statement of another common team
/// before both have read the word of this one.
final class ImagePairs {
    private static final String STEPS = "IMAGES_PAIRS";
    private static final int COUNT_BITS = 16;

    private final ImageRuntime runtime;
    private final ImageBoard board;
    private final Roster roster;
    private final TeamAgreement agreement;
    private final short[] counts;

    ImagePairs(ImageRuntime runtime, Roster roster, TeamAgreement agreement) {
        this.runtime = runtime;
        this.board = runtime.board();
        this.roster = roster;
        this.agreement = agreement;
        this.counts = new short[roster.size()];
    }

    Outcome sync(int[] images, ImageTeam team) {
        team.statements().checkOpen("sync images", team);
        boolean[] isPartner = new boolean[roster.size()];
        for (int image : images) {
            team.pe("sync images", image);
            if (isPartner[image - 1]) {
                return new Outcome.Fault(Outcome.Fault.ARGUMENT, "image " + image + " occurs twice; each occurs once");
            }
            isPartner[image - 1] = true;
        }
        isPartner[roster.me()] = false;
        runtime.complete();
        runtime.step(STEPS, 0);
        for (int member = 0; member < isPartner.length; member++) {
            if (isPartner[member]) {
                counts[member]++;
                long word = (roster.token() << COUNT_BITS) | (counts[member] & 0xFFFF);
                board.words().put(board.pair(roster.pes()[roster.me()]), word, roster.pes()[member]);
                runtime.step(STEPS, 1);
            }
        }
        runtime.complete();
        runtime.step(STEPS, 2);
        Wait wait = new Wait(isPartner);
        runtime.await(wait);
        return wait.outcome;
    }

    /// One wait for partners.
    private final class Wait extends ImageWait {
        private final boolean[] isPartner;
        private Outcome outcome = Outcome.Ok.DONE;

        Wait(boolean[] isPartner) {
            super("sync images", roster);
            this.isPartner = isPartner;
        }

        @Override
        boolean isAwaited(int member) {
            return isPartner[member] && !hasCome(member);
        }

        @Override
        public boolean isOver() {
            boolean[] failed = runtime.failed(); // before the words, which count if they are there
            boolean isComplete = true;
            boolean isLost = false;
            for (int member = 0; member < isPartner.length; member++) {
                if (!isPartner[member] || hasCome(member)) {
                    continue;
                }
                int pe = roster.pes()[member];
                if (runtime.hasStopped(pe)) {
                    if (!hasCome(member)) {
                        outcome = new Outcome.Stopped(agreement.stopped());
                        return true;
                    }
                } else if (hasLeft(member)) {
                    outcome = new Outcome.Abandoned(member + 1, board.reason(roster.slots()[member], pe));
                    return true;
                } else if (failed[pe]) {
                    isLost = true;
                } else {
                    isComplete = false;
                }
            }
            if (isComplete && isLost) {
                outcome = new Outcome.Failed(agreement.failed());
            }
            return isComplete;
        }

        private boolean hasCome(int member) {
            long word = board.words().get(board.pair(roster.pes()[member]));
            return word >>> COUNT_BITS == roster.token() && (short) ((short) word - counts[member]) >= 0;
        }

        private boolean hasLeft(int member) {
            int pe = roster.pes()[member];
            int slot = roster.slots()[member];
            return board.read(board.word(slot, TOKEN), pe) == roster.token()
                    && board.read(board.word(slot, ABANDONED), pe) != 0;
        }
    }
}
