/** `engine-server permissions matrix` and `permissions test`, as users run them. */
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { describeDatabases, type TestDatabase } from '../support/databases.ts'
import { createProgram, type Program } from '../support/program.ts'

const demoTests = fileURLToPath(new URL('../../examples/demo-shop.tests.json', import.meta.url))
const auth = { secret: 'a secret of at least thirty-two bytes' }

const setUp = `
create table notes (id integer primary key, owner text not null, body text, stars integer);
create table drafts (id integer primary key);
insert into notes (id, owner, body, stars) values
  (1, 'ada', 'one', 1), (2, 'ada', 'two', 2), (3, 'bob', 'CANARY', 3);
`

const own = { owner: '$user.name' }
const notes = {
  table: 'main.notes',
  roles: ['writer'],
  select: { columns: ['id', 'body'], where: own },
  insert: { columns: ['id', 'body', 'stars'], preset: own, check: { stars: { $lte: 5 } } },
  update: { columns: ['body'], where: own },
}

describeDatabases('engine-server permissions', (open) => {
  let program: Program
  let database: TestDatabase

  beforeEach(async () => {
    program = createProgram()
    database = await open(setUp)
    configure('engine.config.json', { notes })
  })
  afterEach(async () => {
    await program.close()
    await database.remove()
  })

  const configure = (file: string, permissions: object) =>
    program.folder.write(
      file,
      JSON.stringify({ connections: { main: database.url }, auth, permissions }),
    )
  const permissions = (...args: readonly string[]) => program.run(['permissions', ...args])

  test('matrix prints what every role may do', async () => {
    expect(await permissions('matrix')).toEqual({
      code: 0,
      stdout: `writer
  main.notes
    select  (id, body), where owner = $user.name
    insert  (id, body, stars), check stars <= 5, preset owner = $user.name
    update  (body), where owner = $user.name
  nothing on main.drafts
`,
      stderr: '',
    })
    const { stdout } = await permissions('matrix', '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      roles: ['writer'],
      tables: ['main.drafts', 'main.notes'],
      entries: [{ operation: 'select' }, { operation: 'insert' }, { operation: 'update' }],
    })
  })

  test('matrix --diff says what another file would change', async () => {
    configureNext()
    expect(await permissions('matrix', '--diff', 'next.json')).toEqual({
      code: 0,
      stdout: `--- engine.config.json
+++ next.json

reader: delete main.drafts
- nothing
+ where id = 1

writer: delete main.drafts
- nothing
+ where id = 1

writer: select main.notes
- (id, body), where owner = $user.name
+ (id, stars), all rows

writer: insert main.notes
- (id, body, stars), check stars <= 5, preset owner = $user.name
+ nothing
`,
      stderr: '',
    })
  })

  const configureNext = () =>
    configure('next.json', {
      notes: { ...notes, select: { columns: ['id', 'stars'] }, insert: undefined },
      drafts: { table: 'main.drafts', roles: ['writer', 'reader'], delete: { where: { id: 1 } } },
    })

  test('matrix --diff --check exits with 1 where there is a difference', async () => {
    configureNext()
    const { code, stdout } = await permissions('matrix', '--diff', 'next.json', '--check', '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toHaveLength(4)
  })

  test('matrix --diff --check exits with 0 where there is none', async () => {
    configure('same.json', { renamed: notes })
    expect(await permissions('matrix', '--diff', 'same.json', '--check')).toEqual({
      code: 0,
      stdout: 'No difference.\n',
      stderr: '',
    })
  })

  test('matrix does without databases when asked, and refuses what they contradict when not', async () => {
    configure('wrong.json', { notes: { ...notes, select: { columns: ['id', 'bodi'] } } })
    const { code, stderr } = await permissions('matrix', '--config', 'wrong.json')
    expect(code).toBe(2)
    expect(stderr).toContain('permissions.notes.select.columns[1]')
    const offline = await permissions('matrix', '--config', 'wrong.json', '--offline')
    expect(offline).toMatchObject({ code: 0, stdout: expect.stringContaining('(id, bodi)') })
  })

  test('matrix takes no argument that means nothing', async () => {
    expect(await permissions('matrix', '--check')).toMatchObject({ code: 2 })
    expect(await permissions('matrix', 'more')).toMatchObject({ code: 2 })
  })

  test('test runs a file, prints what does not hold, and keeps nothing', async () => {
    const before = await database.rows('select * from notes order by id')
    const ada = { roles: ['writer'], fields: { name: 'ada' } }
    const select = 'select * from main.notes order by id'
    program.folder.write(
      'notes.tests.json',
      JSON.stringify({
        callers: { ada },
        tests: [
          {
            name: 'own rows',
            as: 'ada',
            sql: select,
            expect: {
              rows: [
                [1, 'one'],
                [2, 'two'],
              ],
            },
          },
          {
            name: 'any order',
            as: ada,
            sql: select,
            expect: {
              rows: [
                [2, 'two'],
                [1, 'one'],
              ],
              anyOrder: true,
            },
          },
          {
            name: 'wrong rows',
            as: 'ada',
            sql: select,
            expect: { rows: [[1, 'one']], count: 1, columns: ['id'] },
          },
          { name: 'a refusal', as: 'ada', sql: 'delete from main.notes', expect: { status: 403 } },
          { name: 'no refusal', as: 'ada', sql: select, expect: { error: 'PERMISSION_DENIED' } },
          {
            name: 'an unexpected one',
            as: 'ada',
            sql: 'delete from main.notes',
            expect: { affected: 2 },
          },
          {
            name: 'another one',
            as: 'ada',
            sql: 'delete from main.notes',
            expect: { status: 422 },
          },
          {
            name: 'what is given and what is left',
            as: 'ada',
            given: [
              'delete from main.notes',
              { sql: 'insert into main.notes (id, owner) values ($1, $2)', params: [9, 'ada'] },
            ],
            sql: 'update main.notes set body = $1',
            params: ['new'],
            expect: { affected: 1 },
            after: [
              { sql: 'select id, body from main.notes', rows: [[9, 'new']] },
              { sql: 'select count(*)::int from main.notes', rows: [[2]] },
            ],
          },
          {
            name: 'a given that fails',
            as: 'ada',
            given: ['delete from main.nothing'],
            sql: 'select 1',
            expect: { count: 1 },
          },
          { name: 'reads write nothing', as: 'ada', sql: select, expect: { affected: 0 } },
        ],
      }),
    )
    const { code, stdout, stderr } = await permissions('test', 'notes.tests.json')
    expect([code, stderr]).toEqual([1, ''])
    expect(stdout).toBe(`ok    own rows
ok    any order
FAIL  wrong rows
      expected the columns id, got id, body
      expected rows
        [1,"one"]
      got
        [1,"one"]
        [2,"two"]
      expected 1 rows in the answer, got 2
ok    a refusal
FAIL  no refusal
      expected PERMISSION_DENIED, got 200 with 2 rows
        [1,"one"]
        [2,"two"]
FAIL  an unexpected one
      expected an answer, got 403 PERMISSION_DENIED: Role "writer" may not delete "main.notes": no permission grants delete on it.
FAIL  another one
      expected 422, got 403 PERMISSION_DENIED: Role "writer" may not delete "main.notes": no permission grants delete on it.
FAIL  what is given and what is left
      after[1]: expected rows
        [2]
      got
        [1]
FAIL  a given that fails
      given[0]: 404 TABLE_NOT_FOUND: ${/given\[0\]: 404 TABLE_NOT_FOUND: (.*)/.exec(stdout)?.[1]}
FAIL  reads write nothing
      expected 0 rows written, but the statement only reads
3 passed, 7 failed
`)
    const json = await permissions('test', 'notes.tests.json', '--json')
    const { tests } = JSON.parse(json.stdout) as {
      tests: readonly { name: string; problems: readonly string[] }[]
    }
    expect(tests.filter(({ problems }) => problems.length === 0)).toHaveLength(3)
    expect(await database.rows('select * from notes order by id')).toEqual(before)
  })
})

