/** Generated code compiles under every strict option, and has the right types. */
import type { JsonSchema, SchemaDocument } from '@engine/contract'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { generate } from '../src/index.ts'
import { compile } from './support/compile.ts'
import { shopSchema } from './support/shop-schema.ts'

// A compiler is started: its running time does not depend on the generated code.
vi.setConfig({ testTimeout: 180_000 })

/** `Same<A, B>` is `true` for the same types, else an error. */
const same = `
type Equals<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function same<A, B>(_: Equals<A, B>): void {}
`

test('types', async () => {
  const usage = `
import type { Actions, Json, MainOrders, MainOrdersInsert, MainSamples, PlaceOrderAction, Tables } from './generated.ts'
${same}
same<MainOrders, {
  id: string
  buyer_id: number
  payer_id: number | null
  total: string
  placed: string
  lines: Json
}>(true)
same<MainSamples['n1'], number | null>(true)
same<MainSamples['c29'], (number | null)[]>(true)
same<MainSamples['n29'], (number | null)[] | null>(true)
same<Tables['main.orders']['insert'], MainOrdersInsert>(true)
same<Actions['place_order'], PlaceOrderAction>(true)
same<Actions['ping']['input'], unknown>(true)

const order: MainOrdersInsert = { buyer_id: 1 }
const whole: MainOrdersInsert = { id: 1, buyer_id: 1, payer_id: null, total: '1.50', placed: new Date(), lines: [{ a: 1 }] }
// @ts-expect-error a column without default is missing
const missing: MainOrdersInsert = {}
// @ts-expect-error null where there is none
const none: MainOrdersInsert = { buyer_id: null }
// @ts-expect-error no such column
const unknown: MainOrdersInsert = { buyer_id: 1, nothing: 1 }

const input: PlaceOrderAction['input'] = { items: [{ product: 1 }], speed: null, place: [1, 2], more: { a: 'b' } }
// @ts-expect-error a product is a number
const wrong: PlaceOrderAction['input'] = { items: [{ product: 'x' }] }
const tree: Actions['tree.walk']['input'] = { value: 1, children: [{ value: 2 }] }
export { input, missing, none, order, tree, unknown, whole, wrong }
`
  expect(
    await compile({ 'generated.ts': generate(shopSchema, { format: 'types' }), 'usage.ts': usage }),
  ).toBe('')
})

test('Kysely', async () => {
  const usage = `
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, type Insertable, type Selectable } from 'kysely'
import type { Database, MainOrders } from './generated.ts'
${same}
const db = new Kysely<Database>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (any) => new PostgresIntrospector(any),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})
same<Selectable<MainOrders>['id'], string>(true)
same<Selectable<MainOrders>['payer_id'], number | null>(true)
const order: Insertable<MainOrders> = { buyer_id: 1, id: 10n, placed: new Date() }
// @ts-expect-error a column without default is missing
const missing: Insertable<MainOrders> = {}

const rows = await db
  .selectFrom('main.orders as o')
  .innerJoin('main.customers as c', 'c.id', 'o.buyer_id')
  .select(['o.id', 'o.total', 'c.name', 'c.email'])
  .where('o.payer_id', 'is', null)
  .execute()
same<typeof rows, { id: string; total: string; name: string; email: string | null }[]>(true)
await db.insertInto('main.samples').values({ ...({} as Insertable<Database['main.samples']>), c8: new Uint8Array(1) }).execute()
await db.updateTable('main.orders').set({ total: 3, lines: { a: [1] } }).where('id', '=', '1').execute()
// @ts-expect-error no such column
db.selectFrom('main.orders').select('nothing')
// @ts-expect-error no such table
db.selectFrom('main.nothing')
export { missing, order }
`
  expect(
    await compile({
      'generated.ts': generate(shopSchema, { format: 'kysely' }),
      'usage.ts': usage,
    }),
  ).toBe('')
})

