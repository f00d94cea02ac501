/** @module Random rows, policies, callers and statements over the tables of the comparison. */
import fc from 'fast-check'
import type {
  Block,
  Json,
  PermissionModel,
  Row,
  SelectStatement,
  Statement,
  TableModel,
  Type,
  Value,
  WriteStatement,
} from './shapes.ts'
import { tableNames } from './tables.ts'

type Schema = Readonly<Record<string, TableModel>>

/** The request's moment; rows and filters lie around it. */
export const now: number = Date.UTC(2026, 5, 15, 12)

const words = ['a', 'b', 'ab', 'ba', '', 'new'] as const
const moments = ['2026-05-01 00:00:00', '2026-06-15 12:00:00', '2026-06-20 08:30:00'] as const
const documents = [{ a: 1 }, { a: 1, b: 'x' }, { a: { b: 1 } }, [1, 'a'], ['a'], 'a', 1, true, {}]

/** Few values, so that they meet. */
const anyOfType: Readonly<Record<Type, fc.Arbitrary<Value>>> = {
  int4: fc.integer({ min: 0, max: 5 }),
  numeric: fc.integer({ min: 0, max: 5 }),
  text: fc.constantFrom<Value[]>(...words),
  bool: fc.boolean(),
  timestamp: fc.constantFrom<Value[]>(...moments),
  jsonb: fc.constantFrom<Value[]>(...documents),
  'text[]': fc.subarray([...words]),
}

const columnsOf = (schema: Schema, table: string) => Object.entries(schema[table]?.columns ?? {})

/** Rows whose references are good. */
export function rowsOf(schema: Schema): fc.Arbitrary<Readonly<Record<string, readonly Row[]>>> {
  const rows = (table: string, max: number) =>
    fc
      .array(fc.record(cells(schema, table)), { maxLength: max })
      .map((list) => list.map((row, i): Row => ({ ...row, id: i })))
  return fc
    .record({
      customers: rows('customers', 4),
      orders: rows('orders', 5),
      tags: rows('tags', 3),
      order_tags: rows('order_tags', 5),
    })
    .map((found) => {
      const known = (table: keyof typeof found, id: Value | undefined) =>
        found[table].some((row) => row['id'] === id) ? (id ?? null) : null
      const orders = found.orders.map(
        (row): Row => ({ ...row, customer_id: known('customers', row['customer_id']) }),
      )
      const pairs = found.order_tags.map(
        (row): Row => ({
          ...row,
          order_id: known('orders', row['order_id']),
          tag_id: known('tags', row['tag_id']),
        }),
      )
      const isFirst = (row: Row, i: number) =>
        pairs.findIndex(
          (p) => p['order_id'] === row['order_id'] && p['tag_id'] === row['tag_id'],
        ) === i
      return { ...found, orders, order_tags: pairs.filter(isFirst) }
    })
}

function cells(schema: Schema, table: string): Record<string, fc.Arbitrary<Value>> {
  const entries = columnsOf(schema, table).map(([name, type]) => [
    name,
    fc.option(anyOfType[type], { freq: 5 }),
  ])
  return Object.fromEntries(entries)
}

/** What claims a filter may ask for; some callers have them, some have them of a wrong shape. */
const claimOf: Readonly<Record<Type, readonly string[]>> = {
  int4: ['$user.level', '$user.tenant', '$user.nobody'],
  numeric: ['$user.level'],
  text: ['$user.tenant', '$user.org.id', '$user.level', '$user.nobody'],
  bool: ['$user.vip', '$user.tenant'],
  timestamp: ['$user.nobody'],
  jsonb: ['$user.level', '$user.tenant'],
  'text[]': ['$user.words', '$user.tenant'],
}
const lists = ['$user.words', '$user.levels', '$user.tenant', '$user.nobody']

export const claims: fc.Arbitrary<Json> = fc.record(
  {
    level: fc.oneof(
      anyOfType.int4,
      fc.constantFrom<unknown[]>('2', 'x', 1.5, null, [1], { $gt: 0 }, true),
    ),
    tenant: fc.oneof(
      anyOfType.text,
      fc.constantFrom<unknown[]>(3, null, ['a'], { $ne: 'a' }, 'true'),
    ),
    vip: fc.oneof(fc.boolean(), fc.constantFrom<unknown[]>('true', 'maybe', null, {})),
    org: fc.oneof(fc.record({ id: anyOfType.text }), fc.constantFrom<unknown[]>({}, null, 'a', [])),
    words: fc.oneof(
      anyOfType['text[]'],
      fc.constantFrom<unknown[]>('a', null, ['a', null], [['a']]),
    ),
    levels: fc.oneof(
      fc.array(anyOfType.int4, { maxLength: 3 }),
      fc.constantFrom<unknown[]>(3, {}, [{}]),
    ),
  },
  { requiredKeys: [] },
)

