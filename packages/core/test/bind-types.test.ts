import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  bindForTest,
  setupForTest,
  types,
} from '../src/compiler/bind/test-support/bind-for-test.ts'
import { GatewayError } from '../src/foundation/errors.ts'
import { deviations, expressions, pairs } from './bind-types-corpus.ts'
import { describeStatement } from './describe-statement.ts'

describePostgres('types of bound expressions', () => {
  let client: Client
  let typeNames: ReadonlyMap<number, string>

  beforeAll(async () => {
    client = new Client({ connectionString: await createDatabase('bind_types') })
    await client.connect()
    await client.query(setupForTest)
    const { rows } = await client.query<{ oid: number; name: string }>(
      'select oid::int as oid, typname as name from pg_type',
    )
    typeNames = new Map(rows.map(({ oid, name }) => [oid, name]))
  })
  afterAll(() => client.end())

  /** `int4:-1, text`: type and typmod of the column, types of the parameters; or the SQLSTATE. */
  async function theirs(sql: string): Promise<string> {
    const described = await describeStatement(client, sql)
    if (!described.ok) return described.sqlState
    const columns = described.columns.map(({ oid, typmod }) => `${typeNames.get(oid)}:${typmod}`)
    return [...columns, ...described.parameterOids.map((oid) => typeNames.get(oid))].join(', ')
  }

  /** Expressions whose types or SQLSTATE differ from PostgreSQL's, with both. */
  async function differences(checked: readonly string[]): Promise<readonly string[]> {
    const found: string[] = []
    for (const expression of checked) {
      const sql = `select ${expression} from main.r`
      const [expected, actual] = [await theirs(sql), ours(sql)]
      if (expected !== actual) found.push(`${expression}: ${expected}, not ${actual}`)
    }
    return found
  }

  test('expressions of every kind have the types that PostgreSQL gives them', async () => {
    const checked = expressions.filter((expression) => !deviations.has(expression))
    expect(checked.length).toBeGreaterThan(600)
    expect(await differences(checked)).toEqual([])
  })

  test('every deviation is one', async () => {
    const found = await differences([...deviations.keys()])
    expect(found.map((line) => line.slice(0, line.lastIndexOf(': ')))).toEqual([
      ...deviations.keys(),
    ])
  })

  test('so have two operands of any types', async () => {
    expect(await differences(pairs)).toEqual([])
  })
})

function ours(sql: string): string {
  try {
    const { query, parameterTypes } = bindForTest(sql)
    const columns = query.columns.map(({ type }) => sentType(type.oid, type.typmod))
    return [...columns, ...parameterTypes.map(({ oid }) => types.typeByOid(oid)?.name)].join(', ')
  } catch (error) {
    if (error instanceof GatewayError) return error.sqlState ?? error.problem
    throw error
  }
}

/** PostgreSQL reports a domain as its base type. */
function sentType(oid: number, typmod: number): string {
  const type = types.typeByOid(oid)
  if (type?.baseOid === undefined) return `${type?.name}:${typmod}`
  return sentType(type.baseOid, type.baseTypmod ?? -1)
}
