/** @module One server session: statements prepared once and run by the extended protocol. */

import { GatewayError, noAnswer } from '@engine/core/adapter'
import type { Oid } from '@engine/core/catalog'
import { createWatchdog, started } from '@engine/core/driver'
import type { StatementSettings } from '@engine/core/tree'
import type { PoolClient, QueryResultRow } from 'pg'
import { serialize } from 'pg-protocol'
import { isStalePlan } from '../errors/driver-error.ts'
import type { Backend } from './backend-end.ts'
import type { ExchangeOptions } from './exchange.ts'
import { createExchanges } from './exchanges.ts'
import { reportedColumns, requireColumns } from './expected-columns.ts'
import type { GroupOutcome } from './group-exchange.ts'
import {
  closeMessages,
  count,
  describeMessages,
  type KnownStatement,
  messagesOf,
  statementMessages,
  withSettings,
} from './protocol/statement-messages.ts'
import type { SessionQuery } from './session-query.ts'
import { createStatementCache } from './statement-cache.ts'

/** Reads more rows of a portal. */
export interface PortalFetch {
  readonly portal: string
  readonly settings: StatementSettings | undefined
  /** Maximum number of rows. */
  readonly rows: number
  /** See `SessionQuery`. */
  onRow(bytes: Buffer, start: number, end: number): void
}

export interface ServerSession {
  /** To cancel what it runs. */
  readonly backend: Backend
  /** Runs one statement and returns its command tag: `UPDATE 3`. Rejects with the driver's error. */
  run(query: SessionQuery): Promise<string>
  /**
   * Runs one statement after those in progress. They share only the connection and its failures. Not for a statement
   * that is being prepared now.
   */
  queue(query: SessionQuery): Promise<string>
  /**
   * Runs statements in one transaction of their own, which ends with the last one. Those without `begin`, `settings` and `portal`.
   *
   * @param patienceMs how long the server may take for all of them and their commit, in milliseconds.
   */
  runTogether(queries: readonly SessionQuery[], patienceMs: number): Promise<GroupOutcome>
  /** Returns whether the server has not yet confirmed that it prepared the statement of this name. */
  isPreparing(name: string): boolean
  /** Number of statements that were sent and are not answered. */
  pending(): number
  /** Number of queued statements that leave in one write at the end of this turn of the event loop. */
  unsent(): number
  /** Runs one of our own commands and returns its tag: `COMMIT`. */
  command(text: string): Promise<string>
  /** Rows of one of our own queries, values as node-postgres reads them. */
  rows<Row extends QueryResultRow>(
    text: string,
    values: readonly unknown[],
  ): Promise<readonly Row[]>
  /**
   * Sets the server's time limit for statements, in milliseconds. Undefined where the server has this limit already.
   */
  limitTime(timeoutMs: number): Promise<void> | undefined
  /** The time limit that the server has, in milliseconds; undefined before one was set. */
  limit(): number | undefined
  /** The next rows of a portal that `run` bound. */
  fetch(fetch: PortalFetch): Promise<string>
  /** Closes a portal, if it exists. */
  closePortal(name: string): Promise<void>
  /** Prepares statements of an older epoch again. */
  renew(epoch: number): void
  /** Returns whether another request may use the session. */
  isIdle(): boolean
  /** Marks the session as unusable. */
  condemn(): void
  /** Returns whether the server did not answer in time: its work may go on. */
  wasGivenUp(): boolean
  /** Returns false when the connection is known to be broken. */
  isAlive(): boolean
}

/** A statement with more parameters is not kept: the server would need tens of megabytes for each. */
const mostKept = 5_000

/** Time for the server to answer after a timeout, in milliseconds. */
const graceMs = 5_000

/** Time limit of commands before any timeout was set, in milliseconds. */
const setUpMs = 10_000

