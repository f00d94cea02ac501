import type { Config, Log } from '@engine/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeDatabases } from '../support/databases.ts'
import { openGateway } from '../support/gateway.ts'
import { createWorld, mine, type PermissionWorld } from '../support/permission-world.ts'
import { secret } from '../support/tokens.ts'

describeDatabases('starting with permissions', (open) => {
  let world: PermissionWorld
  beforeAll(async () => {
    world = await createWorld(open)
  })
  afterAll(() => world?.close())

  test('warns of what its author may not have meant', async () => {
    const told: (readonly [unknown, string])[] = []
    const log: Log = {
      debug: () => undefined,
      info: () => undefined,
      warn: (facts, message) => void told.push([facts, message]),
      error: () => undefined,
    }
    const permissions = {
      orders: {
        table: 'main.orders',
        roles: ['clerk'],
        select: { where: mine },
        insert: {},
        delete: { where: mine },
      },
      tagging: { table: 'main.order_tags', roles: ['clerk'], delete: {} },
    }
    const config: Config = {
      connections: { main: world.database.url },
      auth: { secret },
      permissions,
    }
    const gateway = await openGateway(config, { log })
    await gateway.engine.refreshCatalog()
    await gateway.close()
    const ofBlocks = told.filter(([facts]) => /\.(insert|delete)"/.test(JSON.stringify(facts)))
    expect(ofBlocks).toEqual([
      [{ path: 'permissions.orders.insert' }, expect.stringContaining('may not see')],
      [
        { path: 'permissions.orders.delete' },
        expect.stringContaining('rows of main.order_lines that the role "clerk"'),
      ],
    ])
  })

  test('starting with permissions is refused with every fault at once, wherever it is', async () => {
    const broken = openGateway({
      connections: {
        main: {
          url: world.database.url,
          tables: { include: ['orders', 'customers', 'ordrs', 'tags'], exclude: ['tags'] },
          relationships: { orders: { custmer: { rename: 'buyer' } } },
        },
      },
      permissions: {
        a: {
          table: 'main.orders',
          roles: ['r'],
          restrict: { tenent: 'x' },
          select: { columns: ['id', 'id'], where: { status: { $in: 'new' } } },
          insert: { preset: { total: 'many' } },
        },
        b: { table: 'main.orders', roles: ['r'], insert: { preset: { total: 5 } } },
      },
    })
    await expect(broken).rejects.toMatchObject({
      problem: 'invalidConfiguration',
      details: {
        faults: expect.arrayContaining(
          [
            'connections.main.tables.include[2]',
            'connections.main.relationships.orders.custmer',
            'permissions.a.restrict.tenent',
            'permissions.a.select.columns[1]',
            'permissions.a.select.where.status.$in',
            'permissions.a.insert.preset.total',
            'permissions.b.insert.preset',
          ].map((path) => expect.objectContaining({ path })),
        ),
      },
    })
  })

  test('a table that is to be left out must be there', async () => {
    const tables = { exclude: ['members', 'taggs'] }
    const config: Config = { connections: { main: { url: world.database.url, tables } } }
    if (world.database.kind === 'mysql') return
    await expect(openGateway(config)).rejects.toMatchObject({
      details: {
        faults: [
          {
            path: 'connections.main.tables.exclude[1]',
            message: 'there is no table "taggs"; did you mean "tags"?',
          },
        ],
      },
    })
  })
})
