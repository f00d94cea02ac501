import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { createCertificate } from '@engine/test-certificates'
import {
  createSqliteWireFixture,
  type PsqlAnswer,
  type PsqlOptions,
  runPsql,
  type WireTarget,
} from '@engine/wire-clients'
import { describeClient } from '@engine/wire-clients/vitest'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFolder, type TestFolder } from '../support/folder.ts'
import { bearer, secret } from '../support/tokens.ts'
import { startWireServer, type WireServer } from './wire-server.ts'

describeClient('psql', 'credentials of psql over TLS', () => {
  let folder: TestFolder
  let server: WireServer
  let authority: string

  beforeAll(async () => {
    folder = createFolder()
    const url = join(folder.path, 'shop.db')
    createSqliteWireFixture(url)
    const tls = createCertificate()
    authority = folder.write('authority.pem', tls.cert)
    server = await startWireServer('sqlite', { url }, { tls })
  })
  afterAll(async () => {
    await server?.stop()
    folder?.remove()
  })

  const own = 'select id from main.customers order by id'

  /** Verifies the server's name and certificate. */
  function ask(password: string, options: PsqlOptions = {}): Promise<PsqlAnswer> {
    const target: WireTarget = { ...server.target, host: 'localhost', password }
    const env = { PGSSLMODE: 'verify-full', PGSSLROOTCERT: authority, ...options.env }
    return runPsql(target, { script: own, ...options, env })
  }

  async function token(claims: Readonly<Record<string, unknown>>): Promise<string> {
    const { authorization } = await bearer({ roles: ['user'], customer: 7, ...claims })
    return authorization.slice('Bearer '.length)
  }

  async function expiredToken(): Promise<string> {
    return new SignJWT({ sub: 'ada', roles: ['user'], customer: 7 })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('-10m')
      .sign(new TextEncoder().encode(secret))
  }

  test.each([1_500, 5_000])('a token with %i characters of claims is a password', async (size) => {
    expect(await ask(await token({ more: 'x'.repeat(size) }))).toEqual({
      stdout: '7\n',
      stderr: '',
      status: 0,
    })
  })

  test('a long token may be in the file of passwords', async () => {
    const password = await token({ more: 'x'.repeat(2_000) })
    const file = folder.write('passwords', `*:*:*:*:${password}\n`)
    chmodSync(file, 0o600)
    const answer = await ask('', { env: { PGPASSFILE: file } })
    expect(answer).toEqual({ stdout: '7\n', stderr: '', status: 0 })
  })

  test('the master key is a password', async () => {
    const { stdout } = await ask(server.target.password, {
      script: 'select count(*) from main.customers',
    })
    expect(stdout).toBe('60\n')
  })

  test('the connection is encrypted, and says so', async () => {
    const { stdout } = await ask(server.target.password, { script: '\\conninfo' })
    expect(stdout).toMatch(/SSL connection \(protocol: TLSv1\.3/)
  })

  test('a token of another signer is refused', async () => {
    const { authorization } = await bearer({}, 'another secret of thirty-two bytes or more')
    const { status, stderr } = await ask(authorization.slice('Bearer '.length))
    expect(status).toBe(2)
    expect(stderr).toMatch(/FATAL: .*authentication failed/)
    expect(stderr).not.toContain(authorization.slice(20, 60))
  })

  test('a token that has expired is refused', async () => {
    const { status } = await ask(await expiredToken())
    expect(status).toBe(2)
  })

  test('another certificate is not trusted', async () => {
    const other = folder.write('other.pem', createCertificate().cert)
    const { status, stderr } = await ask('', { env: { PGSSLROOTCERT: other } })
    expect(status).toBe(2)
    expect(stderr).toMatch(/certificate verify failed/)
  })

  test('tables that a role may not see are not in the catalog', async () => {
    const password = await token({ roles: ['nobody'] })
    const { stdout } = await ask(password, {
      script: '\\dt main.*\nselect count(*) from pg_class where relname = $$orders$$',
    })
    expect(stdout).toBe('0\n')
  })
})
