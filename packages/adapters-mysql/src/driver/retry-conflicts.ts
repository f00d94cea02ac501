/** @module Repeats a write that conflicted with another writer, once nothing of it is left. */
import { type Execution, GatewayError, type ResultSet } from '@engine/core/adapter'
import { driverError, isServerError } from '../errors/driver-error.ts'
import type { MysqlSession } from './session.ts'

/** A key that another writer stores again and again is not waited for longer than this. */
const mostAttempts = 4

const deadlock = 1213
const duplicateKey = 1062

/**
 * Runs a statement that is not part of a client's transaction. When writers block each other, the server ends one of them; and an
 * upsert does not see a row that was stored meanwhile.
 */
export function retryAlone(
  { statement, timeoutMs }: Execution,
  run: () => Promise<ResultSet>,
): Promise<ResultSet> {
  const isUpsert = retriesOnDuplicateKey(statement) && !statement.needsTransaction
  const errors = isUpsert ? [deadlock, duplicateKey] : [deadlock]
  return statement.isWrite ? repeat(errors, timeoutMs, run, async () => undefined) : run()
}

/** Runs a statement in an open transaction: only the statement itself is rolled back before it is repeated. */
export async function retryInTransaction(
  session: MysqlSession,
  { statement, timeoutMs }: Execution,
  run: () => Promise<ResultSet>,
): Promise<ResultSet> {
  if (!retriesOnDuplicateKey(statement)) return run()
  await command(session, 'savepoint engine_statement')
  return repeat([duplicateKey], timeoutMs, run, () =>
    command(session, 'rollback to savepoint engine_statement'),
  )
}

function retriesOnDuplicateKey({ hints }: Execution['statement']): boolean {
  return hints?.['retriesOnDuplicateKey'] === true
}

async function repeat(
  errors: readonly number[],
  timeoutMs: number,
  run: () => Promise<ResultSet>,
  takeBack: () => Promise<void>,
): Promise<ResultSet> {
  const deadline = performance.now() + timeoutMs
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run()
    } catch (error) {
      const isLast = attempt === mostAttempts || performance.now() > deadline
      if (isLast || !isOneOf(error, errors)) throw error
      await takeBack()
    }
  }
}

function isOneOf(error: unknown, errors: readonly number[]): boolean {
  if (!(error instanceof GatewayError) || !isServerError(error.cause)) return false
  return errors.includes(error.cause.errno)
}

async function command(session: MysqlSession, sql: string): Promise<void> {
  try {
    await session.command(sql)
  } catch (error) {
    throw driverError(error, true)
  }
}
