/** @module A server with the demo shop, the administrator's pages, and accounts. */
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AdminSite } from '@engine/admin'
import { type Config, defineAction, silentLog } from '@engine/core'
import { z } from 'zod'
import { createDemoDatabase } from '../../../src/demo/demo-database.ts'
import { demoPermissions } from '../../../src/demo/demo-permissions.ts'
import { type RunningServer, serve } from '../../../src/serve.ts'

export const masterKey = 'a master key of at least thirty-two bytes'

export interface AdminWorld {
  readonly server: RunningServer
  /** Directory of its databases. */
  readonly folder: string
  /** Address of the pages. */
  readonly url: string
  /** A request of a script, with the master key. */
  api(method: string, path: string, body?: unknown): Promise<Response>
  close(): Promise<void>
}

const restock = defineAction({
  description: 'Orders more of a product from its supplier.',
  roles: ['manager'],
  input: z.object({
    product: z.int().positive().describe('The id of the product.'),
    units: z.int().min(1).max(500).default(10),
    speed: z.enum(['usual', 'express']).optional(),
    note: z.string().max(200).optional(),
  }),
  output: z.object({ product: z.int(), ordered: z.int() }),
  run: (_, { product, units }) => ({ product, ordered: units }),
})

/** @param change adds to the configuration, given the directory of its databases. */
export async function openAdminWorld(
  adminSite: AdminSite,
  change: (folder: string) => Partial<Config> = () => ({}),
): Promise<AdminWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'engine-admin-world-'))
  createDemoDatabase(join(folder, 'shop.db'))
  const server = await serve({
    config: {
      connections: { main: join(folder, 'shop.db') },
      service_db: join(folder, 'service.db'),
      masterKey,
      auth: {
        secret: 'a secret of at least thirty-two bytes',
        throttle: false,
        userTable: {
          table: 'main.accounts',
          matchOn: { column: 'id', jwtField: 'sub' },
          columns: ['role', 'customer_id', 'employee_id'],
        },
      },
      permissions: demoPermissions,
      audit: { enabled: true },
      actions: { restock },
      ...change(folder),
    },
    port: 0,
    host: '127.0.0.1',
    isDevelopment: true,
    log: silentLog,
    adminSite,
  })
  return {
    server,
    folder,
    url: `${server.url}/admin`,
    api: (method, path, body) =>
      fetch(`${server.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${masterKey}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    close: async () => {
      await server.stop(0)
      rmSync(folder, { recursive: true })
    },
  }
}

/** Something to look at: users, keys, statements and refusals. */
export async function fillWorld({ server, api }: AdminWorld): Promise<void> {
  const json = { 'content-type': 'application/json' }
  const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = json) =>
    fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  for (const [name, email] of people) {
    await post('/auth/sign-up', { email, name, password: 'correct horse battery staple' })
  }
  const { users } = (await (await api('GET', '/admin/api/users')).json()) as {
    readonly users: readonly { readonly id: string }[]
  }
  for (const [index, { id }] of users.entries()) {
    const roles = [['customer'], ['support'], ['manager', 'support']][index % 3]
    await api('PATCH', `/admin/api/users/${id}`, { roles, disabled: index === 4 })
  }
  const keys: { readonly apiKey: { readonly key: string } }[] = []
  for (const [name, roles] of [
    ['nightly export', ['support']],
    ['storefront', ['customer']],
    ['reporting', ['manager']],
  ] as const) {
    const input = { name, roles, fields: { customer_id: 7, employee_id: 2 } }
    const answer = await api('POST', '/admin/api/api-keys', input)
    keys.push((await answer.json()) as (typeof keys)[number])
  }
  for (const { apiKey } of keys) {
    for (const sql of statements) {
      const headers = { ...json, authorization: `Bearer ${apiKey.key}` }
      await post('/data', { sql, params: [], method: 'all' }, headers)
    }
  }
}

const people: readonly (readonly [name: string, email: string])[] = [
  ['Ada Lovelace', 'ada@nordwind.example'],
  ['Grace Hopper', 'grace@nordwind.example'],
  ['Edsger Dijkstra', 'edsger@hartmann.example'],
  ['Barbara Liskov', 'barbara@kirin.example'],
  ['Tony Hoare', 'tony@hartmann.example'],
  ['Margaret Hamilton', 'margaret@apollo.example'],
]

const statements = [
  'select id, status, total_cents from main.orders order by id desc limit 20',
  'select count(*) from main.order_items',
  'select first_name, salary_cents from main.employees',
  "update main.orders set status = 'shipped' where id = 1",
  'select name, unit_price from main.products where discontinued',
  'delete from main.customers where id = 3',
]
