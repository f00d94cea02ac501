/** @module The tables at the end, read directly: every expected row must be there, once, and no other row. */
import type { Findings } from '../judge/findings.ts'
import { countFault, type EntriesByConnection } from '../load/entries.ts'
import { connectionNames } from '../target.ts'
import type { World } from '../world/world.ts'

/** @returns how many rows were compared. */
export async function checkStoredRows(
  world: World,
  entries: EntriesByConnection,
  findings: Findings,
): Promise<number> {
  let compared = 0
  for (const connection of connectionNames) {
    const rows = await world.direct[connection](
      'select id, count(*) as found from entries group by id',
    )
    const stored = new Map(rows.map(({ id, found }) => [String(id), Number(found)]))
    const known = entries[connection]
    for (const [id, state] of known) {
      const fault = countFault(state, stored.get(id) ?? 0)
      if (fault !== undefined) findings.add('wrong data', `${connection}: entry ${id} is ${fault}`)
      compared += 1
    }
    for (const id of stored.keys()) {
      if (!known.has(id)) findings.add('wrong data', `${connection}: entry ${id} from nowhere`)
    }
  }
  return compared
}
