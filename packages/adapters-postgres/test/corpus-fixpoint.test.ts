import { queryCases } from '@engine/corpus'
import { createPostgresFixture } from '@engine/fixtures'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { postgresAdapter } from '../src/index.ts'
import {
  createPrintingEngine,
  type PrintingEngine,
  withoutRowLimit,
} from './support/printing-engine.ts'

/**
 * Printed text that clients may not write, or that changes when it is parsed again: the row limit, the names of a text
 * search configuration and of types of the server's own numbers and of rows (whose fields are cast again), arrays and rows from JSON (which
 * are read column by column), and the guards of arguments, which constants that became parameters need.
 */
const notForClients =
  /\.\* is distinct from null| limit | offset | fetch first |::pg_catalog\.(regconfig|xid|pg_lsn|record)|\)::"main"\."address"|json_to_record.* as t\d+\(c1 |pg_catalog\.(repeat|[lr]pad|generate_series|polygon)\(/

/** Aliases are numbered in the order of binding; a subquery in FROM that binding adds comes after those that it contains. */
function renumbered(text: string): string {
  const names = new Map<string, string>()
  return text.replaceAll(/\bt\d+\b/g, (name) => {
    const known = names.get(name) ?? `t${names.size + 1}`
    names.set(name, known)
    return known
  })
}

describePostgres('printed statements', () => {
  let printing: PrintingEngine

  beforeAll(async () => {
    const url = await createDatabase('fixpoint')
    await createPostgresFixture(url, 'main')
    const adapter = postgresAdapter({ url, schema: 'main' })
    printing = await createPrintingEngine(await adapter.introspect(AbortSignal.timeout(30_000)))
    await adapter.close()
  })
  afterAll(() => printing.engine.close())

  test('mean the same when they are read again', async () => {
    const different: string[] = []
    let count = 0
    for (const { sql, params } of queryCases) {
      const first = await printing.print(sql, params).catch(() => undefined)
      if (first === undefined) continue
      const text = withoutRowLimit(first.text)
      // A sorted constant has its type twice: `$1::text::text`.
      if (notForClients.test(text) || /::pg_catalog\.text::pg_catalog\.text/.test(text)) continue
      count += 1
      const again = await printing.print(text, first.values)
      if (renumbered(withoutRowLimit(again.text)) !== renumbered(text)) different.push(text)
    }

    expect(different).toEqual([])
    expect(count).toBeGreaterThan(1_000)
  })
})