test('zod', async () => {
  const usage = `
import { type MainOrdersInsert, type MainOrdersRow, mainOrdersRow, type MainSamplesRow, type PlaceOrderInput, type TreeWalkInputTree, treeWalkInput } from './generated.ts'
${same}
same<MainOrdersRow['payer_id'], number | null>(true)
same<MainOrdersRow['id'], string>(true)
same<MainSamplesRow['c4'], number>(true)
same<MainSamplesRow['c29'], (number | null)[]>(true)
const order: MainOrdersInsert = { buyer_id: 1 }
// @ts-expect-error a column without default is missing
const missing: MainOrdersInsert = {}
const input: PlaceOrderInput = { items: [{ product: 1 }], speed: null }
const tree: TreeWalkInputTree = treeWalkInput.parse({ value: 1, children: [{ value: 2 }] })
same<typeof tree.value, number>(true)
const row: MainOrdersRow = mainOrdersRow.parse({})
export { input, missing, order, row }
`
  expect(
    await compile({ 'generated.ts': generate(shopSchema, { format: 'zod' }), 'usage.ts': usage }),
  ).toBe('')
})

const drizzleUsage = `
same<typeof schema.orders.$inferSelect, {
  id: bigint
  buyerId: number
  payerId: number | null
  total: string
  placed: Date
  lines: unknown
}>(true)
same<typeof schema.samples.$inferSelect['n9'], unknown>(true)
same<typeof schema.samples.$inferSelect['c8'], Uint8Array>(true)
same<typeof schema.samples.$inferSelect['c28'], string>(true)
const order: typeof schema.orders.$inferInsert = { buyerId: 1 }
// @ts-expect-error a column without default is missing
const missing: typeof schema.orders.$inferInsert = {}
const [first] = await db.query.orders.findMany({ with: { buyer: true, payer: true, linesRelation: { with: { parcels: true } } } })
if (first === undefined) throw new Error('none')
same<typeof first.buyer.name, string>(true)
const payer: { name: string } | null = first.payer
const parcels: { lineNr: number }[] = first.linesRelation[0]?.parcels ?? []
const [customer] = await db.query.customers.findMany({ with: { ordersByPayerId: true, profiles: true } })
const bio: string | null | undefined = customer?.profiles?.bio
// @ts-expect-error there may be no profile
customer?.profiles.bio
const [profile] = await db.query.profiles.findMany({ with: { customer: true } })
same<NonNullable<typeof profile>['customer']['name'], string>(true)
const [employee] = await db.query.employees.findMany({ with: { manager: true, employees: true } })
const reports: { id: number }[] | undefined = employee?.employees
const [leader] = await db.query.employees.findMany({ with: { deputy: true, deputyOf: true } })
const deputy: { id: number } | null | undefined = leader?.deputy
const leads: { id: number } | null | undefined = leader?.deputyOf
// @ts-expect-error there may be no one whose deputy this is
leader?.deputyOf.id
// @ts-expect-error no such relation
db.query.orders.findMany({ with: { nothing: true } })
`

test('zod infers what types says', async () => {
  const sides = [
    ['row', 'Row'],
    ['insert', 'Insert'],
  ]
  const tables = [
    ['main.orders', 'MainOrders'],
    ['main.samples', 'MainSamples'],
    ['logs.class', 'LogsClass'],
  ]
  const claims = tables.flatMap(([path, name]) =>
    sides.map(
      ([side, suffix]) => `
export const ${name}${suffix}: zod.${name}${suffix} = {} as Declared<'${path}', '${side}'>
export const ${name}${suffix}Back: Declared<'${path}', '${side}'> = {} as Defined<zod.${name}${suffix}>`,
    ),
  )
  const usage = `
import type * as zod from './zod.ts'
import type { Tables } from './types.ts'
type Declared<Path extends keyof Tables, Side extends 'row' | 'insert'> = Tables[Path][Side]
/** zod lets an optional key be undefined. */
type Defined<T> = { [Key in keyof T]: Exclude<T[Key], undefined> }
${claims.join('\n')}
`
  expect(
    await compile({
      'types.ts': generate(shopSchema, { format: 'types' }),
      'zod.ts': generate(shopSchema, { format: 'zod' }),
      'usage.ts': usage,
    }),
  ).toBe('')
})

