import type { Adapter, SqlValue } from '@engine/core/adapter'
import { encodeTypmod, oids, type SqlType } from '@engine/core/catalog'
import { mysqlNumbers } from '@engine/test-databases'
import { describeEachMysql } from '@engine/test-databases/vitest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mysqlAdapter } from '../src/index.ts'
import { openClient, type TestClient } from './support/client.ts'
import { executionOf, planOf, type StatementOptions, statementOf } from './support/statements.ts'

describeEachMysql('execution', (server) => {
  let adapter: Adapter
  let client: TestClient

  beforeAll(async () => {
    const url = await server.createDatabase('execute')
    client = await openClient(url)
    await client.run(
      `create table items (
        id int primary key, name varchar(40) not null, price decimal(10, 2) check (price >= 0)
      )`,
      "insert into items values (1, 'Lamp', 10.50), (2, 'Desk', 99), (3, 'Chair', null)",
      'create table parts (id int primary key, item int, foreign key (item) references items (id))',
      'create table numbered (id int auto_increment primary key, n tinyint unsigned not null)',
    )
    adapter = mysqlAdapter({ url })
  })
  afterAll(async () => {
    await adapter?.close()
    await client?.close()
  })

  const run = (sql: string, options: StatementOptions = {}, values: readonly SqlValue[] = []) =>
    adapter.execute(executionOf(statementOf(sql, options), values))
  const write = (sql: string, options: StatementOptions = {}) =>
    run(sql, { isWrite: true, ...options })
  const numeric = (precision: number, scale: number): SqlType => {
    const encoded = encodeTypmod(oids.numeric, [precision, scale], 'numeric')
    if (!encoded.ok) throw new Error('no typmod')
    return { oid: oids.numeric, typmod: encoded.typmod }
  }

  test('rows come as JSON text', async () => {
    const result = await run('select id, name, price from items order by id', {
      columns: [oids.int4, oids.text, oids.numeric],
    })

    expect(result).toEqual({
      rows: '[1,"Lamp","10.50"],[2,"Desk","99.00"],[3,"Chair",null]',
      rowCount: 3,
      truncated: false,
    })
  })

  test('rows may be objects', async () => {
    const statement = statementOf('select 1, 2', { columns: [oids.int4, oids.int4] })
    const result = await adapter.execute(executionOf(statement, [], { rowShape: 'object' }))

    expect(result).toMatchObject({ rows: '{"a":1,"b":2}' })
  })

  test('no rows are an empty text', async () => {
    expect(await run('select 1 from items where false', { columns: [oids.int4] })).toEqual({
      rows: '',
      rowCount: 0,
      truncated: false,
    })
  })

  test('rows above the limit are left out and told', async () => {
    const statement = statementOf(`select seq from ${mysqlNumbers(5)}`, { columns: [oids.int4] })

    expect(await adapter.execute(executionOf(statement, [], { maxRows: 2 }))).toEqual({
      rows: '[1],[2]',
      rowCount: 2,
      truncated: true,
    })
    expect(await adapter.execute(executionOf(statement, [], { maxRows: 5 }))).toMatchObject({
      rowCount: 5,
      truncated: false,
    })
  })

  test('very many rows come whole, as bytes', async () => {
    const statement = statementOf(`select seq, repeat('ä', 100) from ${mysqlNumbers(50000)}`, {
      columns: [oids.int4, oids.text],
    })
    const { rows, rowCount } = await adapter.execute(
      executionOf(statement, [], { maxRows: 50_000 }),
    )
    const parsed = JSON.parse(`[${Buffer.from(rows).toString()}]`) as readonly unknown[]

    expect(rowCount).toBe(50_000)
    expect(parsed.at(-1)).toEqual([50_000, 'ä'.repeat(100)])
  })

  test('an answer that would fill the memory is refused, and the next one works', async () => {
    const statement = statementOf(`select repeat('x', 1000000) from ${mysqlNumbers(1000)}`, {
      columns: [oids.text],
    })

    await expect(adapter.execute(executionOf(statement))).rejects.toMatchObject({
      problem: 'limitExceeded',
      status: 400,
    })
    expect(await run('select 7', { columns: [oids.int4] })).toMatchObject({ rows: '[7]' })
  })

  test('a write answers with the number of rows it found, changed or not', async () => {
    expect(await write('update items set name = name where id < 3')).toEqual({
      rows: '',
      rowCount: 2,
      truncated: false,
    })
    expect(await write('delete from items where id = 77')).toMatchObject({ rowCount: 0 })
    expect(await write("insert into items values (4, 'Shelf', 5)")).toMatchObject({ rowCount: 1 })
  })

  test('zero is stored as zero, not as the next number', async () => {
    await write('insert into numbered values (0, 0)')

    expect(await client.rows('select id from numbered')).toEqual([{ id: 0 }])
  })

  describe('values', () => {
    test.each<[string, number | SqlType, string, string]>([
      ['a truth value', oids.bool, '1 = 1', 'true'],
      ['a truth value from bits', oids.bool, "cast(b'0' as binary(1))", 'false'],
      ['an integer', oids.int4, 'cast(-7 as signed)', '-7'],
      ['an integer that came as a decimal', oids.int4, 'cast(42 as decimal(20, 0))', '42'],
      ['the largest bigint', oids.int8, '9223372036854775807', '"9223372036854775807"'],
      [
        'beyond bigint',
        numeric(20, 0),
        'cast(18446744073709551615 as unsigned)',
        '"18446744073709551615"',
      ],
      ['a decimal with its scale', oids.numeric, 'cast(1.5 as decimal(10, 4))', '"1.5000"'],
      ['an integer as numeric(10,2)', numeric(10, 2), '3', '"3.00"'],
      ['a double', oids.float8, '0.1e0', '0.1'],
      ['a float', oids.float4, 'cast(0.1 as float)', '0.1'],
      ['a document', oids.jsonb, `json_extract('{"a": [1, null]}', '$')`, '{"a": [1, null]}'],
      ['bytes', oids.bytea, "x'00ff'", '"\\\\x00ff"'],
      ['a text', oids.text, "'é\\\\\\'\"'", JSON.stringify('é\\\'"')],
      ['a date', oids.date, "cast('0099-01-02' as date)", '"0099-01-02"'],
      ['a time', oids.time, "cast('10:30:00.250' as time(6))", '"10:30:00.25"'],
      [
        'a timestamp',
        oids.timestamp,
        "cast('2024-01-15 10:30:00.120' as datetime(6))",
        '"2024-01-15 10:30:00.12"',
      ],
      [
        'a moment',
        oids.timestamptz,
        "cast('2024-01-15 10:30:00' as datetime(6))",
        '"2024-01-15 10:30:00+00"',
      ],
      [
        'a UUID',
        oids.uuid,
        "'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'",
        '"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"',
      ],
      ['an array', oids.int4Array, 'json_array(1, null, 3)', '[1,null,3]'],
      ['NULL', oids.text, 'null', 'null'],
    ])('%s', async (_name, type, sql, wire) => {
      expect((await run(`select ${sql}`, { columns: [type] })).rows).toBe(`[${wire}]`)
    })

    test.each<[number, SqlValue, string, number, string]>([
      [
        oids.text,
        `'; drop table items; -- ? \\ " \u{1f600}`,
        '?',
        oids.text,
        JSON.stringify(`'; drop table items; -- ? \\ " \u{1f600}`),
      ],
      [oids.int8, '9223372036854775807', 'cast(? as signed)', oids.int8, '"9223372036854775807"'],
      [
        oids.numeric,
        '12345678901234567890.0100',
        'cast(? as decimal(30, 4))',
        oids.numeric,
        '"12345678901234567890.0100"',
      ],
      [oids.float8, '0.1', '? + 0e0', oids.float8, '0.1'],
      [oids.bool, 'true', 'cast(? as signed)', oids.bool, 'true'],
      [oids.bytea, '\\x00ff', 'hex(?)', oids.text, '"00FF"'],
      [
        oids.timestamptz,
        '2024-01-15 10:30:00+00',
        'cast(? as datetime(6))',
        oids.timestamptz,
        '"2024-01-15 10:30:00+00"',
      ],
      [oids.int4Array, ['1', null, '3'], '?', oids.int4Array, '[1,null,3]'],
      [oids.text, null, 'coalesce(?, 7)', oids.int4, '7'],
    ])('of type %i, %j arrives as it is', async (type, value, sql, column, wire) => {
      const options = { columns: [column], parameters: [type] }

      expect((await run(`select ${sql}`, options, [value])).rows).toBe(`[${wire}]`)
    })

    test.each<[number, string]>([
      [oids.float8, 'NaN'],
      [oids.float8, 'Infinity'],
      [oids.numeric, 'NaN'],
      [oids.numeric, '9'.repeat(66)],
      [oids.timestamp, 'infinity'],
      [oids.date, '0044-03-15 BC'],
      [oids.timestamptz, '10000-01-01 00:00:00+00'],
    ])(
      'of type %i, %s is refused: the server would take it for something else',
      async (type, value) => {
        const options = { columns: [oids.text], parameters: [type] }

        await expect(run('select ?', options, [value])).rejects.toMatchObject({
          problem: 'unsupported',
          status: 400,
        })
      },
    )

    test('texts are compared as bytes, blanks at the end count', async () => {
      const options = { columns: [oids.bool, oids.bool, oids.bool], parameters: [oids.text] }

      expect((await run("select 'a' = 'A', 'a' = 'a ', ? = 'É'", options, ['é'])).rows).toBe(
        '[false,false,false]',
      )
    })
  })

  test.each<[string, string]>([
    // A text of 16 MB: MySQL's packets have 64.
    ...(server.vendor === 'mysql'
      ? []
      : ([
          ["select concat(repeat('x', 10000000), repeat('x', 10000000))", 'limitExceeded'],
          [`select group_concat(repeat('x', 1000000)) from ${mysqlNumbers(100)}`, 'limitExceeded'],
        ] satisfies [string, string][])),
    ['select cast(name as signed) from items where id = 1', 'unsupported'],
    ['select name = 0 from items where id = 1', 'unsupported'],
    ['select price / 0 from items where id = 1', 'unsupported'],
  ])('%s: what the server warns of is no answer', async (sql, problem) => {
    await expect(run(sql, { columns: [oids.text] })).rejects.toMatchObject({ problem, status: 400 })
    expect(await run('select 7', { columns: [oids.int4] })).toMatchObject({ rows: '[7]' })
  })

  test('long texts that differ late are told apart when they are sorted', async () => {
    const texts = ['b', 'a', 'b'].map((end) => `concat(repeat('x', 20000), '${end}')`)
    await client.run(
      'create table long_texts (id int primary key, t text)',
      `insert into long_texts values ${texts.map((text, id) => `(${id}, ${text})`).join(', ')}`,
    )
    const sorted = await run('select id from long_texts order by t, id', { columns: [oids.int4] })
    const numbered = await run(
      'select id, row_number() over (partition by t order by id) from long_texts order by id',
      { columns: [oids.int4, oids.int4] },
    )
    const keys = Array.from({ length: 40 }, () => 't').join(', ')
    const byMany = await run(`select id from long_texts order by ${keys}, id`, {
      columns: [oids.int4],
    })

    expect(sorted.rows).toBe('[1],[0],[2]')
    expect(numbered.rows).toBe('[0,1],[1,1],[2,2]')
    expect(byMany.rows).toBe('[1],[0],[2]')
  })

  describe('plans of several steps', () => {
    const kept = planOf([
      { sql: 'select id, name, null from items where id <= 2 order by id', yields: 'keep' },
      { sql: "update items set name = concat(name, '!') where id <= 2", yields: 'affected' },
      {
        sql: `select k.id, k.name, i.name from json_table(?, '$[*]' columns (
            id int path '$[0]', name varchar(40) path '$[1]')) k join items i on i.id = k.id order by k.id`,
        parameters: ['step 0'],
        yields: 'nothing',
      },
    ])

    test('later ones read what earlier ones kept', async () => {
      const [first, second, third] = kept.steps
      if (first === undefined || second === undefined || third === undefined)
        throw new Error('steps')
      const statement = {
        ...planOf([{ sql: '' }], { columns: [oids.int4, oids.text, oids.text] }),
        steps: [
          first,
          { ...second, yields: 'nothing' as const },
          { ...third, yields: 'result' as const },
        ],
      }
      const result = await adapter.execute(executionOf(statement, [], { values: [[], [], [null]] }))

      expect(result.rows).toBe('[1,"Lamp","Lamp!"],[2,"Desk","Desk!"]')
    })

    test('an assertion that does not hold undoes all of them', async () => {
      const statement = planOf([
        { sql: "insert into items values (30, 'x', 1)", yields: 'affected' },
        { sql: 'select price > 5 from items where id in (1, 30)', yields: 'assert' },
      ])

      await expect(
        adapter.execute(executionOf(statement, [], { values: [[], []] })),
      ).rejects.toMatchObject({ problem: 'checkFailed', status: 422 })
      expect(await client.rows('select id from items where id = 30')).toEqual([])
    })

    test('a later one that fails undoes the earlier ones', async () => {
      const statement = planOf([
        { sql: "insert into items values (31, 'x', 1)", yields: 'affected' },
        { sql: "insert into items values (1, 'x', 1)", yields: 'affected' },
      ])

      await expect(
        adapter.execute(executionOf(statement, [], { values: [[], []] })),
      ).rejects.toMatchObject({ sqlState: '23505' })
      expect(await client.rows('select id from items where id = 31')).toEqual([])
    })
  })

  /** MySQL has no RETURNING: there a check is a step of its own, as above. */
  const describeReturning = server.vendor === 'mariadb' ? describe : () => undefined

  describeReturning('checks of policies in RETURNING', () => {
    const passes = 'case when price < 100 then 1 else (9223372036854775807 + 20000) end'
    const checked = (rows: string) =>
      statementOf(`insert into items values ${rows} returning id, ${passes}`, {
        columns: [oids.int4],
        isWrite: true,
        yields: 'result',
      })
    const insert = (id: number, price: number | null) =>
      adapter.execute(executionOf(checked(`(${id}, 'Rug', ${price})`)))
    const exists = async (id: number) =>
      (await client.rows(`select id from items where id = ${id}`)).length === 1

    test('let a permitted row pass', async () => {
      expect(await insert(10, 50)).toMatchObject({ rows: '[10]', rowCount: 1 })
      expect(await exists(10)).toBe(true)
    })

    test('roll the statement back otherwise', async () => {
      await expect(insert(11, 500)).rejects.toMatchObject({ problem: 'checkFailed', status: 422 })
      expect(await exists(11)).toBe(false)
    })

    test('roll all rows of the statement back', async () => {
      const statement = checked("(11, 'Rug', 50), (12, 'Rug', 500), (1, 'taken', 1)")
      await expect(adapter.execute(executionOf(statement))).rejects.toMatchObject({
        problem: 'checkFailed',
      })
      expect(await exists(11)).toBe(false)
    })

    test('take NULL for a failure', async () => {
      await expect(insert(12, null)).rejects.toMatchObject({ problem: 'checkFailed' })
      expect(await exists(12)).toBe(false)
    })

    test('rows that the caller cannot see are left out of the answer', async () => {
      const returned = await write(
        "insert into items values (20, 'a', 1), (21, 'b', 2) returning id, id > 20",
        { columns: [oids.int4], yields: 'result', visibleColumn: 1 },
      )

      expect(returned).toMatchObject({ rows: '[21]', rowCount: 1 })
      expect(await exists(20)).toBe(true)
    })
  })

  describe('errors of the database', () => {
    test.each([
      ["insert into items values (1, 'again', 1)", 'conflict', 409, '23505'],
      ['insert into parts values (1, 999)', 'conflict', 409, '23503'],
      ['delete from items where id = 2', 'conflict', 409, '23503'],
      ['insert into items values (100, null, 1)', 'invalidValue', 422, '23502'],
      ['insert into items (id) values (100)', 'invalidValue', 422, '23502'],
      ["insert into items values (101, 'x', -1)", 'invalidValue', 422, '23514'],
      ["insert into items values (102, 'x', 99999999999)", 'invalidValue', 422, '22003'],
      ["insert into items values (103, repeat('x', 41), 1)", 'invalidValue', 422, '22001'],
      ["insert into items values ('x', 'x', 1)", 'invalidValue', 422, '22P02'],
      ['insert into numbered values (300, 300)', 'invalidValue', 422, '22003'],
      ['select 1 from nothing', 'staleCatalog', 500, '42P01'],
      ['select t.nothing from items as t', 'staleCatalog', 500, '42703'],
      ['select nothing(1)', 'unsupported', 400, '42883'],
      ['select 1 from', 'internal', 500, 'XX000'],
    ])('%s: %s', async (sql, problem, status, sqlState) => {
      await client.run('insert ignore into parts values (7, 2)')
      const isWrite = !sql.startsWith('select')

      await expect(
        run(sql, { isWrite, columns: isWrite ? [] : [oids.int4] }),
      ).rejects.toMatchObject({ problem, status, sqlState })
    })

    test.each([
      ['select id + 9223372036854775807 from items', '22003'],
      ['select (select id from items)', '21000'],
      ["select 'a' regexp '('", '2201B'],
    ])('%s is an error of the data', async (sql, sqlState) => {
      await expect(run(sql, { columns: [oids.int4] })).rejects.toMatchObject({
        problem: 'dataError',
        status: 400,
        sqlState,
      })
    })

    test('never tell what the rows hold', async () => {
      const failed = write("insert into items values ('CANARY', 'x', 1)")

      await expect(failed).rejects.toMatchObject({
        message: expect.not.stringContaining('CANARY'),
        publicMessage: expect.not.stringContaining('CANARY'),
        details: undefined,
      })
    })

    test('leave the connection usable', async () => {
      for (let attempt = 0; attempt < 20; attempt += 1) {
        await expect(
          run('select (select id from items)', { columns: [oids.int4] }),
        ).rejects.toThrow()
      }

      expect(await run('select 7', { columns: [oids.int4] })).toMatchObject({ rows: '[7]' })
    })
  })

  test('a table that has changed is no obstacle to what was prepared before', async () => {
    await client.run(
      'create table changing (id int primary key)',
      'insert into changing values (1)',
    )
    const read = statementOf('select id from changing', { columns: [oids.int8] })

    expect((await adapter.execute(executionOf(read))).rows).toBe('["1"]')
    await client.run('alter table changing modify id bigint, add extra text')
    await client.run("insert into changing values (9223372036854775807, 'x')")
    expect((await adapter.execute(executionOf(read))).rows).toBe('["1"],["9223372036854775807"]')
    await client.run('drop table changing')
    await expect(adapter.execute(executionOf(read))).rejects.toMatchObject({
      problem: 'staleCatalog',
    })
  })

  test('more statements than a connection keeps prepared', async () => {
    const one = mysqlAdapter({ url: await server.createDatabase('statements'), pool: { max: 1 } })
    for (let round = 0; round < 2; round += 1) {
      for (let n = 0; n < 300; n += 1) {
        const statement = statementOf(`select ${n}`, { columns: [oids.int4] })
        expect((await one.execute(executionOf(statement))).rows).toBe(`[${n}]`)
      }
    }
    await one.close()
  })
})
