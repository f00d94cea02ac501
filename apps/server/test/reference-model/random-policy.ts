/** @module Random permissions, and callers for them. */
import fc from 'fast-check'
import { anyOfType, columnsOf, type Schema } from './random-rows.ts'
import type { Block, Json, PermissionModel, Type } from './shapes.ts'
import { tableNames } from './tables.ts'

/** Claims that a filter may use; some callers have them, some have them with a wrong type. */
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

/** Some callers have the claims that filters use, some have them with a wrong type. */
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

/** A condition only on the caller: its field has the type of the value that it is compared with. */
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
function filterOf(schema: Schema, table: string, depth = 2, outer = ''): fc.Arbitrary<Json> {
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

/** Every block is present with more than half probability, otherwise most statements would be refused. */
function permissionOf(schema: Schema, table: string): fc.Arbitrary<PermissionModel> {
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

/** Permissions of one role may not preset different values: the engine would refuse to start. */
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
