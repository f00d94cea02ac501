import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteAdapter } from '@engine/adapters-sqlite'
import { sqliteTraits } from '@engine/adapters-sqlite/dialect'
import {
  type Adapter,
  type AdapterFactory,
  type AuthorizedStatement,
  type CompiledStatement,
  compileInSteps,
  compileOf,
  GatewayError,
  type IntrospectedTable,
  type Session,
  silentLog,
  withOptions,
} from '@engine/core/adapter'
import { isWrite } from '@engine/core/tree'
import { createTables } from './directory/tables.ts'
import { removeAbandonedTempDirectories, tempDirectoryPrefix } from './directory/temp-directory.ts'
import { type DirectoryWatch, watchDirectory } from './directory/watch-directory.ts'
import type { LoadedColumn } from './load/load-job.ts'
import { isInternalName } from './load/make-table.ts'
import { type CsvAdapterOptions, ownOptions } from './options.ts'
import { createWriteBack, type Writes } from './write-back/write-back.ts'

/**
 * Opens a directory of CSV files at the first call. Its tables are in their own SQLite database in the system's
 * directory for temporary files, and are updated when the files change.
 *
 * @example
 * const adapter = csvAdapter({ directory: 'data' })
 * const { tables } = await adapter.introspect(AbortSignal.timeout(10_000))
 * await adapter.close()
 */
export function csvAdapter(options: CsvAdapterOptions): Adapter {
  const { name = 'csv', log = silentLog, directory } = options
  const isWritable = options.writable === true && options.isReadOnly !== true
  removeAbandonedTempDirectories(tmpdir(), log)
  const tempDirectory = mkdtempSync(join(tmpdir(), tempDirectoryPrefix()))
  const database = join(tempDirectory, 'tables.db')
  const tables = createTables({
    name,
    options: { ...options, writable: isWritable },
    tempDirectory,
    database,
    log,
  })
  const sqlite = sqliteAdapter({
    url: database,
    name,
    readOnly: !isWritable,
    // The files or the options declare the types.
    types: 'declared',
    log,
    ...(options.pool === undefined ? {} : { pool: options.pool }),
  })
  const writeBack = createWriteBack(directory, tables, log)
  let watch: DirectoryWatch | undefined
  let isClosed = false

  const synchronize = async (signal: AbortSignal): Promise<void> => {
    await orAborted(tables.synchronize(), signal, name)
    if (isClosed) return
    watch ??= watchDirectory(directory, log, follow)
  }

  let trouble: string | undefined
  const follow = (): void => {
    tables.synchronize().then(
      () => {
        trouble = undefined
      },
      (err: unknown) => {
        // Logged once: the load is tried again and again.
        const reason = String(err)
        if (isClosed || trouble === reason) return
        trouble = reason
        log.error({ connection: name, err }, 'the files could not be read again')
      },
    )
  }

  const requireReady = (): void => {
    if (!tables.isReady()) throw stillLoading(name)
  }

  return {
    kind: 'csv',
    traits: sqliteTraits,
    compile: compileOf(function* (statement) {
      return withTarget(yield* compileInSteps(sqlite, statement), statement)
    }),

    introspect: async (signal) => {
      await synchronize(signal)
      const found = await sqlite.introspect(signal)
      const shown = found.tables.filter((table) => !isInternalName(table.name))
      return {
        ...found,
        tables: shown.map((table) => {
          const loaded = tables.loaded.get(table.name)
          return withInferred(withKey(table, loaded?.key), loaded?.columns ?? [])
        }),
      }
    },

    execute: async (execution) => {
      requireReady()
      const { statement, timeoutMs, signal } = execution
      if (statement.isWrite && !isWritable)
        throw readOnlyDirectory(name, options.isReadOnly === true)
      if (!statement.isWrite) return sqlite.execute(execution)
      return writeBack.around(async (writes) => {
        const transaction = { timeoutMs, signal, readOnly: false }
        return sqlite.transaction(transaction, async (session) => {
          const result = await watched(session, writes).execute(execution)
          await writes.flush(session)
          return result
        })
      })
    },

    transaction: (transactionOptions, body) => {
      requireReady()
      if (!isWritable) {
        return sqlite.transaction(transactionOptions, (session) =>
          body(refusingWrites(session, () => readOnlyDirectory(name, options.isReadOnly === true))),
        )
      }
      if (transactionOptions.readOnly) return sqlite.transaction(transactionOptions, body)
      return writeBack.around((writes) =>
        sqlite.transaction(transactionOptions, async (session) => {
          const result = await body(watched(session, writes))
          await writes.flush(session)
          return result
        }),
      )
    },

    ping: async (signal) => {
      requireReady()
      await sqlite.ping(signal)
    },

    ...(sqlite.poolState === undefined ? {} : { poolState: sqlite.poolState }),
    ...(sqlite.hasRoom === undefined ? {} : { hasRoom: sqlite.hasRoom }),
    close: async () => {
      isClosed = true
      watch?.close()
      await tables.settled()
      await sqlite.close()
      rmSync(tempDirectory, { recursive: true, force: true })
    },
  }
}

