import { GatewayError, type Log } from '@engine/core'
import { expect, test } from 'vitest'
import { toErrorResponse } from './error-response.ts'

interface Entry {
  readonly level: string
  readonly facts: object
  readonly message: string
}

/** The answer, and the log entries. */
async function told(error: unknown, { isDevelopment = false, isAbandoned = false } = {}) {
  const entries: Entry[] = []
  const at = (level: string) => (facts: object, message: string) => {
    entries.push({ level, facts, message })
  }
  const log: Log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
  const context = { isDevelopment, isAbandoned, log, correlationId: 'id-1' }
  const response = toErrorResponse(error, context)
  return {
    status: response.status,
    headers: response.headers,
    body: await response.json(),
    entries,
  }
}

const denied = new GatewayError('permissionDenied', 'Role "clerk" may not.', {
  publicMessage: 'No.',
  details: { table: 'main.orders' },
})

test('in production a client gets the public message and no details', async () => {
  const { status, headers, body, entries } = await told(denied)
  expect(status).toBe(403)
  expect(body).toEqual({ error: 'PERMISSION_DENIED', message: 'No.', correlation_id: 'id-1' })
  expect(headers.get('x-request-id')).toBe('id-1')
  expect(entries).toEqual([])
})

test('in development it gets all that is for people', async () => {
  expect((await told(denied, { isDevelopment: true })).body).toEqual({
    error: 'PERMISSION_DENIED',
    message: 'Role "clerk" may not.',
    correlation_id: 'id-1',
    details: { table: 'main.orders' },
  })
})

test.each([
  new Error('secret path'),
  'a text',
  undefined,
  new GatewayError('internal', 'secret path', { details: { secret: true } }),
  new GatewayError('staleCatalog', 'secret path'),
  new GatewayError('invalidConfiguration', 'secret path'),
])('%s is told to the log alone, in development too', async (error) => {
  for (const isDevelopment of [false, true]) {
    const { status, body, entries } = await told(error, { isDevelopment })
    expect(status).toBe(500)
    expect(body).toEqual({
      error: 'INTERNAL_ERROR',
      message: 'Unexpected server error.',
      correlation_id: 'id-1',
    })
    expect(entries).toEqual([
      { level: 'error', facts: { correlation_id: 'id-1', err: error }, message: 'request failed' },
    ])
  }
})

test('an unavailable database is a line of the log, not a stack for every request', async () => {
  const error = new GatewayError('unavailable', 'The database cannot be reached.', {
    cause: new Error('connect ECONNREFUSED'),
  })
  const { status, headers, entries } = await told(error)
  expect([status, headers.get('retry-after')]).toEqual([503, '1'])
  expect(entries).toEqual([
    {
      level: 'warn',
      facts: {
        correlation_id: 'id-1',
        reason: 'The database cannot be reached. (connect ECONNREFUSED)',
      },
      message: 'request failed',
    },
  ])
})

test('a cancelled request is not logged as an error', async () => {
  const error = new GatewayError('unavailable', 'The request was cancelled.')
  const { entries } = await told(error, { isAbandoned: true })
  expect(entries.map(({ level }) => level)).toEqual(['debug'])
})
