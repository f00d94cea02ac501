import { GatewayError, type Log, silentLog } from '@engine/core'
import { createTypeSystem } from '@engine/core/catalog'
import { expect, test } from 'vitest'
import { type ErrorContext, errorFields } from './error-fields.ts'

const context: ErrorContext = {
  isDevelopment: false,
  log: silentLog,
  correlationId: 'abc.1',
  sql: 'select nope from items',
  offset: 10,
  during: 'query',
  visible: () => ({ key: '', connections: [] }),
  stoppedBy: undefined,
}

test('an error keeps its SQLSTATE, and says where it is in the whole text', () => {
  const error = new GatewayError('dataError', 'Bad. (position 8)', {
    sqlState: '22P02',
    position: 8,
  })
  expect(errorFields(error, context)).toEqual({
    severity: 'ERROR',
    sqlState: '22P02',
    message: 'Bad.',
    detail: 'code=BAD_REQUEST correlation_id=abc.1',
    position: 18,
  })
})

test('one without an SQLSTATE gets that of its problem', () => {
  const stateOf = (problem: ConstructorParameters<typeof GatewayError>[0]) =>
    errorFields(new GatewayError(problem, 'x'), context).sqlState
  expect(stateOf('syntaxError')).toBe('42601')
  expect(stateOf('permissionDenied')).toBe('42501')
  expect(stateOf('tableNotFound')).toBe('42P01')
  expect(stateOf('rateLimited')).toBe('53400')
  expect(stateOf('checkFailed')).toBe('44000')
  expect(stateOf('unsupported')).toBe('0A000')
})

test('details for developers are sent in development alone', () => {
  const error = new GatewayError('permissionDenied', 'Role "a" may not', { publicMessage: 'No.' })
  expect(errorFields(error, context).message).toBe('No.')
  expect(errorFields(error, { ...context, isDevelopment: true }).message).toBe('Role "a" may not')
})

test('a bug is logged in full and not sent to clients', () => {
  const logged: object[] = []
  const log: Log = { ...silentLog, error: (facts) => void logged.push(facts) }
  const bug = new TypeError('secret of the house')
  expect(errorFields(bug, { ...context, log, isDevelopment: true })).toEqual({
    severity: 'ERROR',
    sqlState: 'XX000',
    message: 'Unexpected server error.',
    detail: 'code=INTERNAL_ERROR correlation_id=abc.1',
  })
  expect(logged).toEqual([{ correlation_id: 'abc.1', err: bug }])
})

test('an unavailable database does not look like a broken connection', () => {
  const stateOf = (sqlState: string) =>
    errorFields(new GatewayError('unavailable', 'x', { sqlState }), context).sqlState
  expect(['08006', '08001', '57P01', '28P01'].map(stateOf)).toEqual(Array(4).fill('HV00N'))
  expect(stateOf('53300')).toBe('53300')
  expect(stateOf('57014')).toBe('57014')
})

test('the reason why a statement was stopped is reported in PostgreSQL’s words', () => {
  const error = new GatewayError('unavailable', 'The request was cancelled.', { sqlState: '57014' })
  expect(errorFields(error, { ...context, stoppedBy: 'client' })).toMatchObject({
    message: 'canceling statement due to user request',
    detail: 'code=QUERY_TIMEOUT correlation_id=abc.1',
  })
  expect(errorFields(error, { ...context, stoppedBy: 'timeout' }).message).toBe(
    'canceling statement due to statement timeout',
  )
})

test('a credential that no longer counts ends the session', () => {
  const error = new GatewayError('unauthorized', 'Expired.', { sqlState: '28000' })
  expect(errorFields(error, context)).toMatchObject({ severity: 'FATAL', sqlState: '28000' })
})

test('hint, detail and context of the catalog and of COPY go along', () => {
  const details = { hint: 'Do.', detail: 'Because.', context: 'COPY t, line 1', other: 1 }
  const error = new GatewayError('badRequest', 'x', { details })
  expect(errorFields(error, context)).toMatchObject({
    hint: 'Do.',
    detail: 'Because.\ncode=BAD_REQUEST correlation_id=abc.1',
    context: 'COPY t, line 1',
  })
})

test('an error has the routine of PostgreSQL, found by what the client is told', () => {
  const routineOf = (sqlState: string, message: string, during = context.during) =>
    errorFields(new GatewayError('badRequest', message, { sqlState }), { ...context, during })
      .routine
  expect(routineOf('0A000', 'cached plan must not change result type')).toBe(
    'RevalidateCachedQuery',
  )
  expect(routineOf('0A000', 'LISTEN is not supported')).toBeUndefined()
  expect(routineOf('23505', 'a key')).toBe('_bt_check_unique')
  expect(routineOf('25P02', 'current transaction is aborted', 'bind')).toBe('exec_bind_message')
  expect(routineOf('99999', 'nothing like it')).toBeUndefined()
})

test("the database's own routine is only for callers who may read everything", () => {
  const cause = Object.assign(new Error('integer out of range'), {
    code: '22003',
    routine: 'secret_function',
  })
  const error = new GatewayError('dataError', 'A number is too large.', {
    sqlState: '22003',
    cause,
  })
  const seenBy = (isWhole: boolean) =>
    errorFields(error, {
      ...context,
      visible: () => ({
        key: '',
        connections: [
          { name: 'main', kind: 'postgres', types: createTypeSystem(), tables: [], isWhole },
        ],
      }),
    }).routine
  expect(seenBy(true)).toBe('secret_function')
  expect(seenBy(false)).toBeUndefined()
})

test('the schema of a table has the name that the session finds it under', () => {
  const main = {
    name: 'main',
    kind: 'postgres' as const,
    types: createTypeSystem(),
    tables: [],
    isWhole: true,
  }
  const visible = () => ({ key: '', connections: [main], defaultConnection: 'main' })
  const error = new GatewayError('conflict', 'x', {
    sqlState: '23505',
    reportedFacts: { connection: 'main', table: 'items', constraint: 'items_pkey' },
  })
  const schemaFor = (path: string) =>
    errorFields(error, { ...context, visible, searchPath: () => path }).schema
  expect(schemaFor('main')).toBe('main')
  expect(schemaFor('"$user", public')).toBe('public')
  expect(schemaFor('public, main')).toBe('main')
  expect(errorFields(error, { ...context, visible }).schema).toBe('main')
})
