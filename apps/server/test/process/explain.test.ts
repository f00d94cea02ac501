/** `engine-server explain`, as users run it. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createProgram, type Program } from '../support/program.ts'
import { bearer, secret } from '../support/tokens.ts'

const customer = '{"roles":["customer"],"fields":{"customer_id":7}}'

describe('engine-server explain', () => {
  let program: Program

  beforeEach(() => {
    program = createProgram()
  })
  afterEach(() => program.close())

  const explain = (...args: readonly string[]) => program.run(['explain', ...args])
  const explainJson = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await explain('--json', ...args)
    expect([code, stderr]).toEqual([0, ''])
    return JSON.parse(stdout) as { readonly answer: object; readonly statements: readonly object[] }
  }

  test('prints the rewriting of a statement on the demo shop', async () => {
    const sql = 'select id, status from "main"."orders" where total_cents > $1 limit $2'
    const { code, stdout, stderr } = await explain(
      '--as',
      customer,
      '--param',
      '10',
      '--param=5',
      sql,
    )
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toBe(`would run

caller
  who                user
  roles              customer
  $user.customer_id  "7" (integer)

table 1 (t1) main.orders: select, admitted
  . manager-orders        it is for manager
  . support-moves-orders  it is for support
  + customers-own-orders  id, customer_id, employee_id, status, freight, total_cents, order_date, shipped_on, ship_city, notes; rows: customer_id = $user.customer_id
  columns  id, customer_id, employee_id, status, freight, total_cents, order_date, shipped_on, ship_city, notes
  rows     customer_id = $user.customer_id
  barrier  no: nothing in the statement can fail or tell something about a hidden row

limits
  rows               10000 at most
  time               30000 ms at most
  relation depth     1 of 5
  filter nesting     0 of 10
  filter conditions  1 of 100

sent to main (sqlite), statement 1 of 1
  ${/^ {2}select .*$/m.exec(stdout)?.[0].trim()}
  1  $user.customer_id = "7" (integer)
  2  $1 = "10" (bigint)
  3  $2, at most 10001 = "5" (bigint)
`)
  })

  test('engine-server explain says why a statement is refused, and exits with 0: it is explained', async () => {
    const { code, stdout } = await explain('--as', customer, 'select salary from main.employees')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^refused by authorize\n {2}answer +403 PERMISSION_DENIED\n/)
    expect(stdout).toMatch(/main\.employees: select, refused: no permission grants select on it/)
    expect(stdout).not.toContain('sent to')
  })

  test('prints JSON, without values on request', async () => {
    const sql = 'select id from main.orders where status = $1'
    const args = ['--as', customer, '--params', '["paid"]'] as const
    const shown = await explainJson(...args, sql)
    expect(shown).toMatchObject({ answer: { outcome: 'runs' }, tables: [{ table: 'main.orders' }] })
    expect(JSON.stringify(shown)).toContain('"value":"paid"')
    const redacted = await explainJson(...args, '--redact', sql)
    expect(JSON.stringify(redacted)).not.toMatch(/"value"|paid/)
  })

  test('engine-server explain knows a caller by the token that requests bring', async () => {
    program.folder.write(
      'engine.config.json',
      JSON.stringify({
        connections: { main: { url: 'shop.db', create: true } },
        auth: { secret, roles: { claim: 'realm.roles' } },
      }),
    )
    const { authorization } = await bearer({ realm: { roles: ['clerk'] } })
    const shown = await explainJson('--token', authorization.replace('Bearer ', ''), 'select 1')
    expect(shown).toMatchObject({ caller: { kind: 'user', roles: ['clerk'] } })
    const { code, stderr } = await explain('--token', 'x.y.z', 'select 1')
    expect([code, stderr]).toEqual([1, 'The bearer token is no signed JWT.\n'])
  })

  test('engine-server explain shows no secret, neither in an explanation nor of a database that cannot be reached', async () => {
    const masterKey = 'the master key of thirty-two bytes or more'
    program.folder.write(
      'engine.config.json',
      JSON.stringify({
        connections: { main: 'postgres://somebody:hunter2@127.0.0.1:1/shop' },
        auth: { secret },
        masterKey,
      }),
    )
    const { code, stdout, stderr } = await explain('--as', 'admin', 'select 1 from main.orders')
    expect(code).toBe(0)
    expect(stdout).toContain('503 UNAVAILABLE')
    expect(stderr).toContain(
      'warning: main: database cannot be reached: connect ECONNREFUSED 127.0.0.1:1\n',
    )
    for (const text of ['hunter2', 'somebody', secret, masterKey]) {
      expect(stdout + stderr).not.toContain(text)
    }
  })

  test.each<[args: readonly string[], message: string]>([
    [['select 1'], 'Say who asks'],
    [['--as', '{"roles":"a"}', 'select 1'], '--as.roles: expects a list of texts'],
    [['--az', 'admin', 'select 1'], "Unknown option '--az'"],
  ])('%j is told apart and exits with 2', async (args, message) => {
    const { code, stdout, stderr } = await explain(...args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('    at ')
  })

  test('options in front of the command are not passed over', async () => {
    const { code, stderr } = await program.run(['--config', 'a.json', 'explain', 'select 1'])
    expect(code).toBe(2)
    expect(stderr).toContain('behind the command')
  })
})
