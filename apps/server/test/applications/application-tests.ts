import { generate } from '@engine/codegen'
import type { Table } from '@engine/core/catalog'
import { type ApplicationDatabase, applicationsOf, schemaName } from '@engine/fixtures'
import type { MysqlOfRun } from '@engine/test-databases/vitest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compile } from '../../../../packages/codegen/test/support/compile.ts'
import { type Asking, createAsking } from './ask.ts'
import { checkDrizzle, checkKysely } from './check-generated.ts'
import { checkReads } from './check-reads.ts'
import { checkWrites } from './check-writes.ts'
import { describeApplication } from './describe-application.ts'
import { generatedTables, usageOf } from './generated-schemas.ts'
import { type Applications, openApplications } from './open-applications.ts'

/**
 * Tests for every application that exists for a database.
 *
 * @param refused the documented refusals: statements that the database does not support
 * @param server of `mysql`
 */
export function applicationTests(
  database: ApplicationDatabase,
  refused: readonly RegExp[],
  server?: MysqlOfRun,
): void {
  let applications: Applications

  beforeAll(async () => {
    applications = await openApplications(database, server)
  })
  afterAll(() => applications?.close())

  /** Number of tables at a time: most of a test is waiting. */
  const complaintsOf = async (
    tables: readonly Table[],
    check: (asking: Asking, table: Table) => Promise<void>,
  ): Promise<readonly string[]> => {
    const asking = createAsking(applications.gateway)
    const queue = tables.values()
    const work = async () => {
      for (const table of queue) await check(asking, table)
    }
    await Promise.all([work(), work(), work()])
    return asking.complaints.filter((complaint) => !refused.some((known) => known.test(complaint)))
  }

  describe.each(applicationsOf(database))('%s', (application) => {
    test('its tables, columns, keys, relations and rows are what its schema says', async () => {
      const asking = createAsking(applications.gateway)
      const tables = applications.tables(application)
      const text = await describeApplication(asking, applications.schema, tables)
      expect(asking.complaints).toEqual([])
      await expect(text).toMatchFileSnapshot(
        `recorded/${schemaName(application, database, server?.vendor)}.txt`,
      )
    })

    test('every column can be read, filtered, ordered, grouped and cast, every relation joined', async () => {
      const complaints = await complaintsOf(applications.tables(application), (asking, table) =>
        checkReads(asking, applications.schema, table),
      )
      expect(complaints).toEqual([])
    }, 120_000)

    test('every row can be updated, deleted and inserted', async () => {
      const { gateway } = applications
      const asking = createAsking(gateway)
      for (const table of applications.tables(application))
        await checkWrites(asking, gateway, table)
      const complaints = asking.complaints.filter(
        (complaint) => !refused.some((known) => known.test(complaint)),
      )
      expect(complaints).toEqual([])
    }, 120_000)
  })

  test('what is generated of them compiles', async () => {
    const { schema } = applications
    const forDrizzle1 = generate(schema, { format: 'drizzle', drizzleVersion: 1 })
    const files = {
      'types.ts': generate(schema, { format: 'types' }),
      'kysely.ts': generate(schema, { format: 'kysely' }),
      'zod.ts': generate(schema, { format: 'zod' }),
      'permissions.ts': generate(schema, { format: 'permissions' }),
      'drizzle.ts': generate(schema, { format: 'drizzle' }),
      'drizzle1.ts': installed(forDrizzle1),
    }
    expect(await compile(files)).toBe('')
  }, 180_000)

  describe.each(applicationsOf(database))('what is generated of %s', (application) => {
    test.each([0, 1] as const)(
      'Drizzle %s: a query with all relations of each table compiles, each relation finds its rows',
      async (drizzleVersion) => {
        const { gateway, schema } = applications
        const asking = createAsking(gateway)
        const send = async (sql: string, params: readonly unknown[], method: string) => {
          const { status, body } = await gateway.data({ sql, params, method })
          if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)} ${sql}`)
          return body as { rows: unknown[] }
        }
        const tables = await generatedTables(schema, application, drizzleVersion, send)
        const options = { format: 'drizzle', drizzleVersion, connections: [application] } as const
        const text = generate(schema, options)
        const errors = await compile({
          'schema.ts': drizzleVersion === 0 ? text : installed(text),
          'usage.ts': usageOf(tables.values(), drizzleVersion),
        })
        expect(errors).toBe('')
        for (const table of applications.tables(application)) {
          await checkDrizzle(asking, table, tables, drizzleVersion)
        }
        expect(asking.complaints).toEqual([])
      },
      180_000,
    )

    test('Kysely reads and joins', async () => {
      const { gateway } = applications
      const asking = createAsking(gateway)
      await checkKysely(asking, gateway, applications.tables(application))
      expect(asking.complaints).toEqual([])
    }, 120_000)
  })
}

/** Under the name that the package of Drizzle 1.0 is installed with here. */
function installed(code: string): string {
  return code.replaceAll("'drizzle-orm", "'drizzle-orm-v1")
}
