import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PgFunction } from '../src/compiler/sql-types/pg-type.ts'
import type { FunctionCallOptions } from '../src/compiler/sql-types/resolution.ts'
import { builtinFunctions } from '../src/compiler/sql-types/system/builtin-catalog.ts'
import {
  type Case,
  commonTypes,
  createPicker,
  disagreements,
  nullOf,
  rareTypes,
} from './sql-types-cases.ts'
import { describeCatalogVersion, type Oracle, openOracle } from './sql-types-oracle.ts'

const binaryOperators = [
  ...['=', '<>', '<', '+', '-', '*', '/', '%', '^', '||', '~~', '!~~*', '~', '^@', '->', '->>'],
  ...['#>>', '@>', '?', '&&', '&', '<<', '#-'],
]
const prefixOperators = ['-', '+', '@', '~', '|/', '||/']

await describeCatalogVersion('calls as PostgreSQL resolves them', () => {
  let oracle: Oracle

  beforeAll(async () => {
    oracle = await openOracle()
  })
  afterAll(() => oracle.close())

  const operatorCase = (name: string, left: string | undefined, right: string): Case => {
    const sql = `${left === undefined ? '' : nullOf(left)} ${name} ${nullOf(right)}`
    const leftOid = left === undefined ? undefined : oracle.oid(left)
    const ours = oracle.types.resolveOperator(name, leftOid, oracle.oid(right))
    if (!ours.ok) return { sql, ours }
    return { sql, ours: { ok: true, oid: ours.resultOid, chosen: ours.operator.oid } }
  }

  test('binary operators between common types', async () => {
    const cases = binaryOperators.flatMap((name) =>
      commonTypes.flatMap((left) => commonTypes.map((right) => operatorCase(name, left, right))),
    )
    expect(cases.length).toBeGreaterThan(15_000)
    expect(await disagreements(oracle, cases)).toEqual([])
  })

  test('binary operators with rare types', async () => {
    const pick = createPicker(1)
    const cases = binaryOperators.flatMap((name) =>
      rareTypes.flatMap((rare) => [
        operatorCase(name, rare, rare),
        operatorCase(name, rare, pick(commonTypes)),
        operatorCase(name, 'unknown', rare),
      ]),
    )
    expect(await disagreements(oracle, cases)).toEqual([])
  })

  test('prefix operators', async () => {
    const cases = prefixOperators.flatMap((name) =>
      [...commonTypes, ...rareTypes].map((type) => operatorCase(name, undefined, type)),
    )
    expect(await disagreements(oracle, cases)).toEqual([])
  })

  test('operators over the elements of an array', async () => {
    const arrays = ['unknown', '_int4', '_text', '_mood', '_numeric', '_varchar', 'numbers', 'int4']
    const cases = ['=', '<', '~~', '->'].flatMap((name) =>
      [...commonTypes, ...rareTypes].flatMap((left) =>
        arrays.map((right): Case => {
          const sql = `${nullOf(left)} ${name} any(${nullOf(right)})`
          const ours = oracle.types.resolveArrayOperator(name, oracle.oid(left), oracle.oid(right))
          if (!ours.ok) return { sql, ours }
          return { sql, ours: { ok: true, oid: oracle.oid('bool'), chosen: ours.operator.oid } }
        }),
      ),
    )
    expect(await disagreements(oracle, cases)).toEqual([])
  })

  const functionCase = (
    name: string,
    argumentTypes: readonly string[],
    sql: string,
    options?: FunctionCallOptions,
  ): Case => {
    const argumentOids = argumentTypes.map(oracle.oid)
    const ours = oracle.types.resolveFunction(name, argumentOids, options)
    if (!ours.ok) return { sql, ours }
    if (ours.kind === 'cast') return { sql, ours: { ok: true, oid: ours.targetOid } }
    return { sql, ours: { ok: true, oid: ours.resultOid, chosen: ours.function.oid } }
  }

  /** PostgreSQL finds these and then fails: for a first argument that is no row, and for a set of rows without names. */
  const readsRecords = /^jsonb?_(populate_record|to_recordset)/

  test('functions, aggregates and window functions', async () => {
    const byName = Map.groupBy(builtinFunctions, ({ name }) => name)
    const cases = [...byName].flatMap(([name, overloads]) => {
      if (overloads.some(isOrderedSet) || readsRecords.test(name)) return []
      const over = overloads.some(({ kind }) => kind === 'window') ? ' over ()' : ''
      return argumentLists(oracle, overloads)
        .filter((list) => name !== 'count' || list.length > 0)
        .map((list) =>
          functionCase(name, list, `pg_catalog."${name}"(${list.map(nullOf).join()})${over}`),
        )
    })
    expect(cases.length).toBeGreaterThan(10_000)
    expect(await disagreements(oracle, cases)).toEqual([])
  })

  test('named, variadic and ordered-set calls', async () => {
    const within = (order: string) => `within group (order by ${order})`
    const cases = [
      functionCase('make_interval', ['int4'], 'make_interval(days => null::int4)', {
        argumentNames: ['days'],
      }),
      functionCase('make_interval', ['int4', 'float8'], 'make_interval(1, secs => null::float8)', {
        argumentNames: ['secs'],
      }),
      functionCase('make_interval', ['int4', 'int4'], 'make_interval(1, years => 1)', {
        argumentNames: ['years'],
      }),
      functionCase('make_interval', ['int4'], 'make_interval(lustra => 1)', {
        argumentNames: ['lustra'],
      }),
      functionCase(
        'jsonb_set',
        ['jsonb', 'unknown', 'unknown', 'bool'],
        `jsonb_set(null::jsonb, null, null, create_if_missing => true)`,
        { argumentNames: ['create_if_missing'] },
      ),
      functionCase('jsonb_set', ['jsonb', '_text'], 'jsonb_set(null::jsonb, null::text[])'),
      functionCase('concat', ['_text'], 'concat(variadic null::text[])', { isVariadicCall: true }),
      functionCase(
        'json_extract_path',
        ['json', '_text'],
        'json_extract_path(null::json, variadic null::text[])',
        { isVariadicCall: true },
      ),
      ...['int4', 'numeric', 'interval', 'text', 'date'].flatMap((type) =>
        ['percentile_cont', 'percentile_disc'].flatMap((name) => [
          functionCase(name, ['numeric', type], `${name}(0.5) ${within(nullOf(type))}`),
          functionCase(name, ['_float8', type], `${name}(null::float8[]) ${within(nullOf(type))}`),
        ]),
      ),
      functionCase('mode', ['mood'], `mode() ${within('null::mood')}`),
    ]
    expect(await disagreements(oracle, cases)).toEqual([])
  })
})

