/** @module The cost of authentication: a session, a token that was created elsewhere, an API key. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serviceDatabase as postgresStore } from '@engine/adapters-postgres'
import { connect as connectSqlite, serviceDatabase as sqliteStore } from '@engine/adapters-sqlite'
import { createAuth } from '@engine/auth'
import { createEngine, createMemoryRateLimiter, silentLog } from '@engine/core'
import { openStore } from '@engine/core/server'
import { SignJWT } from 'jose'
import { type Measurement, measure } from '../micro/measure.ts'
import { measureSignIns } from './measure-sign-ins.ts'

const secret = 'a secret of at least thirty-two bytes'
const client = { ip: '192.0.2.1', userAgent: undefined, correlationId: 'bench' }
const plan = { calls: 50, rounds: 60 }

/**
 * Prints the microseconds of one `authenticate`, and the equivalent number of plain indexed reads of the same database.
 */
export async function measureSessions(postgresUrl: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'engine-bench-'))
  console.log('\nWho asks: one authenticate(), and how many bare indexed reads that is')
  await measureOn('SQLite', join(folder, 'service.db'), folder)
  await measureOn('PostgreSQL', postgresUrl, folder)
  rmSync(folder, { recursive: true, force: true })
}

async function measureOn(kind: string, url: string, folder: string): Promise<void> {
  const store = await openStore({
    url,
    serviceDatabases: {
      '@engine/adapters-sqlite': sqliteStore,
      '@engine/adapters-postgres': postgresStore,
    },
  })
  const engine = await createEngine(
    {
      connections: { main: { url: join(folder, 'main.db'), create: true } },
      auth: { secret, throttle: false },
    },
    { adapters: { '@engine/adapters-sqlite': connectSqlite } },
  )
  const { auth: settings, jwt } = engine.settings
  if (settings === undefined) throw new Error('no settings of auth')
  const limiter = createMemoryRateLimiter({ clock: Date.now })
  const auth = await createAuth({
    settings,
    jwt,
    masterKey: undefined,
    store,
    engine,
    limiter,
    audit: undefined,
    isProduction: true,
    log: silentLog,
  })
  const email = `bench-${Date.now()}@example.com`
  const { user, session } = await auth.signUp({ email, password: 'correct horse battery' }, client)
  const elsewhere = await new SignJWT({ sub: 'somebody', roles: ['user'] })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(secret))
  const { key } = await auth.admin.createApiKey({ name: 'bench', roles: ['user'] })
  const read = () =>
    store.database.selectFrom('engine_users').select('name').where('id', '=', user.id).execute()
  const floor = await measure(read, plan)
  report(`${kind}: one indexed read through Kysely`, floor, floor)
  for (const [name, credential] of [
    ['session', session.token],
    ['token made elsewhere', elsewhere],
    ['API key', key],
  ] as const) {
    const taken = await measure(async () => auth.authenticate(credential, client), plan)
    report(`${kind}: ${name}`, taken, floor)
  }
  await measureSignIns(auth, client)
  await auth.close()
  await limiter.close()
  await engine.close()
  await store.close()
}

function report(name: string, { quietUs }: Measurement, floor: Measurement): void {
  const reads = (quietUs / floor.quietUs).toFixed(2)
  console.log(`  ${name.padEnd(50)} ${quietUs.toFixed(1).padStart(8)} µs  ${reads} reads`)
}
