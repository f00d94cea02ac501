/** @module Two configurations, and answers that show every mixture of them. */
import type { Config } from '@engine/core'
import { defineAction } from '@engine/core'
import { z } from 'zod'

export type Which = 'a' | 'b'

/** Of an answer under each of them. */
export const mostRows = { a: 10, b: 20 } as const

/** 40 rows of each configuration in each of the two tables. */
export const setUp = `
  create table first (n integer primary key, tag text not null, only_a text, only_b text);
  create table second (n integer primary key, tag text not null);
  insert into first select n, case when n <= 40 then 'a' else 'b' end, 'a', 'b' from generate_series(1, 80) n;
  insert into second select n, case when n <= 40 then 'a' else 'b' end from generate_series(1, 80) n;
  create table written (id bigint generated always as identity primary key, tag text not null);
`

/** The rows of both tables that the caller may see, each with each: 1 600 under one configuration. */
export const join = 'select f.tag, s.tag from first f cross join second s'

/** Its one column that the other configuration does not have differs, too. */
export const starred = 'select * from first where n in (1, 41)'

/** The configuration of a server with both protocols; its answers name it in a header. */
export function configurationOf(which: Which, url: string, changes: Partial<Config> = {}): Config {
  const rows = { tag: which }
  return {
    connections: { main: { url, pool: { max: 8 } } },
    permissions: {
      first: {
        table: 'main.first',
        roles: ['anonymous'],
        select: { columns: ['n', 'tag', `only_${which}`], where: rows },
      },
      second: { table: 'main.second', roles: ['anonymous'], select: { where: rows } },
      written: {
        table: 'main.written',
        roles: ['anonymous'],
        select: {},
        insert: { columns: [], preset: { tag: which } },
      },
    },
    limits: { maxRows: mostRows[which], maxConcurrentPerCaller: 200 },
    security: { headers: { 'X-Configuration': which } },
    actions: {
      which: defineAction({
        input: z.object({}),
        roles: ['anonymous'],
        run: async ({ db }) => {
          const before = await db.selectFrom('main.second').select('n').limit(1).execute()
          return { which, rows: before.length }
        },
      }),
    },
    pgWire: {
      port: 0,
      auth: { strategy: ['trust'] },
      overflow: 'cut',
    },
    ...changes,
  }
}

/** The configuration that an answer to `join` is under. @throws for an answer that is under none. */
export function configurationOfRows(rows: readonly (readonly unknown[])[]): Which {
  const [[which] = []] = rows
  if (which !== 'a' && which !== 'b') throw new Error(`no configuration: ${JSON.stringify(rows)}`)
  const isWhole = rows.every(([one, other]) => one === which && other === which)
  if (isWhole && rows.length === mostRows[which]) return which
  throw new Error(`a mixture: ${JSON.stringify(rows)}`)
}
