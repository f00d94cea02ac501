/** @module The configuration in use, and its replacement by another while requests run. */
import { type KnownTraits, knownTraits } from '../compiler/catalog/database-traits.ts'
import { fixedOptionFaults } from '../config/describe/fixed-options.ts'
import type { Config } from '../config/options/config.ts'
import { requireClosed } from '../config/parse/open-mode.ts'
import { invalidConfiguration, parseConfig } from '../config/parse/parse-config.ts'
import type { Settings } from '../config/settings/settings.ts'
import { configurationWarnings } from '../config/warnings/configuration-warnings.ts'
import type { Audit } from '../foundation/audit-event.ts'
import { GatewayError } from '../foundation/errors.ts'
import { finishing } from '../foundation/finishing.ts'
import type { Log } from '../foundation/log.ts'
import type { SystemStatements } from '../runtime/engine-database/system-statements.ts'
import { createConcurrency } from '../runtime/limits/concurrency.ts'
import { openTransactionsOf } from '../runtime/limits/open-transactions.ts'
import { concurrencyLimits } from '../runtime/limits/with-slot.ts'
import { Candidates, type CandidatesOptions } from './candidates.ts'
import type {
  ConfiguredEngine,
  DraftEngine,
  EngineOptions,
  ReconfigureOptions,
} from './engine-interface.ts'
import { type Candidate, createGeneration, type Generation, hasSameRights } from './generation.ts'
import { reachAll, requireNoneOpened, start, startWithin } from './reach.ts'

export interface GenerationsOptions extends CandidatesOptions {
  readonly clock: () => number
  /** Records statements; undefined: none does. */
  readonly audit: Audit | undefined
  /** Open mode is refused. */
  readonly isProduction: boolean
  /** The adapters that a configuration may name, as they were given. */
  readonly known: EngineOptions['adapters']
}

/** What `reconfigure` needs besides the configuration. */
export interface Replacement extends Omit<ReconfigureOptions, 'prepare'> {
  /** As in `ReconfigureOptions`. */
  readonly prepare: (next: Generation) => Promise<() => void> | (() => void)
}

export class Generations {
  readonly #options: GenerationsOptions
  readonly #candidates: Candidates
  readonly #concurrency: ReturnType<typeof createConcurrency>
  readonly #openTransactions: ReturnType<typeof openTransactionsOf>
  #current: Generation
  #isClosed = false
  /** Replacements run one after the other. */
  #last: Promise<unknown> = Promise.resolve()

  /** @throws {GatewayError} `invalidConfiguration`: then nothing is open. */
  static async open(settings: Settings, options: GenerationsOptions): Promise<Generations> {
    const candidates = new Candidates(options)
    try {
      const first = await candidates.open(settings, start)
      warnOfConfiguration(first, options.log)
      return new Generations(first, candidates, options)
    } catch (error) {
      await candidates.close()
      throw error
    }
  }

  private constructor(first: Candidate, candidates: Candidates, options: GenerationsOptions) {
    this.#options = options
    this.#candidates = candidates
    this.#concurrency = createConcurrency(concurrencyLimits(first.settings))
    this.#openTransactions = openTransactionsOf(first.settings, traitsIn(first))
    this.#current = this.#create(first, options.audit, 1)
  }

  /** In use at this moment. */
  get current(): Generation {
    return this.#current
  }

  /** Work that one configuration serves from its beginning to its end. */
  during<T>(work: (engine: ConfiguredEngine) => Promise<T>): Promise<T> {
    const { engine, uses } = this.#current
    uses.begin()
    return finishing(() => work(engine), uses.end)
  }

  /** The same for statements of the process itself; `end` is to be called after the last. */
  use(): { readonly statements: SystemStatements; end(): void } {
    const { statements, uses } = this.#current
    uses.begin()
    return { statements, end: uses.end }
  }

  /** @throws {GatewayError} `invalidConfiguration`: then nothing has changed. */
  reconfigure(input: Config, replacement: Replacement): Promise<void> {
    return this.#inTurn(() => this.#replace(input, replacement))
  }

  /** As `Engine.evaluate`. */
  async evaluate<T>(input: Config, work: (draft: DraftEngine) => Promise<T>): Promise<T> {
    const next = this.#parse(input)
    const candidate = await this.#candidates.openNext(next, this.#current, requireNoneOpened)
    const { rightsVersion } = this.#current.environment
    const draft = this.#create(candidate, undefined, rightsVersion)
    try {
      return await work(draft.engine)
    } finally {
      draft.retire()
    }
  }

  /** No configuration replaces this one any more. `close` ends the databases. */
  async freeze(): Promise<void> {
    await this.#inTurn(async () => {
      this.#isClosed = true
    })
  }

  close(): Promise<void> {
    return this.#candidates.close()
  }

  async #replace(
    input: Config,
    { audit = this.#options.audit, mayBeUnreachable = false, prepare }: Replacement,
  ): Promise<void> {
    const next = this.#parse(input)
    const before = this.#current
    const reach = mayBeUnreachable ? startWithin : reachAll
    const candidate = await this.#candidates.openNext(next, before, reach)
    try {
      const { rightsVersion } = before.environment
      const version = hasSameRights(before, candidate) ? rightsVersion : rightsVersion + 1
      const after = this.#create(candidate, audit === 'off' ? undefined : audit, version)
      const apply = await prepare(after)
      apply()
      this.#current = after
    } catch (error) {
      this.#candidates.end(candidate)
      throw error
    }
    this.#concurrency.change(concurrencyLimits(next))
    this.#openTransactions.change(next, traitsIn(candidate))
    before.retire()
    warnOfConfiguration(candidate, this.#options.log)
  }

  /** A configuration that may replace the one in use. @throws {GatewayError} `invalidConfiguration`, `unavailable`. */
  #parse(input: Config): Settings {
    if (this.#isClosed) throw new GatewayError('unavailable', 'The engine is closed.')
    const { known, isProduction } = this.#options
    const next = parseConfig(input, known)
    const faults = fixedOptionFaults(this.#current.settings, next)
    if (faults.length > 0) throw invalidConfiguration(faults)
    requireClosed(next, isProduction)
    return next
  }

  #create(candidate: Candidate, audit: Audit | undefined, rightsVersion: number): Generation {
    const { clock, log, observe } = this.#options
    const parts = { concurrency: this.#concurrency, openTransactions: this.#openTransactions }
    const shared = { clock, log, audit, observe, ...parts }
    return createGeneration(candidate, shared, rightsVersion, () => this.#candidates.end(candidate))
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work)
    this.#last = result.catch(() => undefined)
    return result
  }
}

/** Whether transactions of a connection block each other. */
function traitsIn({ sources }: Candidate): (name: string) => KnownTraits {
  return (name) => knownTraits(sources.all.get(name)?.guarded.traits)
}

function warnOfConfiguration({ settings, snapshots }: Candidate, log: Log): void {
  const { connections } = snapshots.current().catalog
  const primaryKeyOf = (connection: string, table: string): string | undefined => {
    const { primaryKey = [], columns = [] } = connections.get(connection)?.tables.get(table) ?? {}
    const [ordinal, ...others] = primaryKey
    return ordinal === undefined || others.length > 0 ? undefined : columns[ordinal]?.name
  }
  for (const { path, message } of configurationWarnings(settings, primaryKeyOf)) {
    log.warn({ path }, message)
  }
}
