/** @module A server of a whole run of vitest. */

import type { ServerOfRun } from '../processes/servers-of-run.ts'
import { offerOnDemand } from './on-demand.ts'

/** What tests are given, and what the end of the run needs. */
export interface Provision<Provided> {
  readonly provided: Provided
  /** Undefined where no test needed it. */
  readonly ofRun: () => ServerOfRun | undefined
  readonly stop: () => Promise<void>
}

/** A server that there is none of. */
export interface MissingServer {
  readonly kind: 'missing'
  readonly reason: string
  /** Its tests are skipped, even on a build machine: it would have been fetched from an archive that changes. */
  readonly isOptional: boolean
}

/** A running server. */
export interface StartedServer {
  readonly url: string
  readonly version: string
  readonly stop: () => Promise<void>
}

export function provideMissing(name: string, missing: MissingServer): Provision<MissingServer> {
  return {
    provided: missing,
    ofRun: () => ({ name, missing: missing.reason }),
    stop: async () => undefined,
  }
}

/**
 * A server that starts when the first test takes its URL from a port.
 *
 * @param about its name, and which tests run on it
 */
export async function provideOnDemand(
  about: { readonly name: string; readonly tests: string },
  start: () => Promise<StartedServer>,
): Promise<Provision<{ readonly kind: 'available'; readonly port: number }>> {
  let started: StartedServer | undefined
  const offer = await offerOnDemand(async () => {
    started = await start()
    return started.url
  })
  return {
    provided: { kind: 'available', port: offer.port },
    ofRun: () => (started === undefined ? undefined : { ...about, version: started.version }),
    stop: async () => {
      offer.close()
      // A server that could not be started has already failed the tests that need it.
      await offer.made()?.catch(() => undefined)
      await started?.stop()
    },
  }
}
