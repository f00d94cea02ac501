import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CommonTypeContext } from '../src/compiler/sql-types/resolution.ts'
import {
  type Case,
  commonTypes,
  createPicker,
  disagreements,
  nullOf,
  rareTypes,
} from './sql-types-cases.ts'
import { describeCatalogVersion, type Oracle, openOracle } from './sql-types-oracle.ts'

await describeCatalogVersion('conversions as PostgreSQL makes them', () => {
  let oracle: Oracle

  beforeAll(async () => {
    oracle = await openOracle()
  })
  afterAll(() => oracle.close())

  const commonCase = (context: CommonTypeContext, list: readonly string[], sql: string): Case => ({
    sql,
    ours: oracle.types.commonType(list.map(oracle.oid), context),
  })

  test('common types of every pair', async () => {
    const all = [...commonTypes, ...rareTypes]
    const cases = all.flatMap((a) =>
      all.flatMap((b) => {
        const [left, right] = [nullOf(a), nullOf(b)]
        return [
          commonCase('COALESCE', [a, b], `coalesce(${left}, ${right})`),
          // The ELSE branch is examined first.
          commonCase('CASE', [b, a], `case when true then ${left} else ${right} end`),
          commonCase(
            'UNION',
            [a, b],
            `x from (select ${left} union all select ${right}) as s(x) limit 1`,
          ),
          commonCase('VALUES', [a, b], `x from (values (${left}), (${right})) as s(x) limit 1`),
        ]
      }),
    )
    expect(await disagreements(oracle, cases)).toEqual([])
  })

  test('common types of three', async () => {
    const pick = createPicker(2)
    const cases = Array.from({ length: 1000 }, () => {
      const list = [pick(commonTypes), pick(commonTypes), pick(commonTypes)]
      return commonCase('COALESCE', list, `coalesce(${list.map(nullOf).join()})`)
    })
    expect(await disagreements(oracle, cases)).toEqual([])
  })

  test('casts and assignments between all types', async () => {
    const all = [...commonTypes, ...rareTypes]
    const targets = all.filter((type) => type !== 'unknown')
    await oracle.client.query(
      `create table target (${targets.map((type) => `"${type}" "${type}"`).join()})`,
    )
    const pairs = all.flatMap((source) => targets.map((target) => [source, target] as const))
    const statements = pairs.flatMap(([source, target]) => [
      `select cast(${nullOf(source)} as "${target}")`,
      `insert into target ("${target}") values (${nullOf(source)})`,
    ])
    const faults = await oracle.faultsOf(statements)
    const different = pairs.flatMap(([source, target], i) =>
      (['explicit', 'assignment'] as const).flatMap((context, j) => {
        const ours = oracle.types.coercion(oracle.oid(source), oracle.oid(target), context)
        const fault = faults[i * 2 + j]
        return (ours === undefined) === (fault !== undefined)
          ? []
          : [`${source} to ${target}, ${context}: ${ours?.kind}, PostgreSQL ${fault}`]
      }),
    )
    expect(different).toEqual([])
  })

  test('which types can be sorted and grouped', async () => {
    const all = [...commonTypes, ...rareTypes].filter((type) => type !== 'unknown')
    const faults = await oracle.faultsOf(
      all.flatMap((type) => [
        `select x from (select ${nullOf(type)}) as s(x) order by x`,
        `select x from (select ${nullOf(type)}) as s(x) group by x`,
      ]),
    )
    const different = all.filter((type, i) => {
      const ours = oracle.types.comparison(oracle.oid(type))
      const [sortFault, groupFault] = [faults[i * 2], faults[i * 2 + 1]]
      const isSortable = ours?.less !== undefined
      return (
        isSortable !== (sortFault === undefined) ||
        (ours === undefined) !== (groupFault !== undefined)
      )
    })
    expect(different).toEqual([])
  })

  test('the spelling of types', async () => {
    const texts = [
      ...['varchar(20)', 'varchar', 'char(3)', 'char', 'bpchar', 'numeric(10,2)', 'numeric(5,-2)'],
      ...['numeric(3,5)', 'numeric', 'timestamp(3)', 'timestamptz', 'time(0)', 'timetz', 'bit(8)'],
      ...['bit', 'varbit(4)', 'varbit', 'interval(2)', 'interval year to month', 'interval'],
      ...[
        'interval day to second(3)',
        'int4[]',
        'varchar(5)[]',
        'text[]',
        'float8',
        'bool',
        'mood',
      ],
      ...['mood[]', 'positive', '"char"', 'oid', 'int2vector', 'jsonb', 'uuid', 'inet'],
    ]
    for (const text of texts) {
      const { oid, typmod } = await oracle.typeNamed(text)
      const { rows } = await oracle.client.query<{ name: string }>(
        'select format_type($1, $2) as name',
        [oid, typmod],
      )
      expect(oracle.types.formatType(oid, typmod), text).toBe(rows[0]?.name)
    }
  })

  test('typmods', async () => {
    const modifiers: readonly (readonly [string, readonly number[]])[] = [
      ['varchar', [20]],
      ['bpchar', [1]],
      ['numeric', [10]],
      ['numeric', [10, 2]],
      ['numeric', [5, -2]],
      ['numeric', [1000, 1000]],
      ['bit', [8]],
      ['varbit', [3]],
      ['timestamp', [3]],
      ['timestamptz', [0]],
      ['time', [9]],
      ['varchar', [0]],
      ['varchar', [10_485_761]],
      ['numeric', [0]],
      ['numeric', [1001]],
      ['numeric', [10, 1001]],
      ['bit', [0]],
      ['int4', [3]],
      ['text', [3]],
    ]
    for (const [name, list] of modifiers) {
      const text = `pg_catalog."${name}"(${list.join()})`
      const theirs = await oracle.typeNamed(text).catch((error: { code: string }) => error)
      const ours = oracle.types.encodeTypmod(oracle.oid(name), list)
      expect(ours.ok ? ours.typmod : ours.sqlState, text).toBe(
        'code' in theirs ? theirs.code : theirs.typmod,
      )
    }
  })
})