describe('engine-server permissions test', () => {
  let program: Program

  beforeEach(() => {
    program = createProgram()
  })
  afterEach(() => program.close())

  test('engine-server permissions test holds for the demo shop', async () => {
    const { code, stdout } = await program.run(['permissions', 'test', demoTests])
    expect(stdout).toMatch(/^10 passed, 0 failed$/m)
    expect(code).toBe(0)
  })

  test('engine-server permissions test takes a module too, and the configuration that it names', async () => {
    program.folder.write(
      'shop.config.json',
      JSON.stringify({ connections: { main: { url: 'shop.db', create: true } } }),
    )
    program.folder.write(
      'shop.tests.ts',
      `interface Test { readonly name: string }
       const tests: readonly Test[] = [
         { name: 'sums', as: 'anonymous', sql: 'select 1 + 1', expect: { rows: [[2]] } } as Test,
       ]
       export default { config: './shop.config.json', tests }`,
    )
    expect(await program.run(['permissions', 'test', 'shop.tests.ts'])).toEqual({
      code: 0,
      stdout: 'ok    sums\n1 passed, 0 failed\n',
      stderr: '',
    })
  })

  test('exits with 2 and says what is wrong with a file', async () => {
    program.folder.write('wrong.json', '{"tests":[{"name":"a"}]}')
    const { code, stdout, stderr } = await program.run(['permissions', 'test', 'wrong.json'])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('tests[0].sql')
  })

  test('engine-server permissions test needs a file', async () => {
    expect(await program.run(['permissions', 'test'])).toMatchObject({ code: 2 })
    expect(await program.run(['permissions', 'test', 'none.json'])).toMatchObject({ code: 2 })
  })
})
