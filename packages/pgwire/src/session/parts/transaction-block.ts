/** @module The transaction of a session as PostgreSQL's clients see it: implicit, a block, or a block that failed. */
import type { ClientSession, IsolationLevel } from '@engine/core/server'
import { errorOfRoutine, wireError } from '../../errors/wire-error.ts'
import type { TransactionStatus } from '../../protocol/message-writer.ts'
import type { SessionSettings } from '../settings/session-settings.ts'
import type { TransactionModes } from '../statements/client-statement.ts'

export interface TransactionBlock {
  readonly status: () => TransactionStatus
  /** A transaction is open, of any kind. */
  readonly isOpen: () => boolean
  /** After BEGIN. */
  readonly isExplicit: () => boolean
  readonly isFailed: () => boolean
  /** Writes are refused now, whether a transaction is open or not. */
  readonly isReadOnly: () => boolean
  /** Number of savepoints: an object created now ends when fewer are left. */
  readonly depth: () => number
  /** Commands that need a transaction block may run: the implicit transaction of a single statement is not a block. */
  readonly isShared: () => boolean
  /** Begins a transaction for statements that belong together without a BEGIN. */
  beginImplicit(): void
  /** The implicit transaction, where one is open, contains several statements. */
  share(): void
  /** Commits an implicit transaction; leaves a block alone. */
  endImplicit(): Promise<void>
  /** @returns false where a block was open already: nothing has changed. */
  begin(modes: TransactionModes): boolean
  /** @throws {GatewayError} the error that prevents the commit: then everything is rolled back. */
  commit(chain: boolean): Promise<'COMMIT' | 'ROLLBACK'>
  rollBack(chain: boolean): Promise<void>
  savepoint(name: string): Promise<void>
  rollBackTo(name: string): Promise<void>
  release(name: string): Promise<void>
  /** @throws {GatewayError} 25001 after the first statement has run. */
  characterize(modes: TransactionModes): void
  /** A statement runs: the isolation level can no longer change. */
  noteStatement(): void
  /** A statement failed: an implicit transaction is rolled back, a block waits for its end. */
  fail(): Promise<void>
}

/** Objects that end with a transaction. */
export interface TransactionDependents {
  /** Before a COMMIT: cursors that outlive it are read to their end. */
  settle(): Promise<void>
  /** The database is about to commit. `settings.commit` or `settings.rollBack` follows. */
  commits(): void
  /** Removes objects created at this depth or deeper; 0 is everything. */
  drop(depth: number, isCommitted: boolean): Promise<void> | undefined
  /** Savepoints deeper than this are released: objects created after them belong to the remaining savepoints. */
  lift(depth: number): void
}

interface OpenTransaction {
  isExplicit: boolean
  isShared: boolean
  isFailed: boolean
  /** The engine's transaction still exists. */
  isAlive: boolean
  hasRun: boolean
  readOnly: boolean
  isolation: IsolationLevel
  /** Undefined: the default of the session. */
  isDeferrable: boolean | undefined
  readonly savepoints: Savepoint[]
}

interface Savepoint {
  readonly name: string
  /** Of the transaction when it was set: it is so again after the savepoint's end. */
  readonly readOnly: boolean
}

const noModes: TransactionModes = {
  isReadOnly: undefined,
  isolation: undefined,
  isDeferrable: undefined,
}

/** What holds without all savepoints. */
function outermostAccess({ savepoints, readOnly }: OpenTransaction): boolean {
  return savepoints[0]?.readOnly ?? readOnly
}