function isOrderedSet({ aggregateKind }: PgFunction): boolean {
  return aggregateKind !== undefined && aggregateKind !== 'normal'
}

/** Types to call the overloads with: as declared, with other types mixed in, and at random. */
function argumentLists(
  oracle: Oracle,
  overloads: readonly PgFunction[],
): readonly (readonly string[])[] {
  const all = [...commonTypes, ...rareTypes]
  const pick = createPicker(overloads[0]?.oid ?? 0)
  const lists = overloads.flatMap(({ argumentOids, defaultCount, variadicOid }) => {
    const declared = argumentOids.map((oid) => {
      const type = oracle.types.typeByOid(oid)
      return type === undefined || type.kind === 'pseudo' ? pick(all) : type.name
    })
    if (declared.length === 1) return all.map((type) => [type])
    const mixed = Array.from({ length: 15 }, () =>
      declared.map((type) => pick([type, type, 'unknown', pick(all)])),
    )
    const random = Array.from({ length: 10 }, () => declared.map(() => pick(all)))
    const longer = variadicOid === undefined ? [] : [[...declared, 'int4', 'unknown']]
    const shorter = defaultCount === 0 ? [] : [declared.slice(0, -1)]
    return [declared, ...mixed, ...random, ...longer, ...shorter, declared.map(() => 'unknown')]
  })
  const byText = new Map(lists.map((list) => [list.join(), list]))
  return [...byText.values()]
}