test('Drizzle 0.45', async () => {
  const usage = `
import { drizzle } from 'drizzle-orm/pg-proxy'
import * as schema from './generated.ts'
${same}
const db = drizzle(async () => ({ rows: [] }), { schema })
${drizzleUsage}
export { bio, deputy, leads, missing, order, parcels, payer, reports }
`
  expect(
    await compile({
      'generated.ts': generate(shopSchema, { format: 'drizzle', connections: ['main'] }),
      'usage.ts': usage,
    }),
  ).toBe('')
})

test('Drizzle 1.0', async () => {
  const usage = `
import { drizzle } from 'drizzle-orm-v1/pg-proxy'
import * as schema from './generated.ts'
${same}
const db = drizzle(async () => ({ rows: [] }), { relations: schema.relations })
${drizzleUsage}
const [tagged] = await db.query.orders.findMany({ with: { tags: true } })
const tags: { name: string }[] | undefined = tagged?.tags
export { bio, deputy, leads, missing, order, parcels, payer, reports, tags }
`
  const next = { format: 'drizzle', drizzleVersion: 1 } as const
  // The name under which this version is installed here.
  const installed = (code: string) => code.replaceAll("'drizzle-orm", "'drizzle-orm-v1")
  expect(
    await compile({
      'generated.ts': installed(generate(shopSchema, { ...next, connections: ['main'] })),
      'all.ts': installed(generate(shopSchema, next)),
      'usage.ts': usage,
    }),
  ).toBe('')
})

test('Drizzle with numbers and texts for what is exact', async () => {
  const usage = `
import * as schema from './generated.ts'
${same}
same<typeof schema.mainOrders.$inferSelect['id'], number>(true)
same<typeof schema.mainOrders.$inferSelect['placed'], string>(true)
`
  const code = generate(shopSchema, { format: 'drizzle', bigint: 'number', dates: 'string' })
  expect(await compile({ 'generated.ts': code, 'usage.ts': usage })).toBe('')
})

test('permissions', async () => {
  const usage = `
import type { Schema } from './generated.ts'
${same}
same<Schema['main.orders']['columns']['placed'], 'timestamp with time zone'>(true)
same<Schema['main.orders']['columns']['total'], 'numeric'>(true)
same<Schema['main.orders']['relations']['lines'], { table: 'main.order_lines'; many: true }>(true)
same<Schema['main.profiles']['relations']['customer']['many'], false>(true)
same<Schema['main.orders']['relations']['tags']['many'], true>(true)
same<keyof Schema['main.notes']['relations'], never>(true)
same<Schema['main.samples']['columns']['n30'], 'numeric[]'>(true)
same<Schema['logs.class']['columns']['get sql'], 'integer'>(true)
`
  const code = generate(shopSchema, { format: 'permissions' })
  expect(await compile({ 'generated.ts': code, 'usage.ts': usage })).toBe('')
})

test('a schema with nothing in it', async () => {
  const schema = { connections: {} }
  expect(
    await compile({
      'types.ts': generate(schema, { format: 'types' }),
      'kysely.ts': generate(schema, { format: 'kysely' }),
      'zod.ts': generate(schema, { format: 'zod' }),
      'permissions.ts': generate(schema, { format: 'permissions' }),
      'drizzle.ts': generate(schema, { format: 'drizzle' }),
      'drizzle1.ts': generate(schema, { format: 'drizzle', drizzleVersion: 1 }),
    }),
  ).toBe('')
})

test('values that contain themselves, in lists and by name', async () => {
  const input = z.toJSONSchema(z.json()) as JsonSchema
  const document = { connections: {}, actions: { keep: { input, output: input } } }
  const usage = (actions: string) => `
import type { KeepAction as Keep } from './${actions}.ts'
export const value: Keep['input'] = { a: [1, { b: null }], c: 'text' }
// @ts-expect-error no JSON
export const wrong: Keep['input'] = { a: [undefined] }
`
  const files = {
    'generated.ts': generate(document, { format: 'types' }),
    'kysely.ts': generate(document, { format: 'kysely' }),
    'zod.ts': generate(document, { format: 'zod' }),
  }
  const uses = { 'usage.ts': usage('generated'), 'usage-kysely.ts': usage('kysely') }
  expect(await compile({ ...files, ...uses })).toBe('')
})

