/** Passwords of both vendors, with and without TLS, over TCP and over a socket. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { oids } from '@engine/core/catalog'
import { createCertificate } from '@engine/test-certificates'
import type { MysqlServer } from '@engine/test-databases'
import { describeEachMysql } from '@engine/test-databases/vitest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mysqlAdapter } from '../src/index.ts'
import { openClient } from './support/client.ts'
import { executionOf, statementOf } from './support/statements.ts'

/** Characters that a URL, a shell or SQL could take for something else. */
const password = `p@ss:w/ord?#%'"\\é`

describeEachMysql('credentials', ({ vendor, start }) => {
  const directory = mkdtempSync(join(tmpdir(), 'engine-credentials-'))
  const authority = join(directory, 'authority.pem')
  const stranger = join(directory, 'stranger.pem')
  const socket = join(directory, 'socket')
  let server: MysqlServer
  let port: string

  beforeAll(async () => {
    // The server's user makes the socket, and reads the key.
    chmodSync(directory, 0o777)
    const { key, cert } = createCertificate()
    writeFileSync(authority, cert)
    writeFileSync(stranger, createCertificate().cert)
    const keyFile = join(directory, 'key.pem')
    writeFileSync(keyFile, key)
    chmodSync(keyFile, 0o644)
    server = await start({
      settings: { socket, 'ssl-ca': authority, 'ssl-cert': authority, 'ssl-key': keyFile },
    })
    port = new URL(server.url).port
    const client = await openClient(server.url)
    const secret = `'${password.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
    await client.run(
      'create database test',
      `create user 'plain'@'127.0.0.1' identified by ${secret}`,
      `create user 'local'@'localhost' identified by ${secret}`,
      `create user 'secure'@'127.0.0.1' identified by ${secret} require ssl`,
      "create user 'open'@'127.0.0.1' identified by ''",
      ...['plain', 'secure', 'open'].map((name) => `grant all on test.* to '${name}'@'127.0.0.1'`),
      "grant all on test.* to 'local'@'localhost'",
    )
    await client.close()
  })
  afterAll(async () => {
    await server?.stop()
    rmSync(directory, { recursive: true, force: true })
  })

  const cipher = statementOf("show session status like 'Ssl_cipher'", {
    columns: [oids.text, oids.text],
  })

  /** The cipher of the connection; empty where it is not encrypted. */
  async function connectAs(user: string, options: Readonly<Record<string, string>> = {}) {
    const url = new URL(`mysql://localhost:${port}/test`)
    url.hostname = options['host'] ?? '127.0.0.1'
    url.username = user
    url.password = encodeURIComponent(options['password'] ?? password)
    for (const [name, value] of Object.entries(options)) {
      if (name !== 'host' && name !== 'password') url.searchParams.set(name, value)
    }
    const adapter = mysqlAdapter({ url: url.href })
    try {
      const { rows } = await adapter.execute(executionOf(cipher))
      return (JSON.parse(Buffer.from(rows).toString()) as readonly string[])[1]
    } finally {
      await adapter.close()
    }
  }

  test('a password without TLS, twice: the second time the server remembers it', async () => {
    expect(await connectAs('plain')).toBe('')
    expect(await connectAs('plain')).toBe('')
  })

  test('an empty password', async () => {
    expect(await connectAs('open', { password: '' })).toBe('')
  })

  test('a password over TLS', async () => {
    const verified = { 'ssl-mode': 'verify_identity', 'ssl-ca': authority, host: 'localhost' }
    expect(await connectAs('secure', { 'ssl-mode': 'required' })).not.toBe('')
    expect(await connectAs('secure', { 'ssl-mode': 'verify_ca', 'ssl-ca': authority })).not.toBe('')
    expect(await connectAs('secure', verified)).not.toBe('')
  })

  test('a password over a socket', async () => {
    expect(await connectAs('local', { socket })).toBe('')
  })

  test.each(['plain', 'secure', 'local'])('a wrong password of %s is refused', async (user) => {
    const options = user === 'secure' ? { 'ssl-mode': 'required' } : {}
    const way = user === 'local' ? { socket } : options
    await expect(connectAs(user, { ...way, password: 'wrong' })).rejects.toMatchObject({
      problem: 'unavailable',
      sqlState: '08001',
      cause: { errno: 1045 },
    })
  })

  test('an account that requires TLS is refused without it', async () => {
    await expect(connectAs('secure')).rejects.toMatchObject({
      problem: 'unavailable',
      cause: { errno: 1045 },
    })
  })

  test('a server with a certificate of another authority is refused', async () => {
    const options = { 'ssl-mode': 'verify_ca', 'ssl-ca': stranger }
    await expect(connectAs('plain', options)).rejects.toMatchObject({ problem: 'unavailable' })
  })

  test(`accounts have the method that ${vendor} gives them`, async () => {
    const client = await openClient(server.url)
    const [row] = await client.rows("select plugin from mysql.user where user = 'plain'")
    await client.close()
    const methods = { mysql: 'caching_sha2_password', mariadb: 'mysql_native_password' }
    expect(row?.['plugin']).toBe(methods[vendor])
  })
})
