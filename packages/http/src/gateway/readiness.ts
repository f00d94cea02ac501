import type { Engine } from '@engine/core'
import type { PgWireLoad } from '@engine/core/session'
import type { Store } from '@engine/core/store'

/** Whether requests can be answered now. */
export interface Readiness {
  readonly isReady: boolean
  /** By connection name, and `service_db`: whether the database answers. */
  readonly databases: Readonly<Record<string, boolean>>
  /** Who answers questions about system catalogs; undefined without the wire protocol. Requests do not depend on it. */
  readonly pgWireCatalog: PgWireLoad['catalog'] | undefined
}

export interface ReadinessSources {
  readonly engine: Pick<Engine, 'health' | 'pgWireLoad'>
  /** The service database, where it is needed. */
  readonly store?: Pick<Store, 'ping'> | undefined
  /** False while the process stops. */
  readonly isServing: () => boolean
}

/** A database that does not answer within this number of milliseconds is not ready. */
const pingTimeoutMs = 2_000

/** Milliseconds for which a result is cached: probes are frequent, and should not load the databases. */
const rememberedMs = 1_000

/**
 * Checks every database, at most once a second for any number of requests. A stop of the process is visible at once.
 */
export function createReadiness(sources: ReadinessSources): () => Promise<Readiness> {
  const { engine, store, isServing } = sources
  let known: { readonly untilMs: number; readonly states: Promise<ReadonlyMap<string, boolean>> } =
    {
      untilMs: Number.NEGATIVE_INFINITY,
      states: Promise.resolve(new Map()),
    }
  const ask = async (): Promise<ReadonlyMap<string, boolean>> => {
    const signal = AbortSignal.timeout(pingTimeoutMs)
    const [connections, service] = await Promise.all([
      engine.health(signal),
      store === undefined ? [] : serviceState(store, signal),
    ])
    return new Map([...connections, ...service])
  }
  return async () => {
    const nowMs = performance.now()
    if (known.untilMs < nowMs) known = { untilMs: nowMs + rememberedMs, states: ask() }
    const databases = Object.fromEntries(await known.states)
    return {
      isReady: isServing() && Object.values(databases).every(Boolean),
      databases,
      pgWireCatalog: engine.pgWireLoad()?.catalog,
    }
  }
}

async function serviceState(
  store: Pick<Store, 'ping'>,
  signal: AbortSignal,
): Promise<readonly [string, boolean][]> {
  const late = new Promise<boolean>((resolve) => {
    signal.addEventListener('abort', () => resolve(false), { once: true })
  })
  const answered = store.ping().then(
    () => true,
    () => false,
  )
  return [['service_db', await Promise.race([answered, late])]]
}
