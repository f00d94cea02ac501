/** @module Makes the parts of a session, each with the others that it needs. */
import { cancelled } from '@engine/core/adapter'
import { createPortals } from '../cursors/portals.ts'
import { createWaitingDescription } from '../results/late-description.ts'
import { createMessageGate } from '../results/message-gate.ts'
import { createRunningStatement } from '../results/running-statement.ts'
import { createSessionMemory } from '../results/session-memory.ts'
import type { ClientStatement } from '../statements/client-statement.ts'
import { createListens } from './listens.ts'
import { createPreparedStatements } from './prepared-statements.ts'
import { createSessionLookups, type SessionParts } from './session-parts.ts'
import { createTransactionBlock } from './transaction-block.ts'
import type { StartedStatement, WireSessionOptions } from './wire-session.ts'

/** The statements of a session, as errors and `pg_stat_activity` show them. */
export interface SessionProgress {
  /** Positions of errors count from its start. */
  current: ClientStatement
  /** Undefined before the first one. */
  last: StartedStatement | undefined
}

export function createSessionParts(
  options: WireSessionOptions,
  progress: SessionProgress,
): SessionParts {
  const { client, writer, settings, limits } = options
  const portals = createPortals(limits.maxPortals)
  const memory = createSessionMemory(limits.maxMemory)
  const running = createRunningStatement(options.correlationId)
  const lookups = createSessionLookups(options)
  const warn = (sqlState: string, message: string) => {
    if (lookups.facts().hearsWarnings) writer.notice({ severity: 'WARNING', sqlState, message })
  }
  const isOpen = () => block.isOpen()
  const listens = createListens({ ...options, running, isOpen, warn })
  const block = createTransactionBlock({
    client,
    settings,
    follower: listens,
    dependents: portals,
    isReadOnlyByDefault: () => lookups.facts().isReadOnly,
  })
  const parts: SessionParts = {
    ...options,
    gate: createMessageGate(),
    at: (statement) => {
      progress.current = statement
    },
    block,
    portals,
    listens,
    running,
    memory,
    late: createWaitingDescription(),
    statements: createPreparedStatements(limits.maxStatements, memory, options.clock),
    lookups,
    warn,
    start: (isFree = false) => startStatement(parts, progress, isFree),
  }
  return parts
}

/**
 * Statements and values of a session are read by the rules that the databases have for its zone; UTC has none. Runs work when they
 * are known.
 */
export function inZone(
  { lookups, client, settings }: SessionParts,
  work: () => Promise<void> | undefined,
): Promise<void> | undefined {
  const isPlain = lookups.timeZone() === undefined
  const learning = isPlain ? undefined : client.learnTimeZone(settings.timeZone())
  return learning === undefined ? work() : learning.then(work)
}

/** See `SessionParts.start`. */
function startStatement(
  parts: SessionParts,
  progress: SessionProgress,
  isFree: boolean,
): Promise<void> | undefined {
  const { running, lookups, clock, admit } = parts
  if (!isFree && running.isCancelDue()) throw cancelled()
  running.start(lookups.facts().statementTimeoutMs)
  progress.last = { sql: progress.current.sql, startedAtMs: clock() }
  const begin = () => inZone(parts, () => closeOthers(parts))
  const admitted = admit(isFree)
  return admitted === undefined ? begin() : admitted.then(begin)
}

/** Closes portals whose rows were selected with other rights than the session has now. */
function closeOthers({ portals, client, warn }: SessionParts): Promise<void> | undefined {
  return portals
    .closeOthers(() => client.rights())
    ?.then((names) => {
      for (const name of names) {
        warn('01000', `portal "${name}" was closed: the rights of the session have changed`)
      }
    })
}
