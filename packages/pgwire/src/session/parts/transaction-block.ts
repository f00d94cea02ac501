/** @module The transaction of a session as PostgreSQL's clients see it: implicit, a block, or a block that failed. */

import type { IsolationLevel } from '@engine/core/adapter'
import type { ClientSession } from '@engine/core/session'
import { errorOfRoutine, wireError } from '../../errors/wire-error.ts'
import type { TransactionStatus } from '../../protocol/message-writer.ts'
import type { Portals } from '../cursors/portals.ts'
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
export type TransactionDependents = Pick<Portals, 'settle' | 'drop' | 'lift'>

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

/** Its functions are called when the transaction begins, ends or returns to a savepoint, after those of the settings. */
export type TransactionFollower = Pick<
  SessionSettings,
  'rollBack' | 'savepoint' | 'rollBackTo' | 'release'
> & {
  begin(): void
  /** The database is about to commit. `commit` or `rollBack` follows. */
  commits(): void
  /** The answer to COMMIT waits for the result. */
  commit(): Promise<void> | undefined
}

export interface TransactionBlockOptions {
  readonly client: ClientSession
  readonly settings: SessionSettings
  /** Follows after the settings. */
  readonly follower: TransactionFollower
  readonly dependents: TransactionDependents
  readonly isReadOnlyByDefault: () => boolean
}

/** Controls the engine's transaction together with the settings and objects that depend on it. */
export function createTransactionBlock(options: TransactionBlockOptions): TransactionBlock {
  return new SessionBlock(options)
}

/** A class: one exists for each session, and its functions are shared by all (decision 0088). */
class SessionBlock implements TransactionBlock {
  readonly #options: TransactionBlockOptions
  #open: OpenTransaction | undefined

  constructor(options: TransactionBlockOptions) {
    this.#options = options
  }

  status(): TransactionStatus {
    return this.#open === undefined ? 'I' : this.#open.isFailed ? 'E' : 'T'
  }

  isOpen(): boolean {
    return this.#open !== undefined
  }

  isExplicit(): boolean {
    return this.#open?.isExplicit === true
  }

  isFailed(): boolean {
    return this.#open?.isFailed === true
  }

  isReadOnly(): boolean {
    return this.#open?.readOnly ?? this.#options.isReadOnlyByDefault()
  }

  depth(): number {
    return this.#open?.savepoints.length ?? 0
  }

  isShared(): boolean {
    return this.#open?.isShared === true
  }