function operand(type: Type, peers: readonly string[]): fc.Arbitrary<unknown> {
  const column = peers.length > 0 ? [fc.record({ $col: fc.constantFrom(...peers) })] : []
  const special =
    type === 'timestamp'
      ? [fc.constantFrom('-30d', '0d', '4d').map(($now) => ({ $now }))]
      : type === 'text'
        ? [fc.constantFrom('$user.tenant', 'a').map(($literal) => ({ $literal }))]
        : []
  return fc.oneof(
    { weight: 3, arbitrary: anyOfType[type] },
    { weight: 3, arbitrary: fc.constantFrom(...claimOf[type]) },
    ...[...column, ...special].map((arbitrary) => ({ weight: 1, arbitrary })),
  )
}

/** One condition on a value of `type`. */
function test(type: Type, peers: readonly string[], depth: number): fc.Arbitrary<unknown> {
  const right = operand(type, peers)
  const one = (keys: readonly string[], value: fc.Arbitrary<unknown>) =>
    fc.tuple(fc.constantFrom(...keys), value).map(([key, each]) => ({ [key]: each }))
  const nulls = one(['$isNull', '$null', '$notNull'], fc.boolean())
  const equal = one(['$eq', '$ne'], right)
  const negated = depth > 0 ? [test(type, peers, depth - 1).map((inner) => ({ $not: inner }))] : []
  const listed = one(
    ['$in', '$nin'],
    fc.oneof(fc.array(right, { maxLength: 3 }), fc.constantFrom(...lists)),
  )
  const ordered = one(['$gt', '$gte', '$lt', '$lte'], right)
  const range = one(['$between'], fc.tuple(right, right))
  const patterns = one(
    ['$like', '$nlike', '$ilike', '$nilike'],
    fc.constantFrom('a%', '%B', '_', '%', 'A_'),
  )
  const parts = one(['$startsWith', '$endsWith', '$contains'], operand('text', peers))
  const inside = one(['$contains', '$containedBy'], right)
  const key = one(['$hasKey'], fc.oneof(anyOfType.text, fc.constantFrom(...claimOf.text)))
  switch (type) {
    case 'text':
      return fc.oneof(right, equal, nulls, listed, ordered, range, patterns, parts, ...negated)
    case 'bool':
      return fc.oneof(right, equal, nulls, ...negated)
    case 'jsonb':
      return fc.oneof(equal, nulls, inside, key, ...negated)
    case 'text[]':
      return fc.oneof(equal, nulls, inside, one(['$overlaps'], right), ...negated)
    default:
      return fc.oneof(right, equal, nulls, listed, ordered, range, ...negated)
  }
}

/** A condition on the caller alone: its field has the type of what it is compared with. */
const callerTest: fc.Arbitrary<Json> = fc.oneof(
  test('text', [], 0).map((value) => ({ '$user.tenant': value })),
  fc.constantFrom<Json[]>(
    { '$user.level': { $gte: 2 } },
    { '$user.level': 2 },
    { '$user.level': { $in: [1, 2] } },
    { '$user.level': { $notNull: true } },
    { '$user.vip': true },
    { '$user.nobody': { $isNull: true } },
  ),
)

/** @param outer the table around an `$exists`. */
export function filterOf(schema: Schema, table: string, depth = 2, outer = ''): fc.Arbitrary<Json> {
  const columns = columnsOf(schema, table)
  const conditions = columns.map(([name, type]) => {
    const peers = columns.flatMap(([other, of]) => (of === type && other !== name ? [other] : []))
    const right = columnsOf(schema, outer).flatMap(([other, of]) => (of === type ? [other] : []))
    const around = right.map((column) => fc.constant({ $outer: column }))
    const value = test(type, peers, 1)
    return fc.oneof(value, ...around).map((each): Json => ({ [name]: each }))
  })
  const leaf = fc.oneof(
    { weight: 8, arbitrary: fc.oneof(...conditions) },
    { weight: 1, arbitrary: callerTest },
    { weight: 1, arbitrary: fc.constantFrom<Json[]>({}, { $or: [] }, { $and: [] }) },
  )
  if (depth === 0) return leaf
  const inner = filterOf(schema, table, depth - 1, outer)
  const list = fc.array(inner, { maxLength: 3 })
  const relations = Object.entries(schema[table]?.relations ?? {}).map(
    ([name, { many, steps }]) => {
      const far = filterOf(schema, steps.at(-1)?.table ?? '', depth - 1)
      const quantified = fc
        .tuple(fc.constantFrom('$some', '$every', '$none'), far)
        .map(([quantifier, filter]): Json => ({ [quantifier]: filter }))
      return (many ? quantified : far).map((filter): Json => ({ [name]: filter }))
    },
  )
  const exists = fc.constantFrom('customers', 'tags').chain((far) =>
    filterOf(schema, far, depth - 1, table).map((where) => ({
      $exists: { table: `main.${far}`, where },
    })),
  )
  return fc.oneof(
    { weight: 4, arbitrary: leaf },
    { weight: 1, arbitrary: list.map(($and): Json => ({ $and })) },
    { weight: 1, arbitrary: list.map(($or): Json => ({ $or })) },
    { weight: 1, arbitrary: list.map(($nor): Json => ({ $nor })) },
    { weight: 1, arbitrary: inner.map(($not): Json => ({ $not })) },
    { weight: 1, arbitrary: fc.tuple(leaf, leaf).map(([a, b]): Json => ({ ...a, ...b })) },
    { weight: 2, arbitrary: fc.oneof(...relations) },
    { weight: 1, arbitrary: exists },
  )
}

