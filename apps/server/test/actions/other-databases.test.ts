import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, createEngine, type Engine } from '@engine/core'
import { startLibsql } from '@engine/test-databases'
import { describeLibsql } from '@engine/test-databases/vitest'
import { createClient } from '@libsql/client/web'
import { afterEach, describe, expect, test } from 'vitest'
import { adapters } from '../support/gateway.ts'

const open = (url: Config['connections'][string]): Promise<Engine> =>
  createEngine({ connections: { main: url } }, { adapters })

describe("the application's own access to a directory of CSV files", () => {
  const folder = mkdtempSync(join(tmpdir(), 'engine-actions-csv-'))
  const file = join(folder, 'stock.csv')
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  test("the application's own access to a directory of CSV files keeps whole transactions in the files, or nothing", async () => {
    writeFileSync(file, 'id,amount\n1,5\n2,7\n')
    const engine = await open({
      directory: folder,
      writable: true,
      tables: { stock: { key: 'id' } },
    })
    const { database, end } = engine.database()
    const move = (by: number, fails: boolean) =>
      database.transaction().execute(async (transaction) => {
        for (const [id, amount] of [
          [1, by],
          [2, -by],
        ] as const) {
          await transaction
            .updateTable('main.stock')
            .set(({ eb }) => ({ amount: eb('amount', '+', amount) }))
            .where('id', '=', id)
            .execute()
        }
        if (fails) throw new Error('no')
      })
    await move(2, false)
    await expect(move(100, true)).rejects.toThrow('no')
    const rows = await database.selectFrom('main.stock').selectAll().orderBy('id').execute()
    expect(rows.map(({ amount }) => Number(amount))).toEqual([7, 5])
    await end()
    await engine.close()
    expect(readFileSync(file, 'utf8').trim().split('\n')).toEqual(['id,amount', '1,7', '2,5'])
  })
})

describeLibsql("the application's own access to libSQL", () => {
  test("the application's own access to libSQL keeps whole transactions, or nothing", async () => {
    const server = await startLibsql()
    const client = createClient({ url: server.url })
    await client.execute('create table stock (id integer primary key, amount integer not null)')
    const engine = await open(server.url)
    const { database, end } = engine.database()
    await database.insertInto('main.stock').values({ id: 1, amount: 5 }).execute()
    const failed = database.transaction().execute(async (transaction) => {
      await transaction.updateTable('main.stock').set({ amount: 0 }).execute()
      const left = await transaction.selectFrom('main.stock').selectAll().execute()
      expect(left).toEqual([{ id: 1, amount: 0 }])
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    await database.transaction().execute(async (transaction) => {
      await transaction.insertInto('main.stock').values({ id: 2, amount: 1 }).execute()
    })
    const found = await client.execute('select id, amount from stock order by id')
    expect(found.rows.map((row) => [row[0], row[1]])).toEqual([
      [1, 5],
      [2, 1],
    ])
    await end()
    await engine.close()
    client.close()
    await server.stop()
  })
})