/**
 * Opens an entry of `connections`; the engine calls it.
 *
 * @example
 * const engine = await createEngine(config, { adapters: { '@engine/adapters-csv': connect } })
 */
export const connect: AdapterFactory = withOptions(
  ownOptions,
  ({ name, url, pool, readOnly, types, log }, own) =>
    csvAdapter({ ...own, directory: url, isReadOnly: readOnly, types, name, pool, log }),
)

/** Remembers which table a statement writes to. */
function withTarget(compiled: CompiledStatement, { body }: AuthorizedStatement): CompiledStatement {
  if (!isWrite(body)) return compiled
  return { ...compiled, hints: { ...compiled.hints, writes: body.target.table.native.name } }
}

/** A session that records which files its transaction must write. */
function watched(session: Session, writes: Writes): Session {
  const { savepoint, rollBackTo } = session
  return {
    ...session,
    execute: async (execution) => {
      const table = execution.statement.hints?.['writes']
      if (typeof table !== 'string') return session.execute(execution)
      writes.check(table)
      const result = await session.execute(execution)
      // Read only now: the statement may have waited for a write of another session.
      writes.begin(table)
      return result
    },
    ...(savepoint === undefined
      ? {}
      : {
          savepoint: async (name) => {
            await savepoint(name)
            writes.mark(name)
          },
        }),
    ...(rollBackTo === undefined
      ? {}
      : {
          rollBackTo: async (name) => {
            await rollBackTo(name)
            writes.returnTo(name)
          },
        }),
  }
}

/** SQLite has the key only as a unique constraint. */
function withKey(table: IntrospectedTable, key: readonly string[] | undefined): IntrospectedTable {
  if (key === undefined || key.length === 0) return table
  const { uniqueKeys = [] } = table
  const isKey = (columns: readonly string[]) => columns.join('\0') === key.join('\0')
  return {
    ...table,
    primaryKey: key,
    uniqueKeys: uniqueKeys.filter((columns) => !isKey(columns)),
  }
}

/** The declared type of a column, inferred from its values. */
function withInferred(
  table: IntrospectedTable,
  columns: readonly LoadedColumn[],
): IntrospectedTable {
  const inferred = new Set(columns.filter((each) => each.isInferred).map(({ name }) => name))
  return {
    ...table,
    columns: table.columns.map((column) =>
      inferred.has(column.name) ? { ...column, isTypeInferred: true } : column,
    ),
  }
}

function stillLoading(name: string): GatewayError {
  return new GatewayError(
    'unavailable',
    `The files of connection "${name}" are still being loaded.`,
    {
      publicMessage: 'The data is still being loaded.',
      sqlState: '57P03',
    },
  )
}

async function orAborted(work: Promise<void>, signal: AbortSignal, name: string): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = (): void => reject(stillLoading(name))
  signal.addEventListener('abort', abort, { once: true })
  try {
    if (signal.aborted) abort()
    await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** The error names the option: it is not secret, and otherwise the error would look like a missing permission. */
function readOnlyDirectory(name: string, isReadOnly: boolean): GatewayError {
  const reason = isReadOnly
    ? `has "readOnly": true`
    : `is a directory of CSV files without "writable": true`
  return new GatewayError(
    'permissionDenied',
    `The connection is read-only: connections.${name} ${reason}.`,
    {
      sqlState: '25006',
    },
  )
}

function refusingWrites(session: Session, refusal: () => GatewayError): Session {
  return {
    ...session,
    execute: async (execution) => {
      if (execution.statement.isWrite) throw refusal()
      return session.execute(execution)
    },
  }
}
