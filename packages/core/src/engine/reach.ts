/** @module When is a configuration good enough to be used: must its new databases be reached? */
import { invalidConfiguration } from '../config/parse/parse-config.ts'
import type { Fault } from '../foundation/faults.ts'
import { reasonOf } from '../foundation/reason-of.ts'
import { withTimeout } from '../foundation/with-timeout.ts'
import type { OpenSources } from './open-sources.ts'

type Opened = Pick<OpenSources, 'opened'>

/** One attempt at each database, all in parallel; failed ones are repeated in the background. */
export async function start({ opened }: Opened): Promise<void> {
  await Promise.all(
    opened.map(async (source) => {
      if (!(await source.tryToReach())) source.keepTrying()
    }),
  )
}

/** The same, while requests wait: the first attempt goes on in the background after this number of milliseconds. */
const patienceMs = 2_000

export async function startWithin({ opened }: Opened): Promise<void> {
  await Promise.all(
    opened.map(async (source) => {
      const attempt = start({ opened: [source] })
      await withTimeout(patienceMs, attempt).catch(() => undefined)
    }),
  )
}

/** @throws {GatewayError} `invalidConfiguration` that names new and changed connections. */
export async function requireNoneOpened({ opened }: Opened): Promise<void> {
  const message = 'is new or changed: only open databases can be used here'
  const faults = opened.map(({ name }): Fault => ({ path: `connections.${name}`, message }))
  if (faults.length > 0) throw invalidConfiguration(faults)
}

/** @throws {GatewayError} `invalidConfiguration` that names the new databases that cannot be reached. */
export async function reachAll({ opened }: Opened): Promise<void> {
  const faults = await Promise.all(
    opened.map((source) =>
      source.refresh().then(
        () => [],
        (error: unknown): readonly Fault[] => [
          {
            path: `connections.${source.name}`,
            message: `cannot be reached: ${reasonOf(error)}`,
          },
        ],
      ),
    ),
  )
  if (faults.some((own) => own.length > 0)) throw invalidConfiguration(faults.flat())
}
