/**
 * E-mail of the program itself: with an SMTP server that is available, unavailable, available again, and across a
 * crash.
 */
import { type MailServer, startMailServer } from '@engine/test-mail-server'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  authSecret,
  type Callable,
  masterKey,
  newEmail,
  password,
  remote,
  signIn,
  signUp,
  tokenIn,
} from '../support/accounts.ts'
import { createProgram, type Program } from '../support/program.ts'
import type { ServerProcess } from '../support/server-process.ts'

const credentials = { user: 'shop', password: 'smtp-password-0815' }

let program: Program
let mails: MailServer | undefined

beforeEach(() => {
  program = createProgram()
})
afterEach(async () => {
  await program.close()
  await mails?.close()
  mails = undefined
})

interface Server extends Callable {
  readonly process: ServerProcess
}

async function start(smtpPort: number | undefined, auth: object = {}): Promise<Server> {
  const { user, password: secret } = credentials
  const smtp = `smtp://${user}:${secret}@127.0.0.1:${smtpPort}`
  const config = {
    port: 0,
    connections: { main: { url: 'notes.db', create: true } },
    service_db: 'service.db',
    masterKey,
    auth: {
      secret: authSecret,
      throttle: false,
      email:
        smtpPort === undefined
          ? {}
          : { smtp, from: 'Shop <no-reply@shop.test>', productName: 'Shop' },
      urls: { reset: 'https://shop.test/reset', verify: 'https://shop.test/verify' },
      ...auth,
    },
  }
  program.folder.write('engine.config.json', JSON.stringify(config))
  const process = program.start([])
  return { ...remote(await process.ready()), process }
}

/** A port without a listener. */
async function freePort(): Promise<number> {
  const server = await startMailServer()
  await server.close()
  return server.port
}

const forgot = ({ call }: Callable, email: string) =>
  call('POST', '/auth/forgot-password', { body: { email } })

const mailTo = (to: string, subject: RegExp) =>
  mails?.mails.find((mail) => mail.recipients.includes(to) && subject.test(mail.subject))

const arrives = async (to: string, subject: RegExp): Promise<string> => {
  await expect.poll(() => mailTo(to, subject), { timeout: 25_000 }).toBeDefined()
  return mailTo(to, subject)?.text ?? ''
}

test('sign-up, verification, reset and change all go through the mailbox', async () => {
  mails = await startMailServer({ credentials })
  const server = await start(mails.port, { emailVerification: true })
  const { email } = await signUp(server)
  expect(await signIn(server, email)).toMatchObject({ status: 403 })
  const verify = tokenIn(await arrives(email, /confirm/i))
  expect(
    await server.call('POST', '/auth/verify-email', { body: { token: verify } }),
  ).toMatchObject({ status: 200 })
  const { body } = await signIn(server, email)

  await forgot(server, email)
  const text = await arrives(email, /reset/i)
  expect(text).toContain('https://shop.test/reset#token=')
  const newPassword = 'a brand new password'
  const reset = { token: tokenIn(text), password: newPassword }
  expect(await server.call('POST', '/auth/reset-password', { body: reset })).toMatchObject({
    status: 200,
  })
  await arrives(email, /was changed/)
  expect(await server.call('GET', '/auth/session', { token: body.session.token })).toMatchObject({
    status: 401,
  })
  expect(await signIn(server, email, newPassword)).toMatchObject({ status: 200 })

  for (const secret of [
    verify,
    reset.token,
    credentials.password,
    authSecret,
    password,
    newPassword,
    masterKey,
  ]) {
    expect(server.process.stderr()).not.toContain(secret)
    expect(server.process.stdout()).not.toContain(secret)
  }
  for (const mail of mails.mails) expect(mail.raw).not.toContain(newPassword)
})

test('while the SMTP server is unavailable nothing fails, and nothing is lost', async () => {
  const port = await freePort()
  const server = await start(port)
  const { email } = await signUp(server)
  expect(await forgot(server, email)).toMatchObject({ status: 200 })
  await expect.poll(() => server.process.stderr(), { timeout: 10_000 }).toContain('tried again')
  mails = await startMailServer({ port, credentials })
  await arrives(email, /confirm/i)
  await arrives(email, /reset/i)
  expect(mails.mails).toHaveLength(2)
})

test('an SMTP server that says nothing delays no answer', async () => {
  mails = await startMailServer({ isSilent: true })
  const server = await start(mails.port)
  const members = await Promise.all(Array.from({ length: 6 }, () => signUp(server)))
  for (const { email } of members)
    expect(await forgot(server, email)).toMatchObject({ status: 200 })
})

test('a kill loses no mail', async () => {
  const port = await freePort()
  const server = await start(port)
  const members = await Promise.all(Array.from({ length: 5 }, () => signUp(server)))
  const { email: forgetful } = members[0] ?? { email: newEmail() }
  await forgot(server, forgetful)
  await expect.poll(() => server.process.stderr(), { timeout: 10_000 }).toContain('"resetPassword"')
  server.process.signal('SIGKILL')
  await server.process.exit()

  mails = await startMailServer({ port, credentials })
  const again = await start(port)
  for (const { email } of members) await arrives(email, /confirm/i)
  const text = await arrives(forgetful, /reset/i)
  const body = { token: tokenIn(text), password: 'a brand new password' }
  expect(await again.call('POST', '/auth/reset-password', { body })).toMatchObject({ status: 200 })
})

test('a kill while a mail is on its way loses it neither', async () => {
  const silent = await startMailServer({ isSilent: true })
  const server = await start(silent.port)
  const { email } = await signUp(server)
  server.process.signal('SIGKILL')
  await server.process.exit()
  await silent.close()

  mails = await startMailServer({ port: silent.port, credentials })
  await start(silent.port)
  await arrives(email, /confirm/i)
})

test('ending in an orderly way sends what is queued', async () => {
  mails = await startMailServer({ credentials })
  const server = await start(mails.port)
  const { email } = await signUp(server)
  await forgot(server, email)
  server.process.signal('SIGTERM')
  expect(await server.process.exit()).toBe(0)
  expect(mailTo(email, /confirm/i)).toBeDefined()
  expect(mailTo(email, /reset/i)).toBeDefined()
})

describe('without an SMTP server', () => {
  test('mails are read with the master key, and the log says where', async () => {
    const server = await start(undefined)
    const { email } = await signUp(server)
    expect(server.process.stderr()).toContain('/admin/api/outbox')
    const outbox = await server.call('GET', '/admin/api/outbox', { token: masterKey })
    expect(outbox.status).toBe(200)
    const token = tokenIn(JSON.stringify(outbox.body).replaceAll('\\n', '\n'))
    expect(server.process.stderr()).not.toContain(token)
    expect(await server.call('POST', '/auth/verify-email', { body: { token } })).toMatchObject({
      status: 200,
    })
    for (const wrong of [undefined, 'wrong', (await signIn(server, email)).body.session.token]) {
      const answer = await server.call(
        'GET',
        '/admin/api/outbox',
        wrong === undefined ? {} : { token: wrong },
      )
      expect([401, 403]).toContain(answer.status)
    }
  })
})
