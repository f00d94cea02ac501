/** E-mail: stored first, sent once, retried. With a real SMTP server. */

import type { Log } from '@engine/core'
import type { AuthSettings } from '@engine/core/server'
import { createSecretBox } from '@engine/core/server'
import { type MailServer, startMailServer } from '@engine/test-mail-server'
import { eachStore, openSqliteStore, type TestStore } from '@engine/test-stores'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createMailer, type MailerOptions } from '../../src/mail/create-mailer.ts'
import type { Mailer } from '../../src/mail/mailer.ts'
import { mailMigrations } from '../../src/mail/migrations.ts'

const urls = {
  reset: 'https://shop.test/reset',
  verify: 'https://shop.test/verify',
  invite: 'https://shop.test/invite',
}
const from = 'Shop <no-reply@shop.test>'
const token = 'c2VjcmV0LXRva2Vu'
const box = createSecretBox(['a secret of at least thirty-two bytes'], 'mail')
const reset = { email: 'ada@shop.test', name: 'Ada', token }

/** A clock that moves only when the test moves it. */
function standing(startMs = Date.UTC(2030, 0, 1)) {
  let nowMs = startMs
  const pass = (milliseconds: number): void => {
    nowMs += milliseconds
  }
  return { clock: () => nowMs, pass }
}

/** Stores every line. */
function recording() {
  const lines: string[] = []
  const write = (facts: object, message: string) =>
    void lines.push(`${message} ${JSON.stringify(facts)}`)
  const log: Log = { debug: write, info: write, warn: write, error: write }
  return { log, lines }
}

let opened: TestStore | undefined
let mailers: Mailer[] = []
let servers: MailServer[] = []

afterEach(async () => {
  await Promise.all([...mailers, ...servers].map((each) => each.close()))
  await opened?.remove()
  mailers = []
  servers = []
  opened = undefined
})

async function serve(options?: Parameters<typeof startMailServer>[0]): Promise<MailServer> {
  const server = await startMailServer(options)
  servers.push(server)
  return server
}

function open(
  { store }: Pick<TestStore, 'store'>,
  email: AuthSettings['email'],
  more: Partial<MailerOptions> = {},
): Mailer {
  const settings = { email, urls }
  const mailer = createMailer({
    settings,
    store,
    box,
    log: recording().log,
    clock: Date.now,
    ...more,
  })
  mailers.push(mailer)
  return mailer
}

const waiting = async ({ store }: Pick<TestStore, 'store'>): Promise<readonly object[]> =>
  store.database.selectFrom('engine_mails').selectAll().execute()

/** Waits until the queue has this number of mails. */
async function settled(test: Pick<TestStore, 'store'>, count: number): Promise<void> {
  await expect.poll(() => waiting(test), { timeout: 20_000, interval: 20 }).toHaveLength(count)
}

