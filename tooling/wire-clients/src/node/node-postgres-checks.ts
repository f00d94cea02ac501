import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import Cursor from 'pg-cursor'
import { check, type OwnCheck } from '../own-client.ts'
import { urlOf, type WireTarget } from '../wire-target.ts'

const slow = 'select count(*) from main.numbers a, main.numbers b where a.n + b.n < 0'

async function connected<Result>(
  target: WireTarget,
  work: (client: pg.Client) => Promise<Result>,
  options: pg.ClientConfig = {},
): Promise<Result> {
  const { host, port, user, password, database } = target
  const client = new pg.Client({ host, port, user, password, database, ...options })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Its socket, to break the connection. */
function streamOf(client: pg.Client): Socket {
  return (client as unknown as { readonly connection: { readonly stream: Socket } }).connection
    .stream
}

async function errorOf(work: Promise<unknown>): Promise<pg.DatabaseError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof pg.DatabaseError) return error
  throw new Error(`no error of the database: ${String(error)}`)
}

/** node-postgres: text results, unnamed and named statements, portals with pg-cursor. */
export const nodePostgresChecks: readonly OwnCheck[] = [
  check('node-postgres connects by a URL', async ({ target }) => {
    const client = new pg.Client({ connectionString: urlOf(target) })
    await client.connect()
    deepEqual((await client.query('select 1 as one')).rows, [{ one: 1 }])
    await client.end()
  }),
  check('node-postgres is refused with a wrong password', async ({ target }) => {
    const error = await errorOf(connected(target, async () => undefined, { password: 'wrong' }))
    deepEqual([error.code, error.severity], ['28P01', 'FATAL'])
  }),
  check('node-postgres sets options, a time limit and a name at startup', async ({ target }) => {
    const options = {
      options: '-c timezone=Asia/Tokyo',
      statement_timeout: 4321,
      application_name: 'wire',
      fallback_application_name: 'x',
    }
    await connected(
      target,
      async (client) => {
        const shown = []
        for (const name of ['timezone', 'statement_timeout', 'application_name']) {
          shown.push(Object.values((await client.query(`show ${name}`)).rows[0])[0])
        }
        deepEqual(shown, ['Asia/Tokyo', '4321ms', 'wire'])
      },
      options,
    )
  }),
  check('node-postgres gets fields, counts and commands', async ({ target }) => {
    await connected(target, async (client) => {
      const { fields, rowCount, command } = await client.query(
        'select id, freight, count(*) as n from main.orders group by id limit 3',
      )
      deepEqual([rowCount, command], [3, 'SELECT'])
      deepEqual(
        fields.map(({ name, dataTypeID, dataTypeSize, dataTypeModifier, columnID, format }) => [
          name,
          dataTypeID,
          dataTypeSize,
          dataTypeModifier,
          columnID,
          format,
        ]),
        [
          ['id', 23, 4, -1, 1, 'text'],
          ['freight', 1700, -1, 655366, 5, 'text'],
          ['n', 20, 8, -1, 0, 'text'],
        ],
      )
      ok((fields[0]?.tableID ?? 0) > 0)
    })
  }),
  check('node-postgres sends parameters', async ({ target }) => {
    await connected(target, async (client) => {
      const { rows } = await client.query(
        'select id from main.orders where id = any($1) and id > $2 and status <> $3 order by id',
        [[1, 2, 3], '1', "it's"],
      )
      deepEqual(rows, [{ id: 2 }, { id: 3 }])
    })
  }),
  check('node-postgres keeps values of every type', async ({ target, freshId }) => {
    await connected(target, async (client) => {
      const moment = new Date('2024-02-29T12:00:00.123Z')
      const values = [
        freshId(),
        'é 😀',
        null,
        '1.50',
        false,
        -32768,
        '9223372036854775807',
        0.1,
        moment,
        { a: [1, null] },
        Buffer.from([0, 255]),
      ]
      const sql = `insert into main.scratch (id, name, note, amount, flag, small, big, ratio, seen_at, data, bytes)
        values (${values.map((_, index) => `$${index + 1}`).join(', ')}) returning id, name, note, amount, flag, small, big, ratio, seen_at, data, bytes`
      const { rows } = await client.query({ text: sql, values, rowMode: 'array' })
      deepEqual(rows, [values])
    })
  }),
  check('node-postgres reads binary results', async ({ target }) => {
    await connected(target, async (client) => {
      const query = {
        text: 'select id, c_bool, c_text from main.type_samples where label = $1',
        values: ['largest'],
        binary: true,
      }
      deepEqual((await client.query(query)).rows, [{ id: 2, c_bool: true, c_text: '\u{10ffff}' }])
    })
  }),
  check('node-postgres runs a named statement again and again', async ({ target }) => {
    await connected(target, async (client) => {
      for (let id = 1; id <= 5; id += 1) {
        const { rows } = await client.query({
          name: 'by id',
          text: 'select name from main.folders where id = $1',
          values: [id],
        })
        equal(rows.length, 1)
      }
    })
  }),
  check('node-postgres names a statement anew after an error', async ({ target }) => {
    await connected(target, async (client) => {
      const wrong = await errorOf(
        client.query({ name: 'twice', text: 'select nothing from main.folders' }),
      )
      equal(wrong.code, '42703')
      deepEqual((await client.query({ name: 'twice', text: 'select 1 as one' })).rows, [{ one: 1 }])
    })
  }),
  check('node-postgres runs several statements', async ({ target }) => {
    await connected(target, async (client) => {
      const results: unknown = await client.query(
        'select 1 as a; select 2 as b; update main.folders set name = name where id = 1',
      )
      ok(Array.isArray(results))
      deepEqual(
        results.map((result: pg.QueryResult) => [result.command, result.rowCount]),
        [
          ['SELECT', 1],
          ['SELECT', 1],
          ['UPDATE', 1],
        ],
      )
    })
  }),
  check('node-postgres runs an empty query', async ({ target }) => {
    await connected(target, async (client) => {
      deepEqual((await client.query('')).rows, [])
      deepEqual((await client.query('select 1 as one')).rows, [{ one: 1 }])
    })
  }),
  check('node-postgres queues queries', async ({ target }) => {
    await connected(target, async (client) => {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          client.query('select $1::int4 + max(id) as n from main.folders where id < 3', [index]),
        ),
      )
      deepEqual(
        answers.map(({ rows }) => rows[0].n),
        Array.from({ length: 50 }, (_, index) => index + 2),
      )
    })
  }),
  check('node-postgres gets errors with their fields', async ({ target }) => {
    await connected(target, async (client) => {
      const unknown = await errorOf(
        client.query('select nothing from main.tags where id = $1', [1]),
      )
      deepEqual([unknown.code, unknown.position, unknown.severity], ['42703', '8', 'ERROR'])
      const taken = await errorOf(client.query("insert into main.tags values (1, 'x')"))
      deepEqual([taken.code, taken.schema, taken.table], ['23505', 'main', 'tags'])
      const missing = await errorOf(client.query('insert into main.scratch (name) values (null)'))
      deepEqual([missing.code, missing.table, missing.column], ['23502', 'scratch', 'name'])
      equal(
        (await errorOf(client.query('select id from main.tags where id = $1', ['x']))).code,
        '22P02',
      )
      equal((await errorOf(client.query('select $1::int4', ['99999999999']))).code, '22003')
      equal((await client.query('select 1')).rowCount, 1)
    })
  }),
  check('node-postgres hears of a wrong count of parameters', async ({ target }) => {
    await connected(target, async (client) => {
      equal(
        (await errorOf(client.query('select id from main.tags where id = $1', []))).code,
        '42P02',
      )
      equal(
        (await errorOf(client.query('select id from main.tags where id = $1', [1, 2]))).code,
        '08P01',
      )
      equal((await client.query('select 1')).rowCount, 1)
    })
  }),
  check('node-postgres commits and rolls back', async ({ target, freshId }) => {
    const [kept, lost] = [freshId(), freshId()]
    await connected(target, async (client) => {
      const insert = "insert into main.scratch (id, name) values ($1, 'x')"
      await client.query('begin')
      await client.query(insert, [kept])
      await client.query('savepoint s')
      await client.query(insert, [lost])
      equal((await errorOf(client.query(insert, [kept]))).code, '23505')
      equal((await errorOf(client.query('select 1'))).code, '25P02')
      await client.query('rollback to s')
      await client.query('commit')
      deepEqual(
        (await client.query('select id from main.scratch where id = any($1)', [[kept, lost]])).rows,
        [{ id: kept }],
      )
    })
  }),
  check('node-postgres hears notices', async ({ target }) => {
    await connected(target, async (client) => {
      const heard = once(client, 'notice')
      await client.query('rollback')
      const [notice] = await heard
      deepEqual([notice.severity, notice.code], ['WARNING', '25P01'])
    })
  }),
  check('node-postgres reads with a cursor', async ({ target }) => {
    await connected(target, async (client) => {
      const cursor = client.query(
        new Cursor('select id from main.orders where id > $1 order by id', [100]),
      )
      deepEqual(
        (await cursor.read(2)).map(({ id }) => id),
        [101, 102],
      )
      equal((await cursor.read(100)).length, 100)
      equal((await cursor.read(1000)).length, 98)
      equal((await cursor.read(10)).length, 0)
      await cursor.close()
      equal((await client.query('select 1')).rowCount, 1)
    })
  }),
  check('node-postgres closes a cursor early', async ({ target }) => {
    await connected(target, async (client) => {
      const cursor = client.query(new Cursor('select n from main.numbers order by n'))
      equal((await cursor.read(10)).length, 10)
      await cursor.close()
      equal((await client.query('select count(*) from main.orders')).rows[0].count, '300')
    })
  }),
  check('node-postgres reads a cursor that fails', async ({ target }) => {
    await connected(target, async (client) => {
      const cursor = client.query(new Cursor('select nothing from main.orders'))
      await rejects(cursor.read(10), { code: '42703' })
      equal((await client.query('select 1')).rowCount, 1)
    })
  }),
  check('node-postgres reads as many rows as asked and no more', async ({ target }) => {
    await connected(target, async (client) => {
      const cursor = client.query(new Cursor('select id from main.orders'))
      equal((await cursor.read(300)).length, 300)
      equal((await cursor.read(1)).length, 0)
      await cursor.close()
    })
  }),
  check('node-postgres reads 100 000 rows', async ({ target }) => {
    await connected(target, async (client) => {
      equal(
        (await client.query({ text: 'select n, label from main.numbers', rowMode: 'array' })).rows
          .length,
        100_000,
      )
    })
  }),
  check('node-postgres reads slowly', async ({ target }) => {
    await connected(target, async (client) => {
      const query = new pg.Query('select n, label from main.numbers')
      let count = 0
      let pauses = 0
      const stream = streamOf(client)
      query.on('row', () => {
        count += 1
        if (count % 20_000 !== 0) return
        pauses += 1
        stream.pause()
        setTimeout(() => stream.resume(), 20)
      })
      client.query(query)
      await once(query, 'end')
      deepEqual([count, pauses], [100_000, 5])
    })
  }),
  check('node-postgres is stopped by the statement timeout', async ({ target }) => {
    await connected(
      target,
      async (client) => {
        equal((await errorOf(client.query(slow))).code, '57014')
        equal((await client.query('select 1')).rowCount, 1)
      },
      { statement_timeout: 200 },
    )
  }),
  check('node-postgres leaves while a statement runs', async ({ target }) => {
    const { host, port, user, password, database } = target
    const client = new pg.Client({ host, port, user, password, database })
    await client.connect()
    const running = client.query(slow)
    running.catch(() => undefined)
    client.on('error', () => undefined)
    await sleep(100)
    streamOf(client).destroy()
    await rejects(running, /terminated/)
    await connected(target, async (other) => equal((await other.query('select 1')).rowCount, 1))
  }),
  check('node-postgres uses a pool', async ({ target }) => {
    const pool = new pg.Pool({ connectionString: urlOf(target), max: 5 })
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        pool.query('select $1::int4 as n, count(*) from main.orders', [index]),
      ),
    )
    deepEqual(
      answers.map(({ rows }) => rows[0].n),
      Array.from({ length: 40 }, (_, index) => index),
    )
    await pool.end()
  }),
  check(
    'node-postgres merges',
    async ({ target, freshId }) => {
      const [one, other] = [freshId(), freshId()]
      await connected(target, async (client) => {
        await client.query("insert into main.scratch (id, name) values ($1, 'x')", [one])
        const merge = {
          name: 'merge',
          text: `merge into main.scratch as t using (values ($1::int, $3), ($2::int, $3)) as s (id, name) on t.id = s.id
            when matched and t.name = $4 then delete
            when matched then update set name = s.name, n = $5
            when not matched then insert (id, name) values (s.id, s.name)`,
        }
        const counts: unknown[] = []
        for (const name of ['a', 'b', 'b']) {
          const { command, rowCount, rows } = await client.query({
            ...merge,
            values: [one, other, name, name === 'b' ? 'a' : '', 5],
          })
          counts.push([command, rowCount, rows])
        }
        deepEqual(counts, Array(3).fill(['MERGE', 2, []]))
        const stored = 'select name, n from main.scratch where id = any($1) order by id'
        deepEqual((await client.query(stored, [[one, other]])).rows, [
          { name: 'b', n: 7 },
          { name: 'b', n: 7 },
        ])
        const twice = `merge into main.scratch t using (values (1), (2)) as s (x) on t.id = ${one} when matched then delete`
        equal((await errorOf(client.query(twice))).code, '21000')
        await client.query('begin read only')
        equal((await errorOf(client.query(twice))).code, '25006')
        await client.query('rollback')
      })
    },
    'postgres',
  ),
  check(
    'node-postgres reads arrays and composite values',
    async ({ target }) => {
      await connected(target, async (client) => {
        const { rows } = await client.query(
          'select numbers, names, flags, grid, moods, home, spot, span from main.pg_only where id = 1',
        )
        deepEqual(rows[0].numbers, [1, 2, 3])
        deepEqual(rows[0].names, ['a', 'b c', 'd,e', null, 'NULL', ''])
        deepEqual(
          [rows[0].flags, rows[0].grid, rows[0].moods],
          [
            [true, false, null],
            [
              [1, 2],
              [3, 4],
            ],
            '{sad,happy}',
          ],
        )
        deepEqual([rows[0].home, rows[0].spot], ['("Main St",0123)', { x: 1.5, y: 2 }])
        deepEqual({ ...rows[0].span }, { days: 1, hours: 2, minutes: 3, seconds: 4 })
      })
    },
    'postgres',
  ),
]