  share(): void {
    if (this.#open !== undefined) this.#open.isShared = true
  }

  beginImplicit(): void {
    if (this.#open === undefined) this.#start(false, noModes)
  }

  async endImplicit(): Promise<void> {
    if (this.#open?.isExplicit === false) await this.#finishCommit(this.#open)
  }

  begin(modes: TransactionModes): boolean {
    const open = this.#open
    if (open === undefined) {
      this.#start(true, modes)
      return true
    }
    this.#characterize(open, modes)
    if (open.isExplicit) return false
    open.isExplicit = true
    open.isShared = true
    return true
  }

  async commit(chain: boolean): Promise<'COMMIT' | 'ROLLBACK'> {
    const transaction = this.#open
    if (transaction === undefined) {
      await this.#options.dependents.drop(0, true)
      return 'COMMIT'
    }
    if (transaction.isFailed) await this.#finishRollBack(transaction)
    else await this.#finishCommit(transaction)
    if (chain) this.#chain(transaction)
    return transaction.isFailed ? 'ROLLBACK' : 'COMMIT'
  }

  async rollBack(chain: boolean): Promise<void> {
    const transaction = this.#open
    if (transaction === undefined) {
      await this.#options.dependents.drop(0, false)
      return
    }
    await this.#finishRollBack(transaction)
    if (chain) this.#chain(transaction)
  }

  async savepoint(name: string): Promise<void> {
    const { client, settings, follower } = this.#options
    const transaction = this.#explicit('SAVEPOINT', 'DefineSavepoint')
    await client.savepoint(name)
    settings.savepoint(name)
    follower.savepoint(name)
    transaction.savepoints.push({ name, readOnly: transaction.readOnly })
  }

  async rollBackTo(name: string): Promise<void> {
    const { client, dependents } = this.#options
    const transaction = this.#explicit('ROLLBACK TO SAVEPOINT', 'RollbackToSavepoint')
    const { index, readOnly } = savepointNamed(transaction, name)
    await dependents.drop(index + 1, false)
    await client.rollBackTo(name)
    this.#followBackTo(name)
    this.#restoreAccess(transaction, readOnly)
    transaction.savepoints.length = index + 1
    transaction.isFailed = false
  }

  async release(name: string): Promise<void> {
    const { client, settings, follower, dependents } = this.#options
    const transaction = this.#explicit('RELEASE SAVEPOINT', 'ReleaseSavepoint')
    const { index, readOnly } = savepointNamed(transaction, name)
    await client.release(name)
    settings.release(name)
    follower.release(name)
    this.#restoreAccess(transaction, readOnly)
    dependents.lift(index)
    transaction.savepoints.length = index
  }

  characterize(modes: TransactionModes): void {
    if (this.#open !== undefined) this.#characterize(this.#open, modes)
  }

  noteStatement(): void {
    if (this.#open !== undefined) this.#open.hasRun = true
  }

  async fail(): Promise<void> {
    const { client, dependents } = this.#options
    const open = this.#open
    if (open === undefined) return
    if (!open.isExplicit) return this.#finishRollBack(open)
    if (open.isFailed) return
    open.isFailed = true
    const savepoint = open.savepoints.at(-1)
    if (savepoint !== undefined) {
      this.#followBackTo(savepoint.name)
      return
    }
    this.#followBack()
    open.isAlive = false
    await dependents.drop(0, false)
    await client.rollBack()
  }

  #start(isExplicit: boolean, modes: TransactionModes): void {
    const { client, settings, follower, isReadOnlyByDefault } = this.#options
    settings.begin(modes)
    follower.begin()
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
    this.#open = transaction
    client.begin({ readOnly: transaction.readOnly, isolation: transaction.isolation })
  }

  #characterize(transaction: OpenTransaction, modes: TransactionModes): void {
    const { client, settings } = this.#options
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

  async #finishRollBack(transaction: OpenTransaction): Promise<void> {
    const { client, dependents } = this.#options
    this.#open = undefined
    this.#followBack()
    try {
      await dependents.drop(0, false)
    } finally {
      if (transaction.isAlive) await client.rollBack()
    }
  }

  async #finishCommit(transaction: OpenTransaction): Promise<void> {
    const { client, settings, follower, dependents } = this.#options
    try {
      await dependents.settle()
      await dependents.drop(0, true)
      follower.commits()
      await client.commit()
    } catch (error) {
      await this.#finishRollBack(transaction)
      throw error
    }
    this.#open = undefined
    settings.commit()
    const following = follower.commit()
    if (following !== undefined) await following
  }

  #followBack(): void {
    this.#options.settings.rollBack()
    this.#options.follower.rollBack()
  }

  #followBackTo(savepoint: string): void {
    this.#options.settings.rollBackTo(savepoint)
    this.#options.follower.rollBackTo(savepoint)
  }

  /** The access mode is not kept beyond the savepoint after which it was set. */
  #restoreAccess(transaction: OpenTransaction, readOnly: boolean): void {
    if (transaction.readOnly === readOnly) return
    transaction.readOnly = readOnly
    this.#options.settings.characterize({ ...noModes, isReadOnly: readOnly })
  }

  #chain({ readOnly, isolation, isDeferrable }: OpenTransaction): void {
    this.#start(true, { isReadOnly: readOnly, isolation, isDeferrable })
  }

  /** @param routine of PostgreSQL that refuses it among several statements */
  #explicit(what: string, routine: string): OpenTransaction {
    const open = this.#open
    if (open?.isExplicit === true) return open
    throw errorOfRoutine(
      '25P01',
      `${what} can only be used in transaction blocks`,
      open?.isShared === true ? routine : 'CheckTransactionBlock',
    )
  }
}

function savepointNamed(
  { savepoints }: OpenTransaction,
  name: string,
): { readonly index: number; readonly readOnly: boolean } {
  const index = savepoints.findLastIndex((each) => each.name === name)
  const found = savepoints[index]
  if (found === undefined) throw wireError('3B001', `savepoint "${name}" does not exist`)
  return { index, readOnly: found.readOnly }
}
