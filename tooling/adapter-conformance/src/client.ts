import { admin, type Caller, type Engine, GatewayError } from '@engine/core'
import type { Cells } from '@engine/core/adapter'
import type { ClientSession, StatementDescription } from '@engine/core/session'

/** A client with a session. */
export interface Client {
  readonly session: ClientSession
  /** Runs one statement and returns its rows. Rejects like `errorOf`. */
  rows(sql: string, params?: Cells): Promise<readonly Cells[]>
  /** The only row. */
  row(sql: string, params?: Cells): Promise<Cells>
  describe(sql: string): Promise<StatementDescription>
  /** The error of a statement. */
  errorOf(sql: string, params?: Cells): Promise<GatewayError>
}

export function openClient(engine: Engine, caller: Caller = admin): Client {
  const origin = {
    correlationId: 'conformance',
    ip: undefined,
    via: 'conformance',
    credentialId: undefined,
  }
  const session = engine.openSession({ caller, origin })
  const statementOf = (sql: string) => ({ sql, parameterOids: [], searchPath: ['main'] })
  const rows = async (sql: string, params: Cells = []): Promise<readonly Cells[]> => {
    const all: Cells[] = []
    const receiver = {
      begin: () => undefined,
      row: (cells: Cells) => void all.push(cells),
      hold: () => undefined,
    }
    await session.execute(statementOf(sql), { params, receiver, signal: undefined })
    return all
  }
  return {
    session,
    rows,
    row: async (sql, params) => {
      const [row, ...others] = await rows(sql, params)
      if (row === undefined || others.length > 0) throw new Error('one row was expected')
      return row
    },
    describe: (sql) => session.describe(statementOf(sql)),
    errorOf: async (sql, params) => {
      const outcome = await rows(sql, params).then(
        () => undefined,
        (error: unknown) => error,
      )
      if (!(outcome instanceof GatewayError)) throw new Error('an error was expected')
      if (outcome.problem === 'unsupported') throw outcome
      return outcome
    },
  }
}