eachStore('mails', (openStore, kind) => {
  let test_: TestStore
  beforeEach(async () => {
    test_ = await openStore()
    opened = test_
    await test_.store.migrate(mailMigrations)
  })

  test('mails are sent, and then forgotten', async () => {
    const server = await serve()
    const mailer = open(test_, { smtp: server.url, from, productName: 'Shop' })
    await mailer.send('resetPassword', reset)
    const [mail] = await server.received(1)
    expect(mail).toMatchObject({
      recipients: ['ada@shop.test'],
      sender: 'no-reply@shop.test',
      subject: 'Reset your password for Shop',
    })
    expect(mail?.text).toContain(`${urls.reset}#token=${token}`)
    await settled(test_, 0)
    expect(await mailer.outbox()).toEqual([])
  })

  test('mails are sent once, however many nodes share the queue', async () => {
    const server = await serve()
    const stores = await Promise.all([0, 1, 2].map(() => test_.openAgain()))
    await Promise.all(stores.map((store) => store.migrate(mailMigrations)))
    const nodes = stores.map((store) => open({ store }, { smtp: server.url, from }))
    const sent = Array.from({ length: 30 }, (_, i) => `user${i}@shop.test`)
    await Promise.all(
      sent.map((email, i) => nodes[i % 3]?.send('resetPassword', { ...reset, email })),
    )
    await settled(test_, 0)
    const recipients = server.mails.flatMap((mail) => mail.recipients)
    expect(recipients.toSorted()).toEqual(sent.toSorted())
  })

  test('mails wait while the SMTP server is unavailable, for seconds and then for longer', async () => {
    const { port, ...first } = await startMailServer()
    await first.close()
    const { clock, pass } = standing()
    const { log, lines } = recording()
    const mailer = open(test_, { smtp: first.url, from }, { clock, log })
    await mailer.send('resetPassword', reset)
    await expect.poll(() => lines.join('\n')).toContain('it is tried again')
    expect(await waiting(test_)).toMatchObject([{ attempts: 1, next_at: clock() + 2_000 }])

    pass(2_000)
    await mailer.send('passwordChanged', { email: 'bob@shop.test', name: '' })
    await expect
      .poll(async () =>
        (await waiting(test_)).map((row) => Reflect.get(row, 'attempts')).toSorted(),
      )
      .toEqual([1, 2])

    const back = await serve({ port })
    pass(6_000)
    await mailer.send('passwordChanged', { email: 'eve@shop.test', name: '' })
    await settled(test_, 0)
    expect(back.mails.flatMap((mail) => mail.recipients).toSorted()).toEqual([
      'ada@shop.test',
      'bob@shop.test',
      'eve@shop.test',
    ])
  })

  test('mails that a dead node held are sent by the next, at once where no other node can be', async () => {
    const { clock, pass } = standing()
    const silent = await serve({ isSilent: true })
    const dead = open(test_, { smtp: silent.url, from }, { clock })
    await dead.send('resetPassword', reset)
    await expect.poll(() => waiting(test_)).toMatchObject([{ attempts: 1 }])

    const server = await serve()
    const store = await test_.openAgain()
    await store.migrate(mailMigrations)
    const next = open({ store }, { smtp: server.url, from }, { clock })
    if (kind !== 'sqlite') {
      await next.send('passwordChanged', { email: 'bob@shop.test', name: '' })
      await settled(test_, 1)
      expect(server.mails.flatMap((mail) => mail.recipients)).toEqual(['bob@shop.test'])
      pass(60_000)
      await next.send('passwordChanged', { email: 'eve@shop.test', name: '' })
    }
    await settled(test_, 0)
    expect(server.mails.flatMap((mail) => mail.recipients)).toContain('ada@shop.test')
  })

  test('without an SMTP server wait in the outbox, newest first', async () => {
    const { clock, pass } = standing()
    const { log, lines } = recording()
    const mailer = open(test_, { productName: 'Shop' }, { clock, log })
    await mailer.send('verifyEmail', reset)
    pass(1)
    await mailer.send('passwordChanged', { email: 'ada@shop.test', name: 'Ada' })
    const mails = await mailer.outbox()
    expect(mails).toMatchObject([
      { subject: 'Your password for Shop was changed', createdAt: '2030-01-01T00:00:00.001Z' },
      { to: 'ada@shop.test', createdAt: '2030-01-01T00:00:00.000Z' },
    ])
    expect(mails[1]?.text).toContain(`${urls.verify}#token=${token}`)
    expect(mails[1]?.html).toContain('<a ')
    expect(lines).toHaveLength(2)
    expect(lines[0]).toContain('GET /admin/api/outbox')
    expect(lines.join()).not.toContain(token)
  })

  test('mails leave the outbox when their token ends, or after a day', async () => {
    const { clock, pass } = standing()
    const mailer = open(test_, {}, { clock })
    await mailer.send('resetPassword', { ...reset, expiresAtMs: clock() + 3_600_000 })
    await mailer.send('passwordChanged', { email: 'ada@shop.test', name: '' })
    pass(3_600_000)
    expect(await mailer.outbox()).toHaveLength(1)
    pass(23 * 3_600_000)
    expect(await mailer.outbox()).toEqual([])
  })

  test('without a recipient are stored like others, never listed and never sent', async () => {
    const { clock } = standing()
    const mailer = open(test_, {}, { clock })
    await mailer.send('resetPassword', {
      email: 'somebody@shop.test.example',
      name: '',
      token: 'A'.repeat(43),
      expiresAtMs: clock() + 60_000,
    })
    await mailer.sendDecoy()
    const rows = (await waiting(test_)) as readonly { readonly sealed: string }[]
    expect(rows).toHaveLength(2)
    const [one = 0, other = 0] = rows.map(({ sealed }) => sealed.length)
    expect(Math.abs(one - other)).toBeLessThan(16)
    expect(await mailer.outbox()).toMatchObject([{ to: 'somebody@shop.test.example' }])

    const server = await serve()
    const sending = open(test_, { smtp: server.url, from }, { clock })
    await sending.sendDecoy()
    await settled(test_, 0)
    expect(server.mails).toHaveLength(1)
  })

  test('mails that waited for an SMTP server are sent when one is configured', async () => {
    const mailer = open(test_, {})
    await mailer.send('resetPassword', reset)
    const server = await serve()
    open(test_, { smtp: server.url, from })
    expect(await server.received(1)).toMatchObject([{ recipients: ['ada@shop.test'] }])
  })

  test('lie encrypted in the database', async () => {
    const mailer = open(test_, {})
    await mailer.send('resetPassword', reset)
    const stored = JSON.stringify(await waiting(test_))
    expect(stored).toContain('resetPassword')
    for (const secret of [token, 'ada@shop.test', 'Ada']) expect(stored).not.toContain(secret)
  })
})