test('tables of several schemas, with relations across', async () => {
  const id = { type: 'integer', nullable: false, hasDefault: false, primaryKey: true }
  const key = { ...id, primaryKey: false }
  const schema = (users: string, tables: (orders: object, users: object) => object) =>
    ({
      connections: tables(
        {
          columns: { id, owner_id: key },
          relationships: {
            owner: { table: users, type: 'many-to-one', from: 'owner_id', to: 'id' },
          },
        },
        {
          columns: { id },
          relationships: {
            orders: { table: 'main.orders', type: 'one-to-many', from: 'id', to: 'owner_id' },
          },
        },
      ),
    }) as SchemaDocument
  const documents = {
    list: schema('main.auth.users', (orders, users) => ({
      main: {
        type: 'postgres',
        tables: { orders, 'auth.users': users, users: { ...users, relationships: {} } },
      },
    })),
    shared: schema('accounts.users', (orders, users) => ({
      main: { type: 'postgres', tables: { orders } },
      accounts: { type: 'postgres', tables: { users } },
    })),
  }
  const formats = ['types', 'kysely', 'zod', 'drizzle', 'permissions'] as const
  const files = Object.entries(documents).flatMap(([name, document]) =>
    formats.map((format) => [`${name}-${format}.ts`, generate(document, { format })] as const),
  )
  expect(await compile(Object.fromEntries(files))).toBe('')
  const text = Object.fromEntries(files)
  expect(text['list-drizzle.ts']).toContain(
    "export const mainAuthUsers = mainSchema.table('auth.users'",
  )
  expect(text['list-kysely.ts']).toContain("'auth.users': MainAuthUsers")
  expect(text['list-types.ts']).toContain("'main.auth.users': { row: MainAuthUsers")
  expect(text['shared-drizzle.ts']).toContain(
    "export const accountsUsers = accountsSchema.table('users'",
  )
  expect(text['shared-kysely.ts']).toContain("'accounts.users': AccountsUsers")
})

test('new rows have no columns that the database alone writes', async () => {
  const plain = { nullable: false, hasDefault: false, primaryKey: false }
  const columns = {
    id: { ...plain, type: 'bigint', hasDefault: true, identity: 'always', primaryKey: true },
    number: { ...plain, type: 'integer', hasDefault: true, identity: 'byDefault' },
    name: { ...plain, type: 'text' },
    upper_name: { ...plain, type: 'text', hasDefault: true, nullable: true, generated: true },
    seen: { ...plain, type: 'bytea', hasDefault: true, generated: true },
  } as const
  const document: SchemaDocument = {
    connections: { main: { type: 'postgres', tables: { notes: { columns, relationships: {} } } } },
  }
  const wrong = ['id: 1n', "upper_name: 'A'", 'seen: new Uint8Array()']
  const refused = (row: (more: string) => string) =>
    wrong.map((more) => `// @ts-expect-error no INSERT writes it\n${row(`, ${more}`)}`).join('\n')
  const newRow = (more: string) => `take({ name: 'a', number: 1${more} })`
  const usage = (declared: string) => `${declared}\n${newRow('')}\n${refused(newRow)}\n`
  const drizzle = `import { mainNotes } from './drizzle.ts'
declare function take(row: typeof mainNotes.$inferInsert): void
export const key: bigint = {} as typeof mainNotes.$inferSelect['id']`
  expect(
    await compile({
      'types.ts': generate(document, { format: 'types' }),
      'types-usage.ts': usage(
        `import type { MainNotesInsert } from './types.ts'\ndeclare function take(row: MainNotesInsert): void`,
      ),
      'kysely.ts': generate(document, { format: 'kysely' }),
      'kysely-usage.ts': usage(
        `import type { Insertable } from 'kysely'\nimport type { MainNotes } from './kysely.ts'\ndeclare function take(row: Insertable<MainNotes>): void`,
      ),
      'zod.ts': generate(document, { format: 'zod' }),
      'zod-usage.ts': usage(
        `import type { MainNotesInsert } from './zod.ts'\ndeclare function take(row: MainNotesInsert): void`,
      ),
      'drizzle.ts': generate(document, { format: 'drizzle' }),
      'drizzle-usage.ts': usage(drizzle),
    }),
  ).toBe('')
  expect(generate(document, { format: 'kysely' })).toContain('id: GeneratedAlways<string>')
})

