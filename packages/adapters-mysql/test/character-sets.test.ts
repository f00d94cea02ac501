import { createDatabase, describeEachMysql, describePostgres } from '@engine/test-databases/vitest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, openComparison, type WriteComparison } from './support/compare-writes.ts'
import { outside, textReads, textTables, textWrites, untranslatable } from './support/text-cases.ts'

/** Of the database and of all columns without one of their own. */
const common: readonly string[] = [
  'latin1_swedish_ci',
  'latin1_bin',
  'utf8mb3_general_ci',
  'utf8mb3_bin',
  'utf8mb4_general_ci',
  'utf8mb4_bin',
  'utf8mb4_unicode_ci',
  'ascii_general_ci',
  'cp1251_general_ci',
  'gbk_chinese_ci',
  'ucs2_general_ci',
  'utf16_bin',
]
const collations = {
  mariadb: [...common, 'utf8mb4_uca1400_ai_ci', 'utf8mb4_nopad_bin'],
  mysql: [...common, 'utf8mb4_0900_ai_ci', 'utf8mb4_0900_as_cs', 'utf8mb4_0900_bin'],
}

describePostgres('character sets and collations', () => {
  let postgresUrl: string
  beforeAll(async () => {
    postgresUrl = await createDatabase('texts')
  })

  describeEachMysql('through the engine', (server) => {
    describe.each(collations[server.vendor])('%s', (collation) => {
      const charset = collation.slice(0, collation.indexOf('_'))
      let comparison: WriteComparison

      beforeAll(async () => {
        const url = await server.createDatabase('texts', collation)
        comparison = await openComparison(textTables, postgresUrl, url)
      })
      afterAll(() => comparison?.close())

      test('every read has PostgreSQL’s answer', async () => {
        const wanted = await comparison.onPostgres(textReads)
        const received = await comparison.onMysql(textReads)
        for (const [index, step] of textReads.entries()) {
          expect.soft(received.steps[index], String(step)).toEqual(wanted.steps[index])
        }
      })

      test.each(Object.entries(textWrites))('%s', async (_, all) => {
        expect(await comparison.onMysql(all)).toEqual(await comparison.onPostgres(all))
      })

      const text = outside[charset]
      if (text === undefined) return
      test(`${text}, which the character set does not have, is refused as PostgreSQL does and not stored`, async () => {
        const { engine } = comparison
        const before = await comparison.onMysql([`insert into main.pairs values ('?', 1, '?')`])
        for (const sql of untranslatable) {
          expect.soft(await ask(engine, sql, [text]), sql).toEqual({ sqlState: '22P05' })
        }
        const noMember = 'insert into main.texts (id, e) values (9, $1)'
        expect(await ask(engine, noMember, [text])).toEqual({ sqlState: '22P02' })
        for (const [name, query] of Object.entries(textTables.tables)) {
          expect(await ask(engine, query)).toMatchObject({ rows: before.tables[name] })
        }
      })
    })
  })
})