describe('an SMTP server', () => {
  let test_: TestStore
  beforeEach(async () => {
    test_ = await openSqliteStore()
    opened = test_
    await test_.store.migrate(mailMigrations)
  })

  test('an SMTP server that is busy is asked again', async () => {
    const { clock, pass } = standing()
    const server = await serve({ refuse: (count) => (count === 1 ? 451 : undefined) })
    const mailer = open(test_, { smtp: server.url, from }, { clock })
    await mailer.send('resetPassword', reset)
    await expect
      .poll(() => waiting(test_))
      .toMatchObject([{ attempts: 1, next_at: clock() + 2_000 }])
    pass(2_000)
    await mailer.send('passwordChanged', { email: 'bob@shop.test', name: '' })
    await settled(test_, 0)
    const ada = server.mails.filter((mail) => mail.recipients.includes('ada@shop.test'))
    expect(ada).toHaveLength(1)
  })

  test('an SMTP server that refuses for good is asked three times', async () => {
    const { clock, pass } = standing()
    const { log, lines } = recording()
    const server = await serve({ refuse: () => 554 })
    const mailer = open(test_, { smtp: server.url, from }, { clock, log })
    await mailer.send('resetPassword', reset)
    for (const tries of [1, 2]) {
      await expect.poll(() => waiting(test_)).toMatchObject([{ attempts: tries }])
      await expect
        .poll(() => lines.filter((line) => line.includes('tried again')))
        .toHaveLength(tries)
      pass(60_000)
      open(test_, { smtp: server.url, from }, { clock, log })
    }
    await settled(test_, 0)
    expect(server.offered()).toBe(3)
    expect(lines.join('\n')).toContain('a mail was given up: the SMTP server refuses it')
    expect(lines.join('\n')).not.toMatch(/ada@|c2VjcmV0/)
  })

  test('an SMTP server that wants credentials gets them', async () => {
    const credentials = { user: 'shop', password: 'p@ss:w/rd%' }
    const server = await serve({ credentials })
    const { user, password } = credentials
    const smtp = `smtp://${user}:${encodeURIComponent(password)}@127.0.0.1:${server.port}`
    await open(test_, { smtp, from }).send('resetPassword', reset)
    expect(await server.received(1)).toHaveLength(1)
  })

  test('an SMTP server that refuses the credentials is no loss, and the log does not contain them', async () => {
    const { log, lines } = recording()
    const server = await serve({ credentials: { user: 'shop', password: 'right' } })
    const smtp = `smtp://shop:wrong-password@127.0.0.1:${server.port}`
    await open(test_, { smtp, from }, { log }).send('resetPassword', reset)
    await expect.poll(() => lines.join('\n')).toContain('EAUTH')
    expect(lines.join('\n')).not.toContain('wrong-password')
    expect(await waiting(test_)).toHaveLength(1)
  })

  test('of this machine may encrypt with a certificate of its own', async () => {
    const server = await serve({ startTls: true })
    await open(test_, { smtp: server.url, from }).send('resetPassword', reset)
    expect(await server.received(1)).toMatchObject([{ isEncrypted: true }])
  })

  test('an SMTP server must encrypt where that is demanded', async () => {
    const { log, lines } = recording()
    const server = await serve()
    const smtp = `${server.url}?requireTLS=true`
    await open(test_, { smtp, from }, { log }).send('resetPassword', reset)
    await expect.poll(() => lines.join('\n')).toContain('ETLS')
    expect(server.mails).toEqual([])
  })

  test('an SMTP server gets one recipient and no header that a name, address or product adds', async () => {
    const server = await serve()
    const mailer = open(test_, {
      smtp: server.url,
      from,
      templates: {
        resetPassword: ({ name }) => ({ subject: `Hi ${name}`, text: 'x', html: '<p>x</p>' }),
      },
    })
    const name = 'Ada\r\nBcc: eve@evil.test\r\n\r\ninjected'
    await mailer.send('resetPassword', { email: 'ada@shop.test', name, token })
    await mailer.send('resetPassword', { email: 'a@shop.test,eve@evil.test', name: '', token })
    const mails = await server.received(1)
    expect(mails[0]?.headers.map(({ key }) => key)).not.toContain('bcc')
    expect(mails[0]?.subject).toBe('Hi Ada Bcc: eve@evil.test injected')
    expect(mails[0]?.headers).toContainEqual({ key: 'auto-submitted', value: 'auto-generated' })
    expect(server.mails.flatMap((mail) => mail.recipients)).not.toContain('eve@evil.test')
  })

  test('an SMTP server gets the same message id for each try', async () => {
    const { clock, pass } = standing()
    const server = await serve({ refuse: (count) => (count === 1 ? 451 : undefined) })
    const mailer = open(test_, { smtp: server.url, from }, { clock })
    await mailer.send('resetPassword', reset)
    const [row] = await waiting(test_)
    await expect.poll(() => waiting(test_)).toMatchObject([{ next_at: clock() + 2_000 }])
    pass(2_000)
    open(test_, { smtp: server.url, from }, { clock })
    const [mail] = await server.received(1)
    expect(mail?.messageId).toBe(`<${Reflect.get(row ?? {}, 'id')}@shop.test>`)
  })
})