test('listed values are unions in every format', async () => {
  const plain = { nullable: false, hasDefault: false, primaryKey: false }
  const columns = {
    rating: { ...plain, type: 'text', enum: ['G', 'PG'] },
    short: { ...plain, type: 'character varying(3)', enum: ['a', 'b'] },
    flag: { ...plain, type: 'character(1)', enum: ['Y', 'N'], nullable: true },
    stars: { ...plain, type: 'integer', enum: [1, 2] },
    moods: { ...plain, type: 'mood[]', enum: ['sad', 'glad'] },
    extras: { ...plain, type: 'text', set: ['a', 'b', 'c'] },
  } as const
  const document: SchemaDocument = {
    connections: { main: { type: 'mysql', tables: { film: { columns, relationships: {} } } } },
  }
  const next = generate(document, { format: 'drizzle', drizzleVersion: 1 })
  const row = (moods: string) => `{
  rating: 'G' | 'PG'
  short: 'a' | 'b'
  flag: 'Y' | 'N' | null
  stars: 1 | 2
  moods: ${moods}
  extras: '' | 'a' | 'b' | 'c' | 'a,b' | 'a,c' | 'b,c' | 'a,b,c'
}`
  const nullable = row(`('sad' | 'glad' | null)[]`)
  const usage = `
import type { Selectable, Insertable } from 'kysely'
import * as drizzle from './drizzle.ts'
import * as drizzle1 from './drizzle1.ts'
import type * as kysely from './kysely.ts'
import type * as permissions from './permissions.ts'
import type * as types from './types.ts'
import * as zod from './zod.ts'
${same}
type Row<T> = { [Name in keyof T]: T[Name] }
same<Row<types.MainFilm>, ${nullable}>(true)
same<types.MainFilmInsert['flag'], 'Y' | 'N' | null | undefined>(true)
same<Row<Selectable<kysely.MainFilm>>, ${nullable}>(true)
same<Insertable<kysely.MainFilm>['extras'], types.MainFilm['extras']>(true)
same<Row<zod.MainFilmRow>, ${nullable}>(true)
same<zod.MainFilmInsert['stars'], 1 | 2>(true)
same<Row<typeof drizzle.mainFilm.$inferSelect>, ${row(`('sad' | 'glad')[]`)}>(true)
same<Row<typeof drizzle1.mainFilm.$inferSelect>, ${row(`('sad' | 'glad')[]`)}>(true)
same<permissions.Schema['main.film']['columns']['rating'], { type: 'text'; values: 'G' | 'PG' }>(true)
// @ts-expect-error no such value
const wrong: types.MainFilmInsert['rating'] = 'X'
// @ts-expect-error no such value
const other: typeof drizzle.mainFilm.$inferInsert['short'] = 'c'
// @ts-expect-error no such value
const last: typeof drizzle1.mainFilm.$inferInsert['stars'] = 3
export { last, other, wrong }
`
  expect(
    await compile({
      'types.ts': generate(document, { format: 'types' }),
      'kysely.ts': generate(document, { format: 'kysely' }),
      'zod.ts': generate(document, { format: 'zod' }),
      'permissions.ts': generate(document, { format: 'permissions' }),
      'drizzle.ts': generate(document, { format: 'drizzle' }),
      'drizzle1.ts': next.replaceAll("'drizzle-orm", "'drizzle-orm-v1"),
      'usage.ts': usage,
    }),
  ).toBe('')
})
