/** Interface specification 4.11: the wire protocol of the program. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { createCertificate } from '@engine/test-certificates'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { masterKey } from '../support/accounts.ts'
import { createFolder, type TestFolder } from '../support/folder.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { codeOf, connectWire, refusal, rowsOf, withWire } from '../support/wire.ts'

let folder: TestFolder
let server: ServerProcess | undefined

beforeEach(() => {
  folder = createFolder()
})
afterEach(async () => {
  server?.signal('SIGKILL')
  await server?.exit()
  server = undefined
  folder.remove()
})

const local = { connections: { main: { url: 'shop.db', create: true } }, open: true }
const withKey = { masterKey, auth: { strategy: ['apiKey'] } }

function start(config: object, args: readonly string[] = []): ServerProcess {
  folder.write('engine.config.json', JSON.stringify({ port: 0, ...config }))
  server = startServer(args, { cwd: folder.path, env: { NODE_ENV: 'production' } })
  return server
}

async function startWire(config: object, args: readonly string[] = []): Promise<string> {
  const { pgWire } = await start(config, args).readyLine()
  if (pgWire === undefined) throw new Error('it is in the ready line')
  return pgWire
}

const variable = (name: string) => `\${${name}}`

describe('start', () => {
  test('true is port 5433 on loopback', async () => {
    const running = start({ ...local, pgWire: true })
    const said = await running.readyLine().then(
      ({ pgWire }) => `listens on ${pgWire}`,
      () => running.stderr(),
    )
    // Another program may use the port.
    expect(said).toMatch(/^(listens on|Cannot listen on) 127\.0\.0\.1:5433/)
  })

  test('without it nothing is said of it', async () => {
    expect(await start(local).readyLine()).toEqual({
      ready: true,
      http: expect.stringMatching(/^http:/),
    })
  })

  test('--pg-wire-port goes before the configuration', async () => {
    const address = await startWire({ ...local, pgWire: true }, ['--pg-wire-port', '0'])
    expect(address).toMatch(/^127\.0\.0\.1:\d+$/)
    expect(address).not.toBe('127.0.0.1:5433')
    expect(await withWire({ address }, (client) => rowsOf(client, 'select 1'))).toEqual([[1]])
  })

  test.each<[string, object, readonly string[], RegExp]>([
    ['a port that is none', { pgWire: true }, ['--pg-wire-port', 'x'], /--pg-wire-port x: expects/],
    ['a port for nothing', {}, ['--pg-wire-port', '0'], /pgWire is not configured/],
    ['trust for everybody', { pgWire: { host: '0.0.0.0' } }, [], /"trust" lets everybody in/],
    [
      'a strategy that nobody can pass',
      { pgWire: { auth: { strategy: ['jwt'] } } },
      [],
      /pgWire\.auth\.strategy\.0: "jwt" needs auth/,
    ],
    [
      'a file that is not there',
      { pgWire: { tls: { key: variable('file:key.pem'), cert: variable('file:cert.pem') } } },
      [],
      /names files that cannot be read: .*key\.pem, .*cert\.pem/,
    ],
  ])('%s is a fault of the configuration: exit 2', async (_, config, args, message) => {
    const running = start({ ...local, ...config }, args)
    expect(await running.exit()).toBe(2)
    expect(running.stdout()).toBe('')
    expect(running.stderr()).toMatch(message)
  })

  test('a port that is taken is a clear error, and exit 1', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as { port: number }
    const running = start({ ...local, pgWire: { port } })
    expect(await running.exit()).toBe(1)
    expect(running.stdout()).toBe('')
    expect(running.stderr()).toBe(
      `Cannot listen on 127.0.0.1:${port}: the port is in use. Choose another with pgWire.port or --pg-wire-port.\n`,
    )
    taken.close()
  })

  test('a configured version is reported to clients', async () => {
    const pgWire = { port: 0, serverVersion: '17.4 (Shop)' }
    const address = await startWire({ ...local, pgWire })
    const shown = await withWire({ address }, (client) => rowsOf(client, 'show server_version'))
    expect(shown).toEqual([['17.4 (Shop)']])
  })

  test('more clients than allowed are refused, and counted', async () => {
    const address = await startWire({
      ...local,
      masterKey,
      pgWire: { port: 0, maxConnections: 2, auth: withKey.auth },
      internal: { port: 0 },
    })
    const login = { address, password: masterKey }
    const clients = [await connectWire(login), await connectWire(login)]
    expect(await refusal(login)).toBe('53300')
    expect(await refusal({ address, password: 'wrong' })).toMatch(/^(53300|28P01)$/)
    const { http, internal } = (await server?.readyLine()) ?? { http: '' }
    const metrics = await (await fetch(`${internal}/metrics`)).text()
    expect(metrics).toContain('engine_pgwire_connections{state="idle"} 2')
    expect(metrics).toContain('engine_pgwire_sessions_total 2')
    const status = await fetch(`${http}/admin/api/status`, {
      headers: { authorization: `Bearer ${masterKey}` },
    })
    expect(await status.json()).toMatchObject({ pgWire: { idle: 2, accepted: 2 } })
    await Promise.all(clients.map((client) => client.end()))
    await vi.waitFor(async () => expect(await refusal(login)).toBe('connected'), 10_000)
  })
})

describe('TLS', () => {
  const first = createCertificate()
  const second = createCertificate()
  const tls = { key: variable('file:key.pem'), cert: variable('file:cert.pem') }
  const write = ({ key, cert }: typeof first) => {
    folder.write('key.pem', key)
    folder.write('cert.pem', cert)
  }
  const config = { ...local, masterKey, pgWire: { port: 0, auth: withKey.auth, tls } }

  test('clients that verify the server connect, those that know another one do not', async () => {
    write(first)
    const address = await startWire(config)
    const login = { address, password: masterKey }
    await withWire({ ...login, ca: first.cert }, async (client) => {
      expect(await rowsOf(client, 'select 1')).toEqual([[1]])
    })
    await expect(connectWire({ ...login, ca: second.cert })).rejects.toThrow(/self-signed/)
  })

  test('SIGHUP takes the certificate that is there now; connections stay', async () => {
    write(first)
    const address = await startWire({ ...config, log: { level: 'info' } })
    const login = { address, password: masterKey }
    const client = await connectWire({ ...login, ca: first.cert })
    write(second)
    server?.signal('SIGHUP')
    await vi.waitFor(() => withWire({ ...login, ca: second.cert }, async () => undefined), 10_000)
    expect(await rowsOf(client, 'select 1')).toEqual([[1]])
    await client.end()

    folder.write('key.pem', first.key)
    server?.signal('SIGHUP')
    await vi.waitFor(
      () => expect(server?.stderr()).toContain('the server keeps its configuration'),
      10_000,
    )
    expect(await refusal({ ...login, ca: second.cert })).toBe('connected')
    expect(server?.stderr()).not.toContain('PRIVATE KEY')
  })

  test('TLS from the first byte, for clients that say which protocol they mean', async () => {
    write(first)
    const { hostname, port } = new URL(`postgres://${await startWire(config)}`)
    const options = { host: hostname, port: Number(port), ca: first.cert, servername: 'localhost' }
    const named = connectTls({ ...options, ALPNProtocols: ['postgresql'] })
    await once(named, 'secureConnect')
    expect(named.alpnProtocol).toBe('postgresql')
    named.destroy()
    const nameless = connectTls(options)
    const ended = Promise.race([once(nameless, 'close'), once(nameless, 'error')])
    nameless.on('error', () => undefined)
    await ended
    expect(nameless.destroyed).toBe(true)
  })
})

describePostgres('end', () => {
  let url: string
  let watcher: pg.Client

  beforeEach(async () => {
    url = await createDatabase('wire_lifecycle')
    watcher = new pg.Client({ connectionString: url })
    await watcher.connect()
    await watcher.query('create table counters (id int primary key, n int)')
    await watcher.query('insert into counters values (1, 0)')
  })
  afterEach(() => watcher.end())

  const count = async () => (await watcher.query('select n from counters')).rows

  test('SIGTERM: idle sessions end, open transactions come to their end, nobody else comes in', async () => {
    const address = await startWire({ connections: { main: url }, open: true, pgWire: { port: 0 } })
    const [idle, busy] = [await connectWire({ address }), await connectWire({ address })]
    await busy.query('begin')
    await busy.query('update main.counters set n = 10 where id = 1')
    server?.signal('SIGTERM')
    expect(codeOf(await idle.ended)).toBe('57P01')
    await expect(connectWire({ address })).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    expect(await rowsOf(busy, 'select n from main.counters')).toEqual([[10]])
    await busy.query('commit')
    expect(codeOf(await busy.ended)).toBe('57P01')
    expect(await server?.exit()).toBe(0)
    expect(await count()).toEqual([{ n: 10 }])
  })

  test('a second signal ends it at once, and what was open is rolled back', async () => {
    const address = await startWire({ connections: { main: url }, open: true, pgWire: { port: 0 } })
    const client = await connectWire({ address })
    await client.query('begin')
    await client.query('update main.counters set n = 10 where id = 1')
    server?.signal('SIGTERM')
    await vi.waitFor(() => expect(server?.stderr()).toContain('stopping'), 10_000)
    server?.signal('SIGTERM')
    expect(await server?.exit()).toBe(1)
    await client.ended
    await vi.waitFor(async () => {
      await watcher.query(`set lock_timeout = '1s'; update counters set n = n + 1`)
      expect(await count()).toEqual([{ n: 1 }])
    }, 10_000)
  })
})
