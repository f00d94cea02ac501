import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import postgres from 'postgres'
import { check, type OwnCheck } from '../own-client.ts'
import { urlOf, type WireTarget } from '../wire-target.ts'

const slow = 'select count(*) from main.numbers a, main.numbers b where a.n + b.n < 0'

async function connected<Result>(
  target: WireTarget,
  work: (sql: postgres.Sql) => Promise<Result>,
  options: postgres.Options<Record<string, never>> = {},
): Promise<Result> {
  const sql = postgres(urlOf(target), { max: 1, onnotice: () => undefined, ...options })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** postgres.js: everything prepared, described before it is bound, pipelined. */
export const postgresJsChecks: readonly OwnCheck[] = [
  check('postgres.js connects and learns array types', async ({ target }) => {
    await connected(target, async (sql) => {
      deepEqual(
        [...(await sql`select ${[1, 2]}::int4[] as list, ${['a,b', 'c']}::text[] as texts`)],
        [{ list: [1, 2], texts: ['a,b', 'c'] }],
      )
      equal(sql.parameters['client_encoding'], 'UTF8')
      ok(Number.parseInt(String(sql.parameters['server_version']), 10) >= 15)
    })
  }),
  check('postgres.js is refused with a wrong password', async ({ target }) => {
    await rejects(
      connected(target, (sql) => sql`select 1`, { password: 'wrong' }),
      { code: '28P01' },
    )
  }),
  check('postgres.js sets parameters of the connection', async ({ target }) => {
    const connection = { application_name: 'wire', TimeZone: 'Asia/Tokyo' }
    await connected(
      target,
      async (sql) => {
        deepEqual(
          [...(await sql`show timezone`), ...(await sql`show application_name`)],
          [{ TimeZone: 'Asia/Tokyo' }, { application_name: 'wire' }],
        )
      },
      { connection },
    )
  }),
  check('postgres.js sends parameters of every type', async ({ target, freshId }) => {
    await connected(target, async (sql) => {
      const moment = new Date('2024-02-29T12:00:00.123Z')
      const row = {
        id: freshId(),
        name: 'é 😀',
        note: null,
        amount: '1.50',
        flag: false,
        small: -5,
        big: '9223372036854775807',
        ratio: 0.1,
        seen_at: moment,
        data: { a: [1, null] },
        bytes: Buffer.from([0, 255]),
      }
      const [back] =
        await sql`insert into main.scratch ${sql(row)} returning ${sql(Object.keys(row))}`
      deepEqual(back, row)
    })
  }),
  check('postgres.js inserts many rows in one statement', async ({ target, freshId }) => {
    await connected(target, async (sql) => {
      const rows = Array.from({ length: 100 }, () => ({ id: freshId(), name: 'js' }))
      equal((await sql`insert into main.scratch ${sql(rows)}`).count, 100)
      const deleted =
        await sql`delete from main.scratch where id in ${sql(rows.map(({ id }) => id))}`
      deepEqual([deleted.count, deleted.command], [100, 'DELETE'])
    })
  }),
  check('postgres.js builds statements of pieces', async ({ target }) => {
    await connected(target, async (sql) => {
      const only = sql`where ${sql('id')} <= ${2}`
      deepEqual(
        [
          ...(await sql`select ${sql(['id', 'name'])} from ${sql('main.folders')} ${only} order by id`),
        ],
        [
          { id: 1, name: 'root' },
          { id: 2, name: 'docs' },
        ],
      )
    })
  }),
  check('postgres.js describes columns', async ({ target }) => {
    await connected(target, async (sql) => {
      const { columns, statement } =
        await sql`select id, status from main.orders where id = ${1} and freight < ${'5'}`
      deepEqual(
        columns.map(({ name, type, number }) => [name, type, number]),
        [
          ['id', 23, 1],
          ['status', 25, 4],
        ],
      )
      deepEqual(statement.types, [23, 1700])
    })
  }),
  check('postgres.js describes without running', async ({ target }) => {
    await connected(target, async (sql) => {
      const { types, columns } =
        await sql`delete from main.folders where name = ${'none'} returning id`.describe()
      deepEqual([types, columns.map(({ name }) => name)], [[25], ['id']])
    })
  }),
  check('postgres.js pipelines hundreds of statements', async ({ target }) => {
    await connected(target, async (sql) => {
      const answers = await Promise.all(
        Array.from(
          { length: 300 },
          (_, index) => sql`select max(id) + ${index}::int4 as n from main.folders where id < 3`,
        ),
      )
      deepEqual(
        answers.map(([row]) => row?.['n']),
        Array.from({ length: 300 }, (_, index) => index + 2),
      )
    })
  }),
  check('postgres.js pipelines statements of which some fail', async ({ target }) => {
    await connected(target, async (sql) => {
      const work = Array.from({ length: 60 }, (_, index) =>
        index % 3 === 0
          ? sql`select nothing from main.tags where id = ${index}`
          : sql`select ${index}::int4 as n, count(*) from main.tags`,
      )
      const answers = await Promise.allSettled(work)
      equal(answers.filter(({ status }) => status === 'rejected').length, 20)
      for (const [index, answer] of answers.entries()) {
        if (answer.status === 'fulfilled') equal(answer.value[0]?.['n'], index)
        else equal(answer.reason.code, '42703')
      }
    })
  }),
  check('postgres.js pipelines over several connections', async ({ target }) => {
    await connected(
      target,
      async (sql) => {
        const answers = await Promise.all(
          Array.from({ length: 100 }, (_, index) => sql`select ${index}::int4 as n`),
        )
        deepEqual(
          answers.map(([row]) => row?.['n']),
          Array.from({ length: 100 }, (_, index) => index),
        )
      },
      { max: 5 },
    )
  }),
  check('postgres.js works without prepared statements', async ({ target }) => {
    await connected(
      target,
      async (sql) => {
        for (let id = 1; id <= 5; id += 1)
          equal((await sql`select name from main.folders where id = ${id}`).length, 1)
      },
      { prepare: false },
    )
  }),
  check('postgres.js sends simple queries of several statements', async ({ target }) => {
    await connected(target, async (sql) => {
      const results = await sql`select 1 as a; select 2 as b`.simple()
      deepEqual(
        results.map((rows: unknown) => [...(rows as Iterable<unknown>)]),
        [[{ a: 1 }], [{ b: 2 }]],
      )
    })
  }),
  check('postgres.js runs transactions', async ({ target, freshId }) => {
    await connected(target, async (sql) => {
      const [kept, lost] = [freshId(), freshId()]
      await sql.begin(async (transaction) => {
        await transaction`insert into main.scratch (id, name) values (${kept}, 'x')`
        await rejects(
          transaction.savepoint(async (inner) => {
            await inner`insert into main.scratch (id, name) values (${lost}, 'x')`
            await inner`select 1 / (id - id) from main.tags`
          }),
          { code: '22012' },
        )
      })
      deepEqual(
        [...(await sql`select id from main.scratch where id in ${sql([kept, lost])}`)],
        [{ id: kept }],
      )
    })
  }),
  check('postgres.js rolls a failed transaction back', async ({ target, freshId }) => {
    await connected(target, async (sql) => {
      const id = freshId()
      const failing = sql.begin('isolation level serializable', async (transaction) => {
        await transaction`insert into main.scratch (id, name) values (${id}, 'x')`
        throw new Error('enough')
      })
      await rejects(failing, /enough/)
      deepEqual([...(await sql`select id from main.scratch where id = ${id}`)], [])
    })
  }),
  check('postgres.js begins read only', async ({ target }) => {
    await connected(target, async (sql) => {
      const failing = sql.begin(
        'read only',
        (transaction) => transaction`delete from main.folders where id = -1`,
      )
      await rejects(failing, { code: '25006' })
    })
  }),
  check('postgres.js pipelines within a transaction', async ({ target, freshId }) => {
    await connected(target, async (sql) => {
      const ids = Array.from({ length: 20 }, freshId)
      await sql.begin((transaction) =>
        ids.map((id) => transaction`insert into main.scratch (id, name) values (${id}, 'p')`),
      )
      equal((await sql`delete from main.scratch where id in ${sql(ids)}`).count, 20)
    })
  }),
  check('postgres.js reads with a cursor', async ({ target }) => {
    await connected(target, async (sql) => {
      const sizes: number[] = []
      await sql`select id from main.orders order by id`.cursor(
        70,
        (rows) => void sizes.push(rows.length),
      )
      deepEqual(sizes, [70, 70, 70, 70, 20])
    })
  }),
  check('postgres.js leaves a cursor early', async ({ target }) => {
    await connected(target, async (sql) => {
      for await (const [row] of sql`select n from main.numbers order by n`.cursor(1)) {
        if (row?.['n'] === 3) break
      }
      equal((await sql`select 1 as one`)[0]?.['one'], 1)
    })
  }),
  check('postgres.js reads rows as they come', async ({ target }) => {
    await connected(target, async (sql) => {
      let sum = 0
      await sql`select n from main.numbers`.forEach((row) => {
        sum += row['n'] as number
      })
      equal(sum, (100_000 * 100_001) / 2)
    })
  }),
  check('postgres.js cancels a statement', async ({ target }) => {
    await connected(target, async (sql) => {
      const query = sql.unsafe(slow)
      setTimeout(() => query.cancel(), 300)
      await rejects(query.execute(), { code: '57014' })
      equal((await sql`select 1 as one`)[0]?.['one'], 1)
    })
  }),
  check('postgres.js copies in and out', async ({ target, freshId }) => {
    await connected(target, async (sql) => {
      const ids = [freshId(), freshId()]
      const writable = await sql`copy main.scratch (id, name) from stdin`.writable()
      await pipeline(Readable.from(ids.map((id) => `${id}\tjs\n`)), writable)
      const chunks: Buffer[] = []
      const readable =
        await sql`copy (select id, name from main.scratch where name = 'js' order by id) to stdout`.readable()
      for await (const chunk of readable) chunks.push(Buffer.from(chunk))
      equal(Buffer.concat(chunks).toString(), ids.map((id) => `${id}\tjs\n`).join(''))
    })
  }),
  check('postgres.js hears what is wrong', async ({ target }) => {
    await connected(target, async (sql) => {
      await rejects(async () => sql`select * from main.nowhere`, { code: '42P01', position: '15' })
      await rejects(async () => sql`insert into main.tags (id, name) values (1, 'x')`, {
        code: '23505',
        table_name: 'tags',
      })
      await rejects(async () => sql`select id from main.tags where id = ${'x'}`, { code: '22P02' })
      await rejects(async () => sql`selec 1`, { code: '42601' })
    })
  }),
  check('postgres.js reserves a connection', async ({ target }) => {
    await connected(target, async (sql) => {
      const reserved = await sql.reserve()
      await reserved`set timezone to 'Asia/Tokyo'`
      deepEqual([...(await reserved`show timezone`)], [{ TimeZone: 'Asia/Tokyo' }])
      reserved.release()
    })
  }),
  check(
    'postgres.js reads arrays of enums, numbers and moments',
    async ({ target }) => {
      await connected(target, async (sql) => {
        const [row] =
          await sql`select numbers, days, grid, current_mood from main.pg_only where id = ${1}`
        deepEqual(row, {
          numbers: [1, 2, 3],
          days: [new Date('2024-01-31'), new Date('2024-02-29')],
          grid: [
            [1, 2],
            [3, 4],
          ],
          current_mood: 'happy',
        })
      })
    },
    'postgres',
  ),
]
