/** @module One server session: statements prepared once and run by the extended protocol, one at a time. */
import { connectionLost, GatewayError, noAnswer } from '@engine/core'
import { type Connection, DatabaseError, type PoolClient, type QueryResultRow } from 'pg'
import { isStalePlan } from '../driver-error.ts'
import { createStatementCache } from './statement-cache.ts'

/** A statement as it goes over the wire. */
export interface SessionQuery {
  /** Names the prepared statement: the same name always means the same text. */
  readonly name: string
  readonly text: string
  /** In text format. */
  readonly values: (string | null)[]
  /** Opens a transaction in the same round trip. */
  readonly begin: BeginCommand | undefined
  /** Types of the result columns, when the statement was prepared just now. */
  onColumns(oids: readonly number[]): void
  /** In text format. */
  onRow(cells: readonly (string | null)[]): void
}

export type BeginCommand = 'begin' | 'begin read only'

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
  /** Stops statements on the server after so many milliseconds. */
  limitTime(timeoutMs: number): Promise<void>
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

interface RunningQuery {
  readonly query: SessionQuery
  /** Received so far. */
  bytes: number
  readonly wasPrepared: boolean
  /** ParseComplete messages still to come; the last one is that of the statement itself. */
  parsesPending: number
  tag: string
  error: unknown
  settle(): void
}

export function createSession(client: PoolClient, backendPid: number): ServerSession {
  const statements = createStatementCache()
  const { connection } = client
  let running: RunningQuery | undefined
  let limitMs: number | undefined
  let isCondemned = false

  connection.on('parseComplete', () => {
    if (running === undefined) return
    running.parsesPending -= 1
    if (running.parsesPending === 0) statements.add(running.query.name)
  })
  connection.on('readyForQuery', () => running?.settle())
  // One row may be larger than all memory: what arrives is counted before anybody puts it together.
  connection.stream.prependListener('data', (chunk: Uint8Array) => {
    if (running === undefined) return
    running.bytes += chunk.byteLength
    if (running.bytes <= maxAnswerBytes) return
    isCondemned = true
    running.error = answerTooLarge()
    running.settle()
    connection.stream.destroy()
  })
  connection.on('end', () => {
    isCondemned = true
    if (running !== undefined) running.error ??= connectionLost(undefined)
    running?.settle()
  })

  /** Breaks the connection when the server does not answer in time, so that nobody waits for ever. */
  const withDeadline = async <T>(work: Promise<T>): Promise<T> => {
    const timer = setTimeout(
      () => {
        isCondemned = true
        if (running !== undefined) running.error ??= noAnswer()
        running?.settle()
        connection.stream.destroy()
      },
      (limitMs ?? setUpMs) + graceMs,
    )
    try {
      return await work
    } finally {
      clearTimeout(timer)
    }
  }

  const start = (query: SessionQuery): Promise<string> =>
    new Promise((resolve, reject) => {
      const wasPrepared = statements.use(query.name)
      const current: RunningQuery = {
        query,
        bytes: 0,
        wasPrepared,
        parsesPending: (query.begin === undefined ? 0 : 1) + (wasPrepared ? 0 : 1),
        tag: '',
        error: undefined,
        settle: () => {
          running = undefined
          if (isStalePlan(current.error)) statements.drop(query.name)
          if (current.error === undefined) resolve(current.tag)
          else reject(current.error)
        },
      }
      running = current
      client.query(
        submittable(current, (socket) => send(socket, current, statements.takeDropped())),
      )
    })

  const command = (text: string): Promise<string> =>
    withDeadline(client.query(text).then((result) => result.command))

  return {
    backendPid,
    run: (query) => withDeadline(start(query)),
    command,
    rows: <Row extends QueryResultRow>(text: string, values: readonly unknown[]) =>
      withDeadline(client.query<Row>(text, [...values]).then((result) => result.rows)),
    limitTime: async (timeoutMs) => {
      if (limitMs === timeoutMs) return
      limitMs = undefined
      await command(`set statement_timeout = ${Math.max(1, Math.round(timeoutMs))}`)
      limitMs = timeoutMs
    },
    renew: statements.renew,
    isIdle: () => !isCondemned && client.getTransactionStatus() === 'I',
    condemn: () => {
      isCondemned = true
    },
    isAlive: () => !isCondemned && connection.stream.writable,
  }
}

function answerTooLarge(): GatewayError {
  return new GatewayError('limitExceeded', 'The statement exceeds a limit of the database.', {
    sqlState: '54000',
    details: { limit: 'bytes of an answer', allowed: maxAnswerBytes },
  })
}

/** What node-postgres calls while it runs our query. */
function submittable(current: RunningQuery, submit: (connection: Connection) => void): Submittable {
  /** An error thrown here would end up in the socket. */
  const guarded = (work: () => void) => {
    if (current.error !== undefined) return
    try {
      work()
    } catch (error) {
      current.error = error
    }
  }
  return {
    submit,
    handleRowDescription: ({ fields }) =>
      guarded(() => current.query.onColumns(fields.map(({ dataTypeID }) => dataTypeID))),
    handleDataRow: ({ fields }) => guarded(() => current.query.onRow(fields)),
    handleCommandComplete: ({ text }) => {
      current.tag = text
    },
    handleError: (error) => {
      current.error = error
      // The server's own error is followed by ReadyForQuery or by the end of the connection.
      if (!(error instanceof DatabaseError)) current.settle()
    },
    handleReadyForQuery: () => undefined,
    handleEmptyQuery: () => undefined,
  }
}

interface Submittable {
  submit(connection: Connection): void
  handleRowDescription(message: {
    readonly fields: readonly { readonly dataTypeID: number }[]
  }): void
  handleDataRow(message: { readonly fields: readonly (string | null)[] }): void
  handleCommandComplete(message: { readonly text: string }): void
  handleError(error: unknown): void
  handleReadyForQuery(): void
  handleEmptyQuery(): void
}

/** Everything in one write: what is to be closed, BEGIN, the statement. */
function send(connection: Connection, current: RunningQuery, dropped: readonly string[]): void {
  const { name, text, values, begin } = current.query
  connection.stream.cork()
  try {
    for (const old of dropped) connection.close({ type: 'S', name: old }, true)
    if (begin !== undefined) {
      connection.parse({ name: '', text: begin, types: [] }, true)
      connection.bind({}, true)
      connection.execute({}, true)
    }
    if (!current.wasPrepared) connection.parse({ name, text, types: [] }, true)
    connection.bind({ statement: name, values }, true)
    if (!current.wasPrepared) connection.describe({ type: 'P', name: '' }, true)
    connection.execute({}, true)
    connection.sync()
  } finally {
    connection.stream.uncork()
  }
}
