/**
 * Every program works on PostgreSQL itself, and its answer does not depend on the stored order of rows: any other
 * difference through a gateway is caused by the gateway.
 */
import { createPostgresFixture } from '@engine/fixtures'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compareProgram, type Sides } from '../src/compare-program.ts'
import { openDirectPool } from '../src/direct.ts'
import * as drizzle045 from '../src/drizzle-0.45/index.ts'
import * as drizzle1 from '../src/drizzle-1.0/index.ts'
import { formatReport } from '../src/format-report.ts'
import * as kysely from '../src/kysely/index.ts'
import { createPostgresReset } from '../src/postgres-reset.ts'
import type { Client } from '../src/suite.ts'

/** Times in the client's own zone would be wrong by hours. */
process.env['TZ'] = 'America/New_York'

describePostgres('on two copies of the shop, stored in opposite orders', () => {
  let stores: readonly Store[]

  beforeAll(async () => {
    stores = [await openStore('ascending'), await openStore('descending')]
  })
  afterAll(() => Promise.all(stores.map((store) => store.close())))

  const connected = <Db>(client: Pick<Client<Db>, 'directDb'>): Sides<Db> => {
    const [one, other] = stores
    if (one === undefined || other === undefined) throw new Error('the shop is not open')
    return {
      direct: client.directDb(one.pool),
      gateway: client.directDb(other.pool),
      reset: async () => void (await Promise.all([one.reset(), other.reset()])),
      database: 'postgres',
    }
  }
  testAll('Drizzle 0.45', drizzle045, connected)
  testAll('Drizzle 1.0', drizzle1, connected)
  testAll('Kysely', kysely, connected)
})

function testAll<Db>(
  name: string,
  client: Pick<Client<Db>, 'programs' | 'directDb'>,
  connected: (client: Pick<Client<Db>, 'directDb'>) => Sides<Db>,
): void {
  /** Programs that read come first: a reset gives all rows the same order. */
  const programs = client.programs.toSorted((a, b) => Number(a.mutates) - Number(b.mutates))
  describe(name, () => {
    let sides: Sides<Db>
    beforeAll(() => {
      sides = connected(client)
    })
    test.each(programs)('$name', async (program) => {
      const report = await compareProgram(program, sides)
      const works = typeof program.expect === 'string'
      expect(report.outcome.kind, formatReport([{ ...report, expected: false }])).toBe(
        works ? 'equal' : 'failed',
      )
    })
  })
}

interface Store {
  readonly pool: pg.Pool
  readonly reset: () => Promise<void>
  readonly close: () => Promise<void>
}

async function openStore(rowOrder: 'ascending' | 'descending'): Promise<Store> {
  const url = await createDatabase(`client programs ${rowOrder}`)
  await createPostgresFixture(url, 'main', { rowOrder })
  const pool = openDirectPool(url)
  const session = new pg.Client({ connectionString: url })
  await session.connect()
  return {
    pool,
    reset: await createPostgresReset(session),
    close: async () => {
      await session.end()
      await pool.end()
    },
  }
}
