import { createTypeSystem, type PgType } from '@engine/core/catalog'
import {
  loadParser,
  type VisibleConnection,
  type VisibleForeignKey,
  type VisibleTable,
} from '@engine/core/session'
import { beforeAll, expect, test } from 'vitest'
import { mirrorSteps } from './mirror-sql.ts'

beforeAll(loadParser)

const mood: PgType = {
  oid: 20_001,
  name: 'mood',
  kind: 'enum',
  category: 'E',
  isPreferred: false,
  isCollatable: false,
  isNameable: true,
  schema: 'public',
  enumLabels: ['sad', `it's`],
}

const people: VisibleTable = {
  name: 'people',
  kind: 'table',
  comment: `'x'`,
  columns: [
    visibleColumn('id', 23, { nullable: false }),
    { ...visibleColumn('mood', mood.oid, {}), isUpdatable: false },
  ],
  primaryKey: ['id'],
  uniqueKeys: [['mood', 'id']],
  foreignKeys: [
    {
      columns: ['id'],
      table: 'people',
      references: ['id'],
      onDelete: 'set null',
      onUpdate: 'cascade',
    },
  ],
  checks: [{ name: 'positive', definition: 'CHECK ((id > 0))' }],
  isWhole: true,
  indexes: [{ name: 'by_mood', columns: ['mood'] }],
  operations: ['select', 'update'],
}

function visibleColumn(name: string, oid: number, more: { readonly nullable?: boolean }) {
  return {
    column: {
      name,
      ordinal: 0,
      type: { oid, typmod: -1 },
      nullable: true,
      hasDefault: false,
      generated: 'no' as const,
      nativeType: '',
      nativeDefault: undefined,
      collation: undefined,
      native: undefined,
      comment: undefined,
      ...more,
    },
    isReadable: true,
    isInsertable: true,
    isUpdatable: true,
  }
}

/** Without the numbers of the objects. */
function stepsOf(main: VisibleConnection, role: string): readonly (readonly string[])[] {
  return mirrorSteps({ key: 'k', connections: [main] }, role).map((step) =>
    step.map((sql) => sql.replaceAll(/select pg_catalog\.binary_upgrade_[^;]*; /g, '')),
  )
}

test('types and tables get the numbers that they have in the database', () => {
  const types = createTypeSystem({ types: [mood] })
  const oids = { table: 16_400, rowType: 16_402, rowArray: 16_401 }
  const tables = [{ ...people, oids }]
  const main = { name: 'main', kind: 'postgres' as const, types, isWhole: true, tables }
  const [, [type] = [], [table] = []] = mirrorSteps({ key: 'k', connections: [main] }, 'r')
  expect(type).toContain(`binary_upgrade_set_next_pg_type_oid(${mood.oid}::`)
  expect(table).toContain('binary_upgrade_set_next_heap_pg_class_oid(16400::')
  expect(table).toContain('binary_upgrade_set_next_pg_type_oid(16402::')
  expect(table).toContain('binary_upgrade_set_next_array_pg_type_oid(16401::')
})

test('a table whose rows are values of another is created once, before that one', () => {
  const oids = { table: 16_400, rowType: 16_402, rowArray: 16_401 }
  const row: PgType = {
    ...mood,
    oid: oids.rowType,
    name: 'people',
    kind: 'composite',
    isRowType: true,
    attributes: [{ name: 'mood', oid: mood.oid, typmod: -1 }],
  }
  const types = createTypeSystem({ types: [mood, row] })
  const owners = { ...people, name: 'owners', columns: [visibleColumn('of', row.oid, {})] }
  const tables = [owners, { ...people, oids }]
  const main = { name: 'main', kind: 'postgres' as const, types, isWhole: true, tables }
  const created = stepsOf(main, 'r').map(([first]) => first ?? '')
  expect(created.filter((sql) => /create (type|table)/.test(sql))).toEqual([
    `create type "main"."mood" as enum ('sad', 'it''s')`,
    `create table "main"."people" ("id" integer not null, "mood" "main"."mood")`,
    `create table "main"."owners" ("of" "main"."people")`,
  ])
})

test('a connection becomes a schema with its types, tables, keys, comments and grants', () => {
  const types = createTypeSystem({ types: [mood] })
  const main = { name: 'main', kind: 'postgres' as const, types, isWhole: true, tables: [people] }
  const steps = stepsOf(main, 'pg_client')
  expect(steps).toEqual([
    [`create schema "main"; grant usage on schema "main" to "pg_client"`],
    [`create type "main"."mood" as enum ('sad', 'it''s')`],
    [
      `create table "main"."people" ("id" integer not null, "mood" "main"."mood")`,
      `create table "main"."people" ("id" integer, "mood" "main"."mood")`,
      `create table "main"."people" ("id" integer, "mood" text)`,
    ],
    [`alter table "main"."people" add primary key ("id")`],
    [`alter table "main"."people" add unique ("mood", "id")`],
    [`create index "by_mood" on "main"."people" ("mood")`],
    [
      `set local search_path = "main"; alter table "main"."people" add constraint "positive" CHECK ((id > 0))`,
    ],
    [
      `alter table "main"."people" add foreign key ("id") references "main"."people" ("id") on delete set null on update cascade`,
    ],
    [`comment on table "main"."people" is '''x'''`],
    [`grant select, update ("id") on "main"."people" to "pg_client"`],
  ])
})

