/** @module One server session: statements prepared once and run by the extended protocol, one at a time. */
import { connectionLost, GatewayError, type IsolationLevel, noAnswer } from '@engine/core'
import type { PoolClient, QueryResultRow } from 'pg'
import { serialize } from 'pg-protocol'
import { isStalePlan } from '../driver-error.ts'
import { createExchange, type Exchange, type ExchangeOptions } from './exchange.ts'
import { createStatementCache } from './statement-cache.ts'
import { createWatchdog } from './watchdog.ts'

/** A statement as it goes over the wire. */
export interface SessionQuery {
  /** Names the prepared statement: the same name always means the same text. */
  readonly name: string
  readonly text: string
  /** In text format. */
  readonly values: (string | null)[]
  /** Opens a transaction in the same round trip. */
  readonly begin: BeginCommand | undefined
  /** Binds this portal and runs nothing; undefined: all rows at once. */
  readonly portal: string | undefined
  /** Types of the result columns, when the statement was prepared just now. */
  onColumns(oids: readonly number[]): void
  /** In text format. */
  onRow(cells: readonly (string | null)[]): void
  /**
   * Asked after rows: a promise stops reading from the server until it resolves. Such an answer may be of any size, since
   * nobody keeps it.
   */
  readonly hold: (() => Promise<void> | undefined) | undefined
}

/** Some more rows of a portal. */
export interface PortalFetch {
  readonly portal: string
  /** At most so many. */
  readonly rows: number
  onRow(cells: readonly (string | null)[]): void
}

/** `begin`, with the modes of the transaction. */
export type BeginCommand = `begin${'' | ` isolation level ${IsolationLevel}`}${'' | ' read only'}`

export interface ServerSession {
  /** Process id of the backend, to cancel what it runs. */
  readonly backendPid: number
  /** Runs one statement and answers with its command tag: `UPDATE 3`. Rejects with what the driver reports. */
  run(query: SessionQuery): Promise<string>
  /** Runs one of our own commands and answers with its name: `COMMIT`. */
  command(text: string): Promise<string>
  /** Rows of one of our own queries, values as node-postgres reads them. */
  rows<Row extends QueryResultRow>(
    text: string,
    values: readonly unknown[],
  ): Promise<readonly Row[]>
  /** Stops statements on the server after so many milliseconds. Undefined where it knows that already. */
  limitTime(timeoutMs: number): Promise<void> | undefined
  /** The next rows of a portal that `run` bound. */
  fetch(fetch: PortalFetch): Promise<string>
  /** Closes a portal, if it is there. */
  closePortal(name: string): Promise<void>
  /** Has everything prepared again that was prepared in an older epoch. */
  renew(epoch: number): void
  /** May another request use the session? */
  isIdle(): boolean
  /** Never to be used again. */
  condemn(): void
  /** Can it still be written to, as far as this side knows? */
  isAlive(): boolean
}

/** How long after a timeout the server may still answer, in milliseconds. */
const graceMs = 5_000

/** Allowed for commands before any timeout was set, in milliseconds. */
const setUpMs = 10_000

/** An answer of more bytes is refused: it would be held in memory as a whole. */
const maxAnswerBytes = 256 * 1024 * 1024

