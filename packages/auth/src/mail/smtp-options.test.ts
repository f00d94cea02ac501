import { expect, test } from 'vitest'
import { smtpOptions } from './smtp-options.ts'

test('a server elsewhere must encrypt, and its certificate is checked', () => {
  for (const smtp of [
    'smtp://user:password@mail.shop.test:587',
    'smtp://mail.shop.test',
    { host: 'mail.shop.test', port: 587 },
    { url: 'smtp://mail.shop.test' },
    'smtp://127.0.0.1.shop.test',
  ])
    expect(smtpOptions(smtp)).toMatchObject({ requireTLS: true })
  for (const smtp of ['smtps://mail.shop.test', 'smtp://mail.shop.test', { host: 'mail.test' }])
    expect(smtpOptions(smtp)).not.toHaveProperty('tls')
})

test('TLS from the first byte needs no STARTTLS', () => {
  for (const smtp of [
    'smtps://mail.shop.test',
    { host: 'a.test', secure: true },
    { host: 'a.test', port: 465 },
  ])
    expect(smtpOptions(smtp)).not.toHaveProperty('requireTLS')
})

test('a server on this machine may speak as it likes', () => {
  for (const smtp of [
    'smtp://localhost:1025',
    'smtp://127.0.0.1',
    'smtp://[::1]:25',
    { port: 25 },
  ]) {
    const options = smtpOptions(smtp)
    expect(options).not.toHaveProperty('requireTLS')
    expect(options).toMatchObject({ tls: { rejectUnauthorized: false } })
  }
})

test('what the options say themselves stays', () => {
  expect(smtpOptions('smtp://mail.shop.test?requireTLS=false')).not.toHaveProperty('requireTLS')
  expect(smtpOptions({ host: 'mail.shop.test', ignoreTLS: true })).not.toHaveProperty('requireTLS')
  expect(smtpOptions('smtp://localhost?tls.rejectUnauthorized=true')).not.toHaveProperty('tls')
  const tls = { ca: 'certificate' }
  expect(smtpOptions({ host: 'localhost', tls, socketTimeout: 5 })).toMatchObject({
    tls,
    socketTimeout: 5,
  })
})

test('there are always timeouts, a pool, and no way to files or other hosts', () => {
  expect(
    smtpOptions({ host: 'a.test', pool: false, logger: true, disableFileAccess: false }),
  ).toMatchObject({
    pool: true,
    logger: false,
    disableFileAccess: true,
    disableUrlAccess: true,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
  })
})
