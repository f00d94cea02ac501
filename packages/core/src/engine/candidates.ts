/** @module Configurations whose databases are open: the one in use, those that may replace it, and those that still end. */
import { loadParser } from '../compiler/sql/parser-module.ts'
import type { Settings } from '../config/settings/settings.ts'
import type { Log } from '../foundation/log.ts'
import type { Observe } from '../runtime/observe/observe.ts'
import { type AdapterSources, adapterFactories } from './adapter-factories.ts'
import { type Candidate, createCandidate } from './generation.ts'
import { createSourcePool, type OpenSources, type SourcePool } from './open-sources.ts'

export interface CandidatesOptions extends AdapterSources {
  readonly log: Log
  readonly observe: Observe | undefined
}

/** Opens the databases of configurations, and closes them. */
export class Candidates {
  readonly #options: CandidatesOptions
  readonly #pool: SourcePool
  /** Those whose snapshots depend on the data sources. */
  readonly #live = new Set<Candidate>()

  constructor(options: CandidatesOptions) {
    const { log, observe } = options
    this.#options = options
    this.#pool = createSourcePool({
      log,
      observe,
      onChange: () => {
        for (const { snapshots } of this.#live) snapshots.invalidate()
      },
    })
  }

  /**
   * Opens the first configuration. Afterwards `close` is to be called, also when it throws.
   *
   * @throws {GatewayError} `invalidConfiguration`.
   */
  async open(
    settings: Settings,
    reach: (sources: OpenSources) => Promise<void>,
  ): Promise<Candidate> {
    // Before the parser is loaded: a process that ends while V8 still compiles it may hang (nodejs/node#54918).
    const factories = await adapterFactories(settings, this.#options)
    await loadParser()
    const first = this.#create(settings, this.#pool.open(settings.connections, factories))
    await reach(first.sources)
    first.snapshots.verify()
    return first
  }

  /**
   * Opens what a configuration has and the one before has not.
   *
   * @throws {GatewayError} `invalidConfiguration`: then nothing of it is open.
   */
  async openNext(
    next: Settings,
    before: Candidate,
    reach: (sources: OpenSources) => Promise<void>,
  ): Promise<Candidate> {
    const factories = await adapterFactories(next, this.#options)
    const sources = this.#pool.open(next.connections, factories, before.sources)
    const candidate = this.#create(next, sources, before)
    try {
      await reach(sources)
      candidate.snapshots.verify()
      return candidate
    } catch (error) {
      this.end(candidate)
      throw error
    }
  }

  /** Closes the databases that no other configuration has. */
  end(ended: Candidate): void {
    this.#live.delete(ended)
    ended.sources.release()
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  #create(settings: Settings, sources: OpenSources, before?: Candidate): Candidate {
    const made = createCandidate(settings, sources, this.#options.log, before)
    this.#live.add(made)
    return made
  }
}