export function createSession(client: PoolClient, backendPid: number): ServerSession {
  const statements = createStatementCache()
  const { connection } = client
  let running: Exchange | undefined
  let limitMs: number | undefined
  let isCondemned = false
  /** Rows of the running exchange are handed on as they come, whatever their number. */
  let isHandingOn = false
  let isPaused = false

  const abandon = (error: GatewayError) => {
    isCondemned = true
    running?.fail(error)
    running?.settle()
    connection.stream.destroy()
  }
  connection.on('parseComplete', () => running?.parsed())
  connection.on('readyForQuery', () => running?.settle())
  // One row may be larger than all memory: what arrives is counted before anybody puts it together.
  connection.stream.prependListener('data', (chunk: Uint8Array) => {
    running?.count(chunk.byteLength, isHandingOn)
    if (running !== undefined && running.bytes() > maxAnswerBytes) abandon(answerTooLarge())
  })
  connection.on('end', () => {
    isCondemned = true
    running?.fail(connectionLost(undefined))
    running?.settle()
  })

  const watchdog = createWatchdog(() => abandon(noAnswer()))
  const watch = () => watchdog.start((limitMs ?? setUpMs) + graceMs)

  /** Breaks the connection when the server does not answer in time, so that nobody waits for ever. */
  const withDeadline = async <T>(work: Promise<T>): Promise<T> => {
    watch()
    try {
      return await work
    } finally {
      watchdog.stop()
    }
  }

  const exchange = (options: ExchangeOptions): Promise<string> =>
    new Promise((resolve, reject) => {
      watch()
      const current = createExchange(options, ({ tag, error }) => {
        watchdog.stop()
        running = undefined
        if (error === undefined) resolve(tag)
        else reject(error)
      })
      running = current
      client.query(current.submittable)
    })

  /** Reads nothing more from the server until whoever gets the rows wants more of them. */
  const pauseFor = async (wait: Promise<void>): Promise<void> => {
    isPaused = true
    connection.stream.pause()
    watchdog.stop()
    await wait
    isPaused = false
    if (running !== undefined) watch()
    connection.stream.resume()
  }

  const run = async (query: SessionQuery): Promise<string> => {
    const { name, begin, onColumns, onRow, hold } = query
    const wasPrepared = statements.use(name)
    isHandingOn = hold !== undefined
    const takeRow = (cells: readonly (string | null)[]) => {
      onRow(cells)
      const wait = isPaused ? undefined : hold?.()
      if (wait !== undefined) void pauseFor(wait)
    }
    try {
      return await exchange({
        submit: () => messagesOf(query, wasPrepared, statements.takeDropped()),
        onColumns,
        onRow: hold === undefined ? onRow : takeRow,
        parses: (begin === undefined ? 0 : 1) + (wasPrepared ? 0 : 1),
        onParsed: () => statements.add(name),
      })
    } catch (error) {
      if (isStalePlan(error)) statements.drop(name)
      throw error
    } finally {
      isHandingOn = false
    }
  }

  const command = (text: string): Promise<string> =>
    withDeadline(client.query(text).then((result) => result.command))

  const limitTime = async (timeoutMs: number): Promise<void> => {
    limitMs = undefined
    await command(`set statement_timeout = ${Math.max(1, Math.round(timeoutMs))}`)
    limitMs = timeoutMs
  }

  return {
    backendPid,
    run,
    fetch: ({ portal, rows, onRow }) =>
      exchange({
        submit: () => [serialize.execute({ portal, rows }), serialize.sync()],
        onRow,
        ...noParses,
      }),
    closePortal: async (portal) => {
      await exchange({
        submit: () => [serialize.close({ type: 'P', name: portal }), serialize.sync()],
        onRow: () => undefined,
        ...noParses,
      })
    },
    command,
    rows: <Row extends QueryResultRow>(text: string, values: readonly unknown[]) =>
      withDeadline(client.query<Row>(text, [...values]).then((result) => result.rows)),
    limitTime: (timeoutMs) => (limitMs === timeoutMs ? undefined : limitTime(timeoutMs)),
    renew: statements.renew,
    isIdle: () => !isCondemned && client.getTransactionStatus() === 'I',
    condemn: () => {
      isCondemned = true
    },
    isAlive: () => !isCondemned && connection.stream.writable,
  }
}

/** Of an exchange for a portal that is there. */
const noParses: Pick<ExchangeOptions, 'onColumns' | 'parses' | 'onParsed'> = {
  onColumns: () => undefined,
  parses: 0,
  onParsed: () => undefined,
}

function answerTooLarge(): GatewayError {
  return new GatewayError('limitExceeded', 'The statement exceeds a limit of the database.', {
    sqlState: '54000',
    details: { limit: 'bytes of an answer', allowed: maxAnswerBytes },
  })
}

/** What is to be closed, BEGIN, the statement. */
function messagesOf(
  { name, text, values, begin, portal = '' }: SessionQuery,
  wasPrepared: boolean,
  dropped: readonly string[],
): readonly Buffer[] {
  const messages = dropped.map((old) => serialize.close({ type: 'S', name: old }))
  if (begin !== undefined) {
    messages.push(serialize.parse({ text: begin }), serialize.bind(), serialize.execute())
  }
  if (!wasPrepared) messages.push(serialize.parse({ name, text }))
  messages.push(serialize.bind({ portal, statement: name, values }))
  if (!wasPrepared) messages.push(serialize.describe({ type: 'P', name: portal }))
  if (portal === '') messages.push(serialize.execute())
  messages.push(serialize.sync())
  return messages
}
