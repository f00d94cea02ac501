import {
  type AuditEvent,
  type Caller,
  createEngine,
  defineAction,
  type Engine,
  GatewayError,
} from '@engine/core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { openSqlite, type TestDatabase } from '../support/databases.ts'
import { adapters } from '../support/gateway.ts'

const caller: Caller = { kind: 'user', id: 'u1', roles: ['user'], fields: {} }
const origin = { correlationId: 'c1', ip: '192.0.2.1', via: 'http', credentialId: 's1' }

let database: TestDatabase
let engine: Engine
let events: AuditEvent[]

beforeEach(async () => {
  events = []
  database = await openSqlite('create table notes (id integer primary key, body text)')
  engine = await createEngine(
    {
      connections: { main: database.url },
      actions: {
        write: defineAction({
          roles: ['user'],
          input: z.object({ body: z.string() }),
          run: ({ db }, { body }) =>
            db.transaction().execute(async (transaction) => {
              await transaction.insertInto('main.notes').values({ id: 1, body }).execute()
              if (body === 'bad') throw new GatewayError('conflict', 'No.')
            }),
        }),
        forbidden: defineAction({ roles: ['boss'], input: z.unknown(), run: () => undefined }),
      },
    },
    {
      adapters,
      audit: {
        record: (event) => {
          events.push(event)
          return undefined
        },
        flush: async () => undefined,
        close: async () => undefined,
      },
    },
  )
})
afterEach(async () => {
  await engine.close()
  await database.remove()
})

const call = (name: string, input: unknown) => engine.callAction({ name, input, origin }, caller)

test('a run and each of its statements are written down under the caller', async () => {
  expect(await call('write', { body: 'x' })).toBe('{"ok":true}')
  const who = { correlationId: 'c1', ip: '192.0.2.1', caller: 'u1', credentialId: 's1' }
  expect(events).toMatchObject([
    {
      ...who,
      kind: 'query',
      via: 'action:write',
      connection: 'main',
      sql: expect.stringContaining('insert into "main"."notes"'),
      rowCount: 1,
      error: undefined,
    },
    { ...who, kind: 'action', action: 'write', via: 'http', error: undefined },
  ])
})

test('a run that fails is written down with its code', async () => {
  await expect(call('write', { body: 'bad' })).rejects.toMatchObject({ problem: 'conflict' })
  await expect(call('write', {})).rejects.toMatchObject({ problem: 'invalidInput' })
  expect(events.filter(({ kind }) => kind === 'action')).toMatchObject([
    { error: 'CONFLICT' },
    { error: 'VALIDATION_ERROR' },
  ])
  expect(await database.rows('select * from notes')).toEqual([])
})

test('a refusal is a denial, written down once', async () => {
  await expect(call('forbidden', {})).rejects.toMatchObject({ problem: 'permissionDenied' })
  expect(events).toMatchObject([
    { kind: 'denial', caller: 'u1', error: 'PERMISSION_DENIED' },
    { kind: 'action', action: 'forbidden', error: 'PERMISSION_DENIED' },
  ])
})
