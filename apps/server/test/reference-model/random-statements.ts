/** @module Random statements, and their callers. */
import fc from 'fast-check'
import { claims, roleNames } from './random-policy.ts'
import { anyOfType, cells, columnsOf, type Schema } from './random-rows.ts'
import type { Json, Row, SelectStatement, Statement, Type, WriteStatement } from './shapes.ts'

/** A condition as clients write them: on columns of `a`, and of `b` where there is one. */
function clientFilter(
  columns: readonly (readonly [string, Type])[],
  depth = 2,
): fc.Arbitrary<Json> {
  const leaf = fc.constantFrom(...columns).chain(([name, type]): fc.Arbitrary<Json> => {
    const peers = columns.flatMap(([other, of]) => (of === type ? [{ $col: other }] : []))
    const right = fc.oneof(fc.option(anyOfType[type]), fc.constantFrom(...peers))
    const compared = fc.tuple(fc.constantFrom('$eq', '$ne', '$lt', '$gt'), right)
    return fc.oneof(
      {
        weight: 5,
        arbitrary: compared.map(([key, value]): Json => ({ [name]: { [key]: value } })),
      },
      { weight: 1, arbitrary: fc.constant<Json>({ [name]: { $isNull: true } }) },
    )
  })
  if (depth === 0) return leaf
  const inner = clientFilter(columns, depth - 1)
  const list = fc.array(inner, { minLength: 1, maxLength: 2 })
  return fc.oneof(
    { weight: 3, arbitrary: leaf },
    { weight: 1, arbitrary: list.map(($and): Json => ({ $and })) },
    { weight: 1, arbitrary: list.map(($or): Json => ({ $or })) },
    { weight: 1, arbitrary: inner.map(($not): Json => ({ $not })) },
  )
}

const plain: readonly Type[] = ['int4', 'text', 'bool', 'timestamp']
const plainColumns = (schema: Schema, table: string, alias: string) =>
  columnsOf(schema, table)
    .filter(([, type]) => plain.includes(type))
    .map(([name, type]): readonly [string, Type] => [`${alias}.${name}`, type])

function selectOf(schema: Schema, table: string): fc.Arbitrary<SelectStatement> {
  return fc
    .option(fc.constantFrom('customers', 'orders', 'order_tags'), { nil: undefined, freq: 2 })
    .chain((far) => {
      const own = plainColumns(schema, table, 'a')
      const all = far === undefined ? own : [...own, ...plainColumns(schema, far, 'b')]
      const on = fc.oneof(
        fc.constantFrom<Json[]>(
          { 'a.id': { $eq: { $col: 'b.id' } } },
          { 'b.id': { $lt: { $col: 'a.id' } } },
        ),
        clientFilter(all, 1),
      )
      return fc.record({
        kind: fc.constant('select' as const),
        table: fc.constant(table),
        join:
          far === undefined
            ? fc.constant(undefined)
            : fc.record({ table: fc.constant(far), isLeft: fc.boolean(), on }),
        where: fc.option(clientFilter(all), { nil: undefined }),
        columns: fc.subarray(
          all.map(([name]) => name),
          { minLength: 1, maxLength: Math.min(3, all.length) },
        ),
        isCounted: fc.boolean(),
        limit: fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined, freq: 2 }),
        offset: fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined, freq: 2 }),
      })
    })
}

function writeOf(schema: Schema, table: string): fc.Arbitrary<WriteStatement> {
  const own = plainColumns(schema, table, 'a')
  const names = own.map(([name]) => name.slice(2))
  const where = fc.option(clientFilter(own), { nil: undefined, freq: 3 })
  const returning = fc.option(
    fc.subarray(
      own.map(([name]) => name),
      { minLength: 1 },
    ),
    { nil: undefined, freq: 2 },
  )
  const base = { table: fc.constant(table), returning }
  const setOf = (sources: readonly (readonly [string, Type])[]) =>
    fc
      .subarray(
        names.filter((name) => name !== 'id'),
        { minLength: 1, maxLength: Math.min(2, names.length - 1) },
      )
      .chain((chosen) =>
        fc.record<Record<string, unknown>>(
          Object.fromEntries(
            chosen.map((name) => {
              const type = schema[table]?.columns[name] ?? 'text'
              const peers = sources.flatMap(([each, of]) => (of === type ? [{ $col: each }] : []))
              const values: fc.Arbitrary<unknown> = fc.option(anyOfType[type])
              return [
                name,
                peers.length === 0 ? values : fc.oneof(values, fc.constantFrom(...peers)),
              ]
            }),
          ),
        ),
      )
  const values = fc.subarray(names.filter((name) => name !== 'id')).chain((chosen) =>
    fc
      .uniqueArray(
        fc.record({
          id: fc.integer({ min: 0, max: 9 }),
          ...Object.fromEntries(
            Object.entries(cells(schema, table)).filter(([name]) => chosen.includes(name)),
          ),
        }),
        { minLength: 1, maxLength: 2, selector: ({ id }) => id },
      )
      .map((rows) => rows as readonly Row[]),
  )
  const insert = fc.record({ ...base, kind: fc.constant('insert' as const), values })
  const upsert = values.chain((rows) => {
    const proposed = Object.keys(rows[0] ?? {}).map((name): readonly [string, Type] => [
      `x.${name}`,
      schema[table]?.columns[name] ?? 'text',
    ])
    return fc.record({
      ...base,
      kind: fc.constant('insert' as const),
      values: fc.constant(rows),
      conflict: fc.constant('update' as const),
      set: setOf([...own, ...proposed]),
      where,
    })
  })
  return fc.oneof(
    insert,
    insert.map((each) => ({ ...each, conflict: 'nothing' as const })),
    upsert,
    fc.record({ ...base, kind: fc.constant('update' as const), set: setOf(own), where }),
    fc.record({ ...base, kind: fc.constant('delete' as const), where }),
  )
}

/** A statement and its caller. */
export interface Call {
  readonly roles: readonly string[]
  readonly claims: Json
  readonly statement: Statement
}

export function callOf(schema: Schema): fc.Arbitrary<Call> {
  const statement = fc
    .constantFrom('customers', 'orders', 'orders', 'tags', 'order_tags')
    .chain(
      (table): fc.Arbitrary<Statement> => fc.oneof(selectOf(schema, table), writeOf(schema, table)),
    )
  return fc.record({
    roles: fc.subarray<string>([...roleNames], { minLength: 0, maxLength: 3 }),
    claims,
    statement,
  })
}