describe('a template that throws', () => {
  test('loses no mail, and the log has its message but not the token', async () => {
    const test_ = await openSqliteStore()
    opened = test_
    await test_.store.migrate(mailMigrations)
    const { log, lines } = recording()
    const server = await serve()
    const broken = {
      resetPassword: () => {
        throw new Error(`no such file: ${token}.txt`)
      },
    }
    const mailer = open(test_, { smtp: server.url, from, templates: broken }, { log })
    await mailer.send('resetPassword', reset)
    await expect.poll(() => lines.join('\n')).toContain('no such file: [token].txt')
    expect(lines.join('\n')).not.toContain(token)
    expect(await waiting(test_)).toHaveLength(1)
  })
})

describe('closing', () => {
  test('closing returns unsent mails to the queue, for the next process', async () => {
    const test_ = await openSqliteStore()
    opened = test_
    await test_.store.migrate(mailMigrations)
    const silent = await serve({ isSilent: true })
    const mailer = open(test_, { smtp: silent.url, from })
    await mailer.send('resetPassword', reset)
    await expect.poll(() => waiting(test_)).toMatchObject([{ attempts: 1 }])
    await mailer.close()

    const server = await serve()
    open(test_, { smtp: server.url, from })
    expect(await server.received(1)).toHaveLength(1)
  })

  test('closing sends what is due first', async () => {
    const test_ = await openSqliteStore()
    opened = test_
    await test_.store.migrate(mailMigrations)
    const server = await serve()
    const mailer = open(test_, { smtp: server.url, from })
    for (let i = 0; i < 20; i += 1) {
      await mailer.send('resetPassword', { ...reset, email: `u${i}@shop.test` })
    }
    await mailer.close()
    expect(server.mails).toHaveLength(20)
    expect(await waiting(test_)).toEqual([])
  })
})

describe('another secret', () => {
  test('another secret opens no mail, and loses none', async () => {
    const test_ = await openSqliteStore()
    opened = test_
    await test_.store.migrate(mailMigrations)
    await open(test_, {}).send('resetPassword', reset)
    const { log, lines } = recording()
    const other = createSecretBox(['another secret of at least thirty-two bytes'], 'mail')
    expect(await open(test_, {}, { box: other }).outbox()).toMatchObject([
      { to: '', text: '', subject: '(sealed with another key)' },
    ])
    const server = await serve()
    open(test_, { smtp: server.url, from }, { box: other, log })
    await expect.poll(() => lines.join('\n')).toContain('sealed with another key')
    expect(await waiting(test_)).toHaveLength(1)
    expect(server.mails).toEqual([])
  })
})
