/** Interface specification 2.7 and 5: authentication. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeDatabases, type TestDatabase } from '../support/databases.ts'
import { openGateway, type TestGateway } from '../support/gateway.ts'
import { bearer, secret } from '../support/tokens.ts'

const setUp = `
create table orders (id integer primary key, customer_id integer, total integer);
insert into orders values (1, 7, 10), (2, 7, 20), (3, 8, 30);
create table prices (id integer primary key);
insert into prices values (1);
`

const masterKey = 'a master key of at least thirty-two bytes'

const permissions = [
  {
    name: 'own',
    table: 'main.orders',
    roles: ['customer'],
    select: { columns: ['id', 'customer_id'], where: { customer_id: '$user.customer_id' } },
  },
  { name: 'open-prices', table: 'main.prices', roles: ['*'], select: {} },
  { name: 'guests', table: 'main.prices', roles: ['anonymous'], select: {} },
]

describeDatabases('who asks', (open) => {
  let database: TestDatabase
  let guarded: TestGateway

  beforeAll(async () => {
    database = await open(setUp)
    guarded = await openGateway({
      connections: { main: database.url },
      masterKey,
      auth: { secret },
      permissions,
    })
  })
  afterAll(async () => {
    await guarded?.close()
    await database?.remove()
  })

  const orders = { sql: 'select id from main.orders order by id', params: [], method: 'all' }
  const prices = { sql: 'select id from main.prices', params: [], method: 'all' }
  const unauthorized = { status: 401, body: { error: 'UNAUTHORIZED' } }

  describe('a missing, wrong or expired token is 401:', () => {
    test('none', async () => {
      const answer = await guarded.data(orders)
      expect(answer).toMatchObject(unauthorized)
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    })

    test.each([
      'Bearer',
      'Bearer ',
      'Bearer x',
      'Basic YTpi',
      `Bearer ${masterKey}x`,
      `Bearer ${masterKey.slice(1)}`,
      `Token ${masterKey}`,
    ])('%s', async (authorization) => {
      expect(await guarded.data(orders, { authorization })).toMatchObject(unauthorized)
    })

    test('another key', async () => {
      const other = 'another secret of at least thirty-two bytes'
      expect(await guarded.data(orders, await bearer({}, other))).toMatchObject(unauthorized)
    })

    test('the body is not looked at', async () => {
      expect(await guarded.post('/data', '{')).toMatchObject(unauthorized)
      expect(await guarded.post('/data/batch', '{')).toMatchObject(unauthorized)
    })

    test('a changed token', async () => {
      const { authorization } = await bearer({ roles: ['customer'], customer_id: 7 })
      const [head, , signature] = authorization.split('.')
      const forged = Buffer.from(
        '{"sub":"eve","exp":99999999999,"roles":["customer"],"customer_id":8}',
      )
      const token = `${head}.${forged.toString('base64url')}.${signature}`
      expect(await guarded.data(orders, { authorization: token })).toMatchObject(unauthorized)
    })
  })

  test('rows follow the claims of the token', async () => {
    const seven = await bearer({ roles: ['customer'], customer_id: 7 })
    const eight = await bearer({ role: 'customer', customer_id: '8' })
    expect((await guarded.data(orders, seven)).body).toEqual({ rows: [[1], [2]] })
    expect((await guarded.data(orders, eight)).body).toEqual({ rows: [[3]] })
    expect((await guarded.data(orders, seven)).body).toEqual({ rows: [[1], [2]] })
  })

  test('a claim that is missing or makes no sense shows no rows', async () => {
    for (const customer_id of [undefined, null, 'x', [7], { $ne: 0 }, true]) {
      const answer = await guarded.data(orders, await bearer({ roles: ['customer'], customer_id }))
      expect(answer).toMatchObject({ status: 200, body: { rows: [] } })
    }
  })

  test('no role, no rows: 403', async () => {
    for (const roles of [[], ['Customer'], ['customer '], 'customers', [['customer']], ['*']]) {
      const headers = await bearer({ roles, customer_id: 7 })
      expect(await guarded.data(orders, headers)).toMatchObject({
        status: 403,
        body: { error: 'PERMISSION_DENIED' },
      })
    }
  })

  test('* is every caller with a token', async () => {
    expect((await guarded.data(prices, await bearer({ roles: [] }))).body).toEqual({ rows: [[1]] })
    expect(await guarded.data(prices)).toMatchObject(unauthorized)
  })

  test('the master key sees and changes everything, under the same rules of SQL', async () => {
    const admin = { authorization: `Bearer ${masterKey}` }
    const all = { ...orders, sql: 'select id, total from main.orders order by id' }
    expect((await guarded.data(all, admin)).body).toEqual({
      rows: [
        [1, 10],
        [2, 20],
        [3, 30],
      ],
    })
    const update = { ...orders, sql: 'update main.orders set total = total returning id' }
    expect(await guarded.data(update, admin)).toMatchObject({ status: 200 })
    expect(await guarded.data({ ...orders, sql: 'drop table orders' }, admin)).toMatchObject({
      status: 400,
    })
    expect(
      await guarded.data({ ...orders, sql: 'select x from main.orders' }, admin),
    ).toMatchObject({
      status: 400,
    })
  })

  test('open mode without permissions allows everything', async () => {
    const open_ = await openGateway({ connections: { main: database.url }, masterKey })
    expect(open_.engine.isOpen).toBe(true)
    expect((await open_.data(orders)).body).toEqual({ rows: [[1], [2], [3]] })
    const headers = { authorization: 'Bearer whatever' }
    expect((await open_.data(orders, headers)).body).toEqual({ rows: [[1], [2], [3]] })
    await open_.close()
  })

  test('open mode with permissions allows what "anonymous" may do', async () => {
    const guests = await openGateway({
      connections: { main: database.url },
      masterKey,
      permissions,
    })
    expect(guests.engine.isOpen).toBe(false)
    expect((await guests.data(prices)).body).toEqual({ rows: [[1]] })
    expect(await guests.data(orders)).toMatchObject({ status: 403 })
    const admin = { authorization: `Bearer ${masterKey}` }
    expect((await guests.data(orders, admin)).body).toEqual({ rows: [[1], [2], [3]] })
    await guests.close()
  })

  test('auth without permissions allows nothing but the master key', async () => {
    const closed = await openGateway({
      connections: { main: database.url },
      masterKey,
      auth: { secret },
    })
    expect(await closed.data(prices, await bearer({ roles: ['customer'] }))).toMatchObject({
      status: 403,
    })
    const admin = { authorization: `Bearer ${masterKey}` }
    expect(await closed.data(prices, admin)).toMatchObject({ status: 200 })
    await closed.close()
  })
})