test('a range type is created with its multirange type, also where no column has it', () => {
  const own = {
    category: 'R',
    isPreferred: false,
    isCollatable: false,
    isNameable: true,
    schema: 'public',
  }
  const span: PgType = {
    ...own,
    oid: 20_011,
    name: 'span',
    kind: 'range',
    subtypeOid: mood.oid,
    multirangeOid: 20_012,
  }
  const spans: PgType = { ...own, oid: 20_012, name: 'spans', kind: 'multirange' }
  const types = createTypeSystem({ types: [spans, span, mood] })
  const main = { name: 'main', kind: 'postgres' as const, types, isWhole: true, tables: [] }
  const steps = stepsOf(main, 'r').slice(1)
  expect(steps.map(([first]) => first)).toEqual([
    `create type "main"."mood" as enum ('sad', 'it''s')`,
    'create type "main"."span" as range (subtype = "main"."mood", multirange_type_name = "main"."spans")',
  ])
  const [, [, imitated] = []] = steps
  expect(imitated?.match(/create type "main"."spans?"/g)).toHaveLength(4)
})

test('composite types and types of extensions are created without a column, types of rows are not', () => {
  const own = {
    kind: 'opaque' as const,
    category: 'U',
    isPreferred: false,
    isCollatable: false,
    isNameable: true,
    schema: 'public',
  }
  const attributes = [{ name: 'm', oid: mood.oid, typmod: -1 }]
  const pair: PgType = { ...own, oid: 20_011, name: 'pair', attributes }
  const rows: PgType = { ...own, oid: 20_012, name: 'hidden', attributes, isRowType: true }
  const vector: PgType = { ...own, oid: 20_013, name: 'vector' }
  const citext: PgType = { ...own, oid: 20_014, name: 'citext' }
  const namesake: PgType = { ...own, oid: 20_015, name: 'people', schema: 'other' }
  const types = createTypeSystem({ types: [pair, rows, vector, citext, namesake, mood] })
  const main = { name: 'main', kind: 'postgres' as const, types, isWhole: true, tables: [people] }
  const created = stepsOf(main, 'r').map(([first]) => first ?? '')
  const typesOf = created.filter((step) => /create type/.test(step))
  expect(typesOf).toEqual([
    `create type "main"."mood" as enum ('sad', 'it''s')`,
    'create type "main"."pair" as ("m" "main"."mood")',
    expect.stringMatching(/create type "main"."vector" \(input = .*, output = .*,\s+like = /),
    expect.stringMatching(/create type "main"."citext" \(.*\s+receive = .*, send = /),
  ])
})

test('keys keep the names that the database gives them, where those are free, and indexes their order', () => {
  const named: VisibleTable = {
    ...people,
    keyNames: [{ name: 'people_of_a_mood', columns: ['mood', 'id'] }],
    foreignKeys: [{ ...people.foreignKeys[0], name: 'parent' } as VisibleForeignKey],
    indexes: [{ name: 'latest', columns: ['mood', 'id'], orders: ['asc nulls first', 'desc'] }],
  }
  const types = createTypeSystem({ types: [mood] })
  const main = { name: 'main', kind: 'postgres' as const, types, isWhole: true, tables: [named] }
  const steps = stepsOf(main, 'r')
  const added = steps.filter(([sql]) =>
    /add (?!constraint "positive")|create index/.test(sql ?? ''),
  )
  const foreign =
    'foreign key ("id") references "main"."people" ("id") on delete set null on update cascade'
  expect(added.filter(([sql]) => !sql?.startsWith('set local'))).toEqual([
    ['alter table "main"."people" add primary key ("id")'],
    [
      'alter table "main"."people" add constraint "people_of_a_mood" unique ("mood", "id")',
      'alter table "main"."people" add unique ("mood", "id")',
    ],
    ['create index "latest" on "main"."people" ("mood" nulls first, "id" desc)'],
    [
      `alter table "main"."people" add constraint "parent" ${foreign}`,
      `alter table "main"."people" add ${foreign}`,
    ],
  ])
})

test('a view is a view without rows', () => {
  const view: VisibleTable = {
    ...people,
    kind: 'view',
    comment: undefined,
    operations: [],
    columns: [visibleColumn('n', 20, {})],
  }
  const main = {
    name: 'main',
    kind: 'csv' as const,
    isWhole: true,
    types: createTypeSystem(),
    tables: [view],
  }
  expect(stepsOf(main, 'r').slice(1)).toEqual([
    [
      `create view "main"."people" as select null::bigint as "n" where false`,
      `create view "main"."people" as select null::bigint as "n" where false`,
    ],
  ])
})
