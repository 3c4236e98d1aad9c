// SPDX-License-Identifier: Apache-2.0
import coterie.*;

/// Step 5 of docs/tutorial.md.
void main() {
    World world = World.join();
    Team.Axes grid = world.team().split2D(2); // two PEs in a row
    Team row = grid.x(), column = grid.y();

    long inRow = row.sum(world.pe()), inColumn = column.sum(world.pe());
    IO.println("PE " + world.pe() + " is member " + row.member() + " of row " + Arrays.toString(row.pes())
            + " with sum " + inRow + ", and member " + column.member() + " of column "
            + Arrays.toString(column.pes()) + " with sum " + inColumn);
}