export function createSession(client: PoolClient, backend: Backend): ServerSession {
  const statements = createStatementCache()
  const { connection } = client
  let limitMs: number | undefined
  let isCondemned = false
  let isPaused = false

  let wasGivenUp = false
  const watchdog = createWatchdog(() => {
    wasGivenUp = true
    exchanges.abandon(noAnswer())
  })
  /** Where it is not the limit of one statement. */
  let patienceMs: number | undefined
  const watch = () => watchdog.start((patienceMs ?? limitMs ?? setUpMs) + graceMs)
  const exchanges = createExchanges(connection, {
    onNext: (isBusy) => (isBusy ? watch() : watchdog.stop()),
    onEnd: () => {
      isCondemned = true
    },
  })
  /** Statements whose Parse was sent and is not yet confirmed. */
  const preparing = new Set<string>()

  /** Breaks the connection when the server does not answer in time, so that no caller waits for ever. */
  const withDeadline = async <T>(work: Promise<T>): Promise<T> => {
    watch()
    try {
      return await work
    } finally {
      watchdog.stop()
    }
  }

  const exchange = (sent: readonly Buffer[], options: ExchangeOptions): Promise<string> => {
    requireFree()
    return exchanges.send(sent, 'now', options)
  }

  /** Stops reading from the server until the receiver accepts more rows. */
  const pauseFor = async (wait: Promise<void>): Promise<void> => {
    isPaused = true
    connection.stream.pause()
    watchdog.stop()
    await wait
    isPaused = false
    if (exchanges.pending() > 0) watch()
    connection.stream.resume()
  }

  /** No other messages may be sent between those of node-postgres, or between those of a transaction. */
  const requireFree = () => {
    if (exchanges.pending() === 0) return
    throw new GatewayError('internal', 'a session runs one statement at a time')
  }

  /** A statement whose columns changed since it was prepared, here or where it was compiled, is prepared again. */
  const knowledgeOf = ({ name, expects }: SessionQuery): KnownStatement => {
    const reported = expects && statements.columnsOf(name)
    if (reported !== undefined && expects?.accepts(reported) === false) statements.drop(name)
    const isPrepared = statements.use(name)
    const isDescribed = expects === undefined || (isPrepared && reported !== undefined)
    return { isPrepared, isDescribed }
  }

  /** @throws {GatewayError} `staleCatalog` */
  const keepColumns = ({ name, expects }: SessionQuery, types: readonly Oid[]): void => {
    const reported = reportedColumns(types)
    statements.describe(name, reported)
    requireColumns(expects, reported)
  }

  /**
   * Prepares a statement, and runs nothing.
   *
   * @throws {GatewayError} `staleCatalog` where its columns are not those that it was compiled for.
   */
  const describe = async (query: SessionQuery, { isPrepared }: KnownStatement): Promise<void> => {
    const sent = describeMessages(query, isPrepared, statements.takeDropped())
    await exchange(sent, {
      ...noParses,
      onColumns: (types) => keepColumns(query, types),
      onRow: () => undefined,
      parses: isPrepared ? 0 : 1,
      onParsed: () => statements.add(query.name),
      answers: undefined,
    })
  }

  const start = (query: SessionQuery, when: 'now' | 'soon'): Promise<string> => {
    const { name, begin, settings, portal, onRow, hold } = query
    const known = knowledgeOf(query)
    const takeRow = (bytes: Buffer, start: number, end: number) => {
      onRow(bytes, start, end)
      const wait = isPaused ? undefined : hold?.()
      if (wait !== undefined) void pauseFor(wait)
    }
    const sent = messagesOf(query, known, statements.takeDropped())
    if (!known.isPrepared) preparing.add(name)
    return exchanges.send(sent, when, {
      onColumns: (types) => keepColumns(query, types),
      onRow: hold === undefined ? onRow : takeRow,
      parses: count(begin, settings) + (known.isPrepared ? 0 : 1),
      answers: portal === undefined ? count(begin, settings) : undefined,
      onParsed: () => {
        statements.add(name)
        if (query.values.length > mostKept) statements.drop(name)
      },
      onEnd: (error) => {
        if (!known.isPrepared) preparing.delete(name)
        if (error !== undefined && isStalePlan(error)) statements.drop(name)
      },
      isHandedOn: hold !== undefined,
    })
  }

  const run = (query: SessionQuery): Promise<string> =>
    started(() => {
      requireFree()
      if (query.expects?.isWrite !== true) return start(query, 'now')
      const known = knowledgeOf(query)
      if (known.isDescribed) return start(query, 'now')
      return describe(query, known).then(() => start(query, 'now'))
    })

  const runTogether = async (
    queries: readonly SessionQuery[],
    patience: number,
  ): Promise<GroupOutcome> => {
    requireFree()
    for (const [failedAt, query] of queries.entries()) {
      const known = knowledgeOf(query)
      if (known.isDescribed) continue
      try {
        await describe(query, known)
      } catch (error) {
        return { kind: 'undone', error, failedAt }
      }
    }
    /** Names of the statements that are prepared on the way, in their order. */
    const parsed: string[] = []
    const own = queries.flatMap((query) => {
      const { name } = query
      const isPrepared = statements.use(name) || parsed.includes(name)
      if (!isPrepared) parsed.push(name)
      return statementMessages(query, { isPrepared, isDescribed: true })
    })
    let confirmed = 0
    const onParsed = () => {
      const name = parsed[confirmed]
      confirmed += 1
      if (name !== undefined) statements.add(name)
    }
    patienceMs = patience
    const sent = [...closeMessages(statements.takeDropped()), ...own, serialize.sync()]
    const outcome = await exchanges.sendGroup(sent, { members: queries, onParsed })
    patienceMs = undefined
    if (outcome.kind === 'undone' && isStalePlan(outcome.error)) {
      for (const { name } of queries) statements.drop(name)
    }
    return outcome
  }

  const command = async (text: string): Promise<string> => {
    requireFree()
    return withDeadline(client.query(text).then((result) => result.command))
  }

  const limitTime = async (timeoutMs: number): Promise<void> => {
    limitMs = undefined
    await command(`set statement_timeout = ${Math.max(1, Math.round(timeoutMs))}`)
    limitMs = timeoutMs
  }

  return {
    backend,
    wasGivenUp: () => wasGivenUp,
    run,
    runTogether,
    isPreparing: (name) => preparing.has(name),
    queue: (query) => started(() => start(query, 'soon')),
    pending: exchanges.pending,
    unsent: exchanges.unsent,
    fetch: ({ portal, rows, settings, onRow }) =>
      exchange(
        [...withSettings(settings, [serialize.execute({ portal, rows })]), serialize.sync()],
        {
          onRow,
          ...noParses,
          answers: count(settings),
        },
      ),
    closePortal: async (portal) => {
      await exchange([serialize.close({ type: 'P', name: portal }), serialize.sync()], {
        onRow: () => undefined,
        ...noParses,
        answers: undefined,
      })
    },
    command,
    rows: <Row extends QueryResultRow>(text: string, values: readonly unknown[]) =>
      withDeadline(client.query<Row>(text, [...values]).then((result) => result.rows)),
    limitTime: (timeoutMs) => (limitMs === timeoutMs ? undefined : limitTime(timeoutMs)),
    limit: () => limitMs,
    renew: statements.renew,
    isIdle: () => !isCondemned && exchanges.isIdle(),
    condemn: () => {
      isCondemned = true
    },
    isAlive: () => !isCondemned && connection.stream.writable,
  }
}

/** For an exchange of an existing portal. */
const noParses: Pick<ExchangeOptions, 'onColumns' | 'parses' | 'onParsed' | 'onEnd'> = {
  onColumns: () => undefined,
  parses: 0,
  onParsed: () => undefined,
  onEnd: () => undefined,
}