/** Few permissions for each, so that most callers have different ones. */
export const roleNames = ['r1', 'r2', 'r3', 'r4', 'r5'] as const

/** Every block is there more often than not, else most statements would be refused. */
export function permissionOf(schema: Schema, table: string): fc.Arbitrary<PermissionModel> {
  const names = columnsOf(schema, table).map(([name]) => name)
  const some = fc.subarray(names, { minLength: 1 })
  const columns = fc.option(
    some.map((list) => [...new Set(['id', ...list])]),
    { nil: undefined, freq: 2 },
  )
  const filter = fc.option(fc.oneof(filterOf(schema, table), filterOf(schema, table, 1)), {
    nil: undefined,
    freq: 2,
  })
  const presets = columnsOf(schema, table).flatMap(([name, type]): Json[] =>
    name === 'id' || type === 'jsonb' || type === 'text[]' || name.endsWith('_id')
      ? []
      : [{ [name]: claimOf[type][0] }, { [name]: 'a' }].filter(
          (_, i) => i === 0 || type === 'text',
        ),
  )
  const preset = fc.option(fc.constantFrom(...presets, {}), { nil: undefined, freq: 2 })
  const block: fc.Arbitrary<Block> = fc.record({ columns, where: filter })
  const write = fc.record({ columns, where: filter, check: filter, preset })
  const often = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 4 })
  return fc
    .record({
      table: fc.constant(table),
      roles: fc.oneof(
        {
          weight: 6,
          arbitrary: fc.subarray<string>([...roleNames], { minLength: 1, maxLength: 2 }),
        },
        { weight: 1, arbitrary: fc.constantFrom<string[][]>(['*'], ['nobody', 'r1']) },
      ),
      restrict: fc.option(filterOf(schema, table, 1), { nil: undefined, freq: 2 }),
      select: fc
        .tuple(
          block,
          fc.option(fc.integer({ min: 0, max: 4 }), { freq: 2 }),
          fc.integer({ max: 7, min: 0 }),
        )
        .map(([base, limit, aggregate]) => ({
          ...base,
          ...(limit !== null && aggregate % 2 === 0 && { limit }),
          ...(aggregate === 7 && { aggregate: false }),
        })),
      insert: often(write.map(({ where: _, ...rest }) => rest)),
      update: often(write),
      delete: often(fc.record({ where: filter })),
    })
    .map(({ select, ...rest }): PermissionModel => ({ ...rest, select }))
}

/** Permissions of one role may not preset different values: the engine would not start. */
function withoutContradiction(
  before: readonly PermissionModel[],
  permission: PermissionModel,
): readonly PermissionModel[] {
  const kept = (kind: 'insert' | 'update') =>
    before.every((other) => {
      const isApart = other.table !== permission.table || !sharesRole(other, permission)
      const [one, two] = [other[kind], permission[kind]]
      if (isApart || one === undefined || two === undefined) return true
      return JSON.stringify(one.preset ?? {}) === JSON.stringify(two.preset ?? {})
    })
      ? permission[kind]
      : undefined
  return [...before, { ...permission, insert: kept('insert'), update: kept('update') }]
}

const sharesRole = (a: PermissionModel, b: PermissionModel) =>
  a.roles.some((role) => b.roles.includes(role))

export function policyOf(schema: Schema): fc.Arbitrary<readonly PermissionModel[]> {
  const perTable = tableNames.map((table) =>
    fc.array(permissionOf(schema, table), { minLength: 1, maxLength: 7 }),
  )
  return fc.tuple(...perTable).map((all) => all.flat().reduce(withoutContradiction, []))
}

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

/** A statement and who sends it. */
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
