/** @module What databases are like now, before the schema is told of them. */
import type { DataSource } from '../data-source.ts'
import type { Log } from '../log.ts'
import { within } from '../within.ts'

/** How long a database may take to tell what it has, in milliseconds. */
const patienceMs = 3_000

/**
 * Reads the catalogs of all databases again that were ever reached, as often as requests may cause that. One that cannot
 * tell what it has is described as it was.
 */
export async function readAgain(sources: Iterable<DataSource>, log: Log): Promise<void> {
  const readings = [...sources].map(async ({ name, introspection, refreshOnDemand }) => {
    if (introspection() === undefined) return
    try {
      await within(patienceMs, refreshOnDemand() ?? Promise.resolve())
    } catch (err) {
      log.warn({ connection: name, err }, 'the catalog could not be read again')
    }
  })
  await Promise.all(readings)
}
