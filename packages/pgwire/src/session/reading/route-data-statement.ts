/** @module Decides whether SELECT, INSERT, UPDATE or DELETE uses the user's tables or the system catalogs. */
import { GatewayError } from '@engine/core'
import { type SleepFunction, sleepsElsewhere } from '@engine/core/session'
import { calledFunctions } from '../../syntax/called-functions.ts'
import { statementRelations } from '../../syntax/statement-relations.ts'
import { type Fields, fieldsOf } from '../../syntax/syntax-node.ts'
import { isSystemRelation } from '../../syntax/system-relations.ts'
import type { StatementRoute, StatementText } from '../statements/client-statement.ts'
import { unsupported } from '../statements/refused-statement.ts'
import { readOnlyCall } from './only-call.ts'
import { advisoryLock, isSignal, readSignal } from './read-signal.ts'
import { isSleep, readSleep } from './read-sleep.ts'
import { configAssignments, readSetConfig } from './set-config.ts'

/** `tree` is one of them, or MERGE. */
export function routeDataStatement(tree: unknown, text: StatementText): StatementRoute {
  const select = fieldsOf(fieldsOf(tree)['SelectStmt'])
  if (select['intoClause'] !== undefined) {
    return {
      kind: 'refused',
      error: unsupported('SELECT INTO is not supported: use INSERT … SELECT'),
    }
  }
  const setConfig = readSetConfig(select)
  if (setConfig !== undefined) return { kind: 'command', command: setConfig }
  const signalCommand = readSignal(tree, select, text)
  if (signalCommand !== undefined) return { kind: 'command', command: signalCommand }
  const sleepCommand = readSleep(tree, select, text)
  if (sleepCommand !== undefined) return { kind: 'command', command: sleepCommand }
  const relations = statementRelations(tree)
  const ofCatalog = relations.filter(({ schema, name }) => isSystemRelation(schema, name))
  const written = ofCatalog.find((relation) => relation.isWritten)
  if (written !== undefined) {
    return { kind: 'refused', error: catalogWrite(written.name) }
  }
  if (ofCatalog.length === relations.length) {
    if (relations.length === 0 && callsSequence(tree)) return { kind: 'query' }
    const lock = [...calledFunctions(tree)].find((name) => advisoryLock.test(name))
    if (lock !== undefined) return { kind: 'refused', error: advisoryLocks(lock) }
    const large = [...calledFunctions(tree)].find((name) => largeObject.test(name))
    if (large !== undefined) return { kind: 'refused', error: largeObjects(large) }
    const signal = [...calledFunctions(tree)].find((name) => isSignal(name))
    if (signal !== undefined) {
      const message = `${signal}() is only supported by itself: SELECT ${signal}(…)`
      return { kind: 'refused', error: unsupported(message) }
    }
    const sleep = misplacedSleep(tree, select, text.sql)
    if (sleep !== undefined) {
      // A database may wait; the process that answers about catalogs never does.
      if (relations.length === 0) return { kind: 'query' }
      return { kind: 'refused', error: sleepsElsewhere(sleep, undefined) }
    }
    const assignments = configAssignments(select)
    if (assignments.length > 0) return { kind: 'catalog', assignments }
    return relations.length === 0 ? tableless : { kind: 'catalog' }
  }
  const [system] = ofCatalog
  if (system === undefined) return { kind: 'query' }
  return {
    kind: 'refused',
    error: unsupported(
      `The system catalogs (${system.name}) and tables of a connection cannot be read in one statement`,
    ),
  }
}

const tableless: StatementRoute = { kind: 'query', isTableless: true }

/** Of a single call with a wrong number of arguments the catalog says that there is no such function. */
function misplacedSleep(tree: unknown, select: Fields, sql: string): SleepFunction | undefined {
  const only = readOnlyCall(tree, select, sql)
  if (only !== undefined && isSleep(only.name) && only.argumentCount !== 1) return undefined
  return [...calledFunctions(tree)].find(isSleep)
}

const sequenceFunctions: ReadonlySet<string> = new Set(['nextval', 'currval', 'lastval', 'setval'])

/** Sequences belong to the connections, also where a statement reads no table. */
function callsSequence(tree: unknown): boolean {
  return !calledFunctions(tree).isDisjointFrom(sequenceFunctions)
}

function advisoryLocks(name: string): GatewayError {
  return unsupported(`${name}() is not supported: advisory locks are not kept here`)
}

const largeObject = /^(?:lo_[a-z0-9_]+|loread|lowrite)$/

function largeObjects(name: string): GatewayError {
  return unsupported(
    `${name}() is not supported: large objects are not kept here, use a bytea column`,
  )
}

/** The catalogs are read-only. */
export function catalogWrite(table: string): GatewayError {
  return new GatewayError('permissionDenied', `permission denied for table ${table}`, {
    sqlState: '42501',
  })
}