/** Controls the engine's transaction together with the settings and objects that depend on it. */
export function createTransactionBlock(
  client: ClientSession,
  settings: SessionSettings,
  dependents: TransactionDependents,
  isReadOnlyByDefault: () => boolean,
): TransactionBlock {
  let open: OpenTransaction | undefined

  const start = (isExplicit: boolean, modes: TransactionModes): OpenTransaction => {
    settings.begin(modes)
    const transaction: OpenTransaction = {
      isExplicit,
      isShared: isExplicit,
      isFailed: false,
      isAlive: true,
      hasRun: false,
      readOnly: modes.isReadOnly ?? isReadOnlyByDefault(),
      isolation: modes.isolation ?? settings.defaultIsolation(),
      isDeferrable: modes.isDeferrable,
      savepoints: [],
    }
    open = transaction
    client.begin({ readOnly: transaction.readOnly, isolation: transaction.isolation })
    return transaction
  }

  const characterize = (transaction: OpenTransaction, modes: TransactionModes) => {
    const { isReadOnly, isolation, isDeferrable } = modes
    if (isolation !== undefined && isolation !== transaction.isolation && transaction.hasRun) {
      throw wireError('25001', 'SET TRANSACTION ISOLATION LEVEL must be called before any query')
    }
    if (isReadOnly === false && transaction.readOnly && transaction.hasRun) {
      throw wireError('25001', 'transaction read-write mode must be set before any query')
    }
    if (isReadOnly !== undefined) transaction.readOnly = isReadOnly
    if (isolation !== undefined) transaction.isolation = isolation
    if (isDeferrable !== undefined) transaction.isDeferrable = isDeferrable
    settings.characterize(modes)
    if (transaction.hasRun) return
    client.characterize({
      readOnly: outermostAccess(transaction),
      isolation: transaction.isolation,
    })
  }

  const finishRollBack = async (transaction: OpenTransaction) => {
    open = undefined
    settings.rollBack()
    try {
      await dependents.drop(0, false)
    } finally {
      if (transaction.isAlive) await client.rollBack()
    }
  }

  const finishCommit = async (transaction: OpenTransaction) => {
    try {
      await dependents.settle()
      await dependents.drop(0, true)
      dependents.commits()
      await client.commit()
    } catch (error) {
      await finishRollBack(transaction)
      throw error
    }
    open = undefined
    settings.commit()
  }

  const chained = ({ readOnly, isolation, isDeferrable }: OpenTransaction) => {
    start(true, { isReadOnly: readOnly, isolation, isDeferrable })
  }

  const savepointNamed = (transaction: OpenTransaction, name: string) => {
    const index = transaction.savepoints.findLastIndex((each) => each.name === name)
    const found = transaction.savepoints[index]
    if (found === undefined) throw wireError('3B001', `savepoint "${name}" does not exist`)
    return { index, readOnly: found.readOnly }
  }

  /** The access mode is not kept beyond the savepoint after which it was set. */
  const restoreAccess = (transaction: OpenTransaction, readOnly: boolean) => {
    if (transaction.readOnly === readOnly) return
    transaction.readOnly = readOnly
    settings.characterize({ ...noModes, isReadOnly: readOnly })
  }

  /** @param routine of PostgreSQL that refuses it among several statements */
  const explicit = (what: string, routine: string): OpenTransaction => {
    if (open?.isExplicit === true) return open
    throw errorOfRoutine(
      '25P01',
      `${what} can only be used in transaction blocks`,
      open?.isShared === true ? routine : 'CheckTransactionBlock',
    )
  }

  return {
    status: () => (open === undefined ? 'I' : open.isFailed ? 'E' : 'T'),
    isOpen: () => open !== undefined,
    isExplicit: () => open?.isExplicit === true,
    isFailed: () => open?.isFailed === true,
    isReadOnly: () => open?.readOnly ?? isReadOnlyByDefault(),
    depth: () => open?.savepoints.length ?? 0,
    isShared: () => open?.isShared === true,
    share: () => {
      if (open !== undefined) open.isShared = true
    },
    beginImplicit: () => {
      if (open === undefined) start(false, noModes)
    },
    endImplicit: async () => {
      if (open?.isExplicit === false) await finishCommit(open)
    },
    begin: (modes) => {
      if (open?.isExplicit === true) {
        characterize(open, modes)
        return false
      }
      if (open === undefined) {
        start(true, modes)
      } else {
        characterize(open, modes)
        open.isExplicit = true
        open.isShared = true
      }
      return true
    },
    commit: async (chain) => {
      if (open === undefined) {
        await dependents.drop(0, true)
        return 'COMMIT'
      }
      const transaction = open
      if (transaction.isFailed) await finishRollBack(transaction)
      else await finishCommit(transaction)
      if (chain) chained(transaction)
      return transaction.isFailed ? 'ROLLBACK' : 'COMMIT'
    },
    rollBack: async (chain) => {
      if (open === undefined) {
        await dependents.drop(0, false)
        return
      }
      const transaction = open
      await finishRollBack(transaction)
      if (chain) chained(transaction)
    },
    savepoint: async (name) => {
      const transaction = explicit('SAVEPOINT', 'DefineSavepoint')
      await client.savepoint(name)
      settings.savepoint(name)
      transaction.savepoints.push({ name, readOnly: transaction.readOnly })
    },
    rollBackTo: async (name) => {
      const transaction = explicit('ROLLBACK TO SAVEPOINT', 'RollbackToSavepoint')
      const { index, readOnly } = savepointNamed(transaction, name)
      await dependents.drop(index + 1, false)
      await client.rollBackTo(name)
      settings.rollBackTo(name)
      restoreAccess(transaction, readOnly)
      transaction.savepoints.length = index + 1
      transaction.isFailed = false
    },
    release: async (name) => {
      const transaction = explicit('RELEASE SAVEPOINT', 'ReleaseSavepoint')
      const { index, readOnly } = savepointNamed(transaction, name)
      await client.release(name)
      settings.release(name)
      restoreAccess(transaction, readOnly)
      dependents.lift(index)
      transaction.savepoints.length = index
    },
    characterize: (modes) => {
      if (open !== undefined) characterize(open, modes)
    },
    noteStatement: () => {
      if (open !== undefined) open.hasRun = true
    },
    fail: async () => {
      if (open === undefined) return
      if (!open.isExplicit) return finishRollBack(open)
      if (open.isFailed) return
      open.isFailed = true
      const savepoint = open.savepoints.at(-1)
      if (savepoint !== undefined) {
        settings.rollBackTo(savepoint.name)
        return
      }
      settings.rollBack()
      open.isAlive = false
      await dependents.drop(0, false)
      await client.rollBack()
    },
  }
}
