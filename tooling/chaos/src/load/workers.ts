/** @module All load generators: they run at the same time, each with one request after the other. */
import type { Random } from '@engine/fixtures'
import type { Timeline } from '../judge/timeline.ts'
import { connectionNames } from '../target.ts'
import { createAccounts } from './accounts.ts'
import { createAdministration } from './administration.ts'
import { createApiKeys } from './api-keys.ts'
import type { EntriesByConnection } from './entries.ts'
import { createLedger } from './ledger.ts'
import type { Revoked } from './revoked.ts'
import type { Service, Worker } from './service.ts'
import { createSlowClients } from './slow-clients.ts'
import { createTransfers } from './transfers.ts'

export interface WorkersOptions {
  readonly service: Service
  readonly random: Random
  readonly timeline: Timeline
  readonly entries: EntriesByConnection
  readonly revoked: Revoked
}

export async function createWorkers(options: WorkersOptions): Promise<readonly Worker[]> {
  const { service, random, timeline, entries, revoked } = options
  const workers: Worker[] = []
  for (const connection of connectionNames) {
    const own = entries[connection]
    workers.push(
      await createLedger(service, random, connection, own),
      await createLedger(service, random, connection, own),
      await createTransfers(service, random, connection, own),
    )
  }
  return [
    ...workers,
    await createAccounts(service, random, revoked),
    await createApiKeys(service, random, revoked),
    await createSlowClients(service, random, timeline),
    createAdministration(service, random),
  ]
}
