import { GatewayError } from '@engine/core'
import { oids } from '@engine/core/values'
import { queryCases, writeCases } from '@engine/corpus'
import { describePostgres } from '@engine/test-databases/vitest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CatalogNumbers, catalogNumbers } from '../../src/catalog/catalog-numbers.ts'
import { runOf } from '../support/ask-catalog.ts'
import { type FixtureCatalog, openFixtureCatalog } from '../support/fixture-catalog.ts'

/** The answer to a client's statement: from the engine, or from PostgreSQL over empty mirrors. */
interface Told {
  readonly parameters: readonly number[]
  readonly columns: readonly {
    readonly name: string
    readonly oid: number
    readonly typmod: number
    readonly origin: string
  }[]
}

const statements = [
  ...queryCases.map(({ group, name, sql }) => ({ name: `${group}: ${name}`, sql, mayFail: false })),
  ...writeCases.flatMap(({ group, name, steps }) =>
    steps.map(({ sql, sqlstate }, place) => ({
      name: `${group}: ${name} ${place + 1}`,
      sql,
      mayFail: sqlstate !== undefined,
    })),
  ),
]

/** The first number that a type of a table can have. */
const firstOwnOid = 16_384

/** Differences between the two that do not matter to clients. */
const known: ReadonlySet<string> = new Set([
  // A cast to the same type without its modifier keeps the column's.
  'numbers: column cast to another scale',
  // A column that passes through a lateral subquery has no source column.
  'lateral: computed columns',
  // pg_typeof returns text here: a regtype would be looked up in the database.
  'function-rows: names of types',
  'function-rows: type of an aggregate',
])

describePostgres('the engine and a PostgreSQL over mirrors', () => {
  let fixture: FixtureCatalog
  let numbers: CatalogNumbers
  beforeAll(async () => {
    fixture = await openFixtureCatalog('wire_corpus')
    numbers = catalogNumbers(fixture.visible)
  })
  afterAll(() => fixture?.close())

  test('describe the statements of the corpus alike, to the parameter, the modifier and the origin', async () => {
    const differences: { name: string; sql: string; engine: Told; postgres: Told | string }[] = []
    let compared = 0
    for (const { name, sql, mayFail } of statements) {
      const engine = await fromEngine(sql)
      if (engine === undefined || known.has(name)) continue
      compared++
      const postgres = withRecords(await fromPostgres(sql), engine)
      // Some literals are read by the database alone: the engine describes the statement, and does not run it.
      if (mayFail && typeof postgres === 'string') continue
      if (JSON.stringify(engine) !== JSON.stringify(postgres)) {
        differences.push({ name, sql, engine, postgres })
      }
    }
    expect(differences).toEqual([])
    expect(compared).toBeGreaterThan(1_700)
  }, 120_000)

  /** PostgreSQL has a type for the rows of each table. Here they are records, which tell no hidden columns. */
  function withRecords(postgres: Told | string, { columns }: Told): Told | string {
    if (typeof postgres === 'string') return postgres
    const isRow = (oid: number | undefined) => oid === oids.record || oid === oids.recordArray
    return {
      ...postgres,
      columns: postgres.columns.map((column, i) => {
        const own = columns[i]
        return own !== undefined && isRow(own.oid) && column.oid >= firstOwnOid
          ? { ...column, oid: own.oid, origin: own.origin }
          : column
      }),
    }
  }

  /** Undefined for a statement that the engine refuses. */
  async function fromEngine(sql: string): Promise<Told | undefined> {
    try {
      const { parameterTypes, columns, types } = await fixture.session.describe({
        sql,
        parameterOids: [],
        searchPath: ['main'],
      })
      return {
        parameters: parameterTypes.map(({ oid }) => numbers.typeOid('main', oid)),
        columns: columns.map(({ name, type, origin }) => {
          const found =
            origin && numbers.columnNumber(origin.connection, origin.table, origin.column)
          return {
            name,
            // PostgreSQL describes a domain by its base type.
            oid: numbers.typeOid('main', types.baseTypeOid(type.oid)),
            typmod: type.typmod,
            origin: `${found?.tableOid ?? 0}.${found?.columnNumber ?? 0}`,
          }
        }),
      }
    } catch (error) {
      if (error instanceof GatewayError && error.status < 500) return undefined
      throw error
    }
  }

  async function fromPostgres(sql: string): Promise<Told | string> {
    try {
      const { catalog, scope } = fixture
      const { parameterOids, fields } = await catalog.describe(runOf(sql), scope)
      return {
        parameters: parameterOids,
        columns: fields.map(({ name, typeOid, typmod, tableOid, columnNumber }) => ({
          name,
          oid: typeOid,
          typmod,
          origin: `${tableOid}.${columnNumber}`,
        })),
      }
    } catch (error) {
      return String(error)
    }
  }
})
