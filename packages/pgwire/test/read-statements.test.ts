import { GatewayError } from '@engine/core'
import { loadParser } from '@engine/core/session'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import { Client, DatabaseError } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readStatements } from '../src/session/reading/read-statements.ts'

describePostgres('reading statements beside PostgreSQL', () => {
  let client: Client

  beforeAll(async () => {
    await loadParser()
    client = new Client({ connectionString: await createDatabase('statements') })
    await client.connect()
  })
  afterAll(() => client.end())

  test.each([
    ['select 1; select 2', 2],
    ["select ';' as \"a;b\"; select $x$;$x$; select E'\\';' -- ; \n; /* ; /* ; */ */ select 4;", 4],
    [';;; select 1 ;;; select 2;', 2],
    ['begin; select 1; commit; select 2', 4],
    ["select 'a'\n';b'; values (1), (2)", 2],
    ['SELECT pg_advisory_unlock_all(); CLOSE ALL; UNLISTEN *; RESET ALL;', 4],
    ["set time zone 'UTC'; show timezone; prepare p as select 1; execute p; deallocate p", 5],
    ['begin; declare c cursor for select 1; fetch all from c; close c; end', 5],
  ])('%s', async (sql, count) => {
    const results: unknown = await client.query(sql)
    expect(results).toHaveLength(count)
    expect(readStatements(sql)).toHaveLength(count)
  })

  test.each(['', ' ', ';', '-- nothing', '/* ping */', ';;/* a */;-- b\n;'])(
    '%j is an empty query',
    async (sql) => {
      expect((await client.query(sql)).command).toBeNull()
      expect(readStatements(sql)).toEqual([])
    },
  )

  test.each([
    'selec 1',
    'select 1; selec 2',
    'select * form users',
    "select 'ä😀–'; selec 1",
    'select 1 +',
    'select (1',
    "select 'open",
    'select "open',
    'select /* open',
    'select $x$ open',
    'select 1 from where',
    'insert into t values (1,)',
    'begin; commit; end work of art',
    'select * from (select 1) x order by',
    'copy t from nowhere',
    'set x y',
    'declare c cursor select 1',
    'fetch 5 5 c',
    'select ""',
  ])('%s is the same mistake', async (sql) => {
    const expected = await client.query(sql).then(
      () => 'accepted',
      (error: unknown) =>
        error instanceof DatabaseError
          ? { sqlState: error.code, message: error.message, position: Number(error.position) }
          : error,
    )
    expect(mistakeIn(sql)).toEqual(expected)
  })
})

function mistakeIn(sql: string) {
  try {
    readStatements(sql)
    return 'accepted'
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return { sqlState: error.sqlState, message: error.message, position: error.position }
  }
}
