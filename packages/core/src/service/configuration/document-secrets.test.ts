import { expect, test } from 'vitest'
import { createSecretBox } from '../../foundation/secret-box.ts'
import type { ConfigurationDocument } from './document.ts'
import { maskSecrets, openSecrets, restoreSecrets, sealSecrets } from './document-secrets.ts'

const box = createSecretBox(['a master key of at least thirty-two bytes'], 'configuration')

const document: ConfigurationDocument = {
  connections: {
    plain: 'postgres://shop:pa55word@db.test/shop?sslmode=require',
    object: { url: 'libsql://db.test?authToken=t0ken', readOnly: true },
    file: 'shop.db',
    files: { directory: 'data' },
  },
  schemaEndpoint: { enabled: true, token: 'sch3ma' },
  limits: { maxRows: 5 },
}

test('sealed, a document has neither passwords nor tokens in it, and opens to the same', () => {
  const sealed = sealSecrets(document, box)
  expect(JSON.stringify(sealed)).not.toMatch(/pa55word|t0ken|sch3ma|db\.test/)
  expect(JSON.stringify(sealed)).toContain('"file":"shop.db"')
  expect(openSecrets(JSON.parse(JSON.stringify(sealed)), box)).toEqual(document)
})

test('another master key opens nothing, and the error says what to do', () => {
  const other = createSecretBox(['another master key of thirty-two bytes!'], 'configuration')
  expect(() => openSecrets(sealSecrets(document, box), other)).toThrow('config rekey')
})

test('masked, it shows all but the secrets, and is restored with the stored ones', () => {
  const masked = maskSecrets(document)
  expect(masked).toMatchObject({
    connections: {
      plain: 'postgres://shop:***@db.test/shop?sslmode=require',
      object: { url: 'libsql://db.test?authToken=***' },
      file: 'shop.db',
    },
    schemaEndpoint: { token: '***' },
  })
  expect(restoreSecrets(masked, document)).toEqual({ document, faults: [] })
})

test.each([
  ['postgres://shop:***@evil.test/shop?sslmode=require', 'for the same server'],
  ['postgres://shop:***@db.test/shop', 'for the same server'],
  ['postgres://other:***@db.test/shop?sslmode=require', 'for the same server'],
  ['postgres://shop:***@db.test/shop?sslmode=require&host=evil.test', 'for the same server'],
])('a stored password is not sent elsewhere: %s', (url, message) => {
  const { faults } = restoreSecrets({ connections: { plain: url } }, document)
  expect(faults).toEqual([{ path: 'connections.plain', message: expect.stringContaining(message) }])
})

test('a text around the mask is a password as it is typed', () => {
  const typed = {
    connections: { plain: 'postgres://shop:***@db.test@evil.test/shop?sslmode=require' },
  }
  expect(restoreSecrets(typed, document)).toEqual({ document: typed, faults: [] })
})

test('another database of the same server keeps the password, in either form of a connection', () => {
  const url = 'postgres://shop:***@db.test/other?sslmode=require'
  expect(restoreSecrets({ connections: { plain: { url } } }, document)).toEqual({
    document: {
      connections: { plain: { url: 'postgres://shop:pa55word@db.test/other?sslmode=require' } },
    },
    faults: [],
  })
})

test('a new connection has no stored password to keep', () => {
  const connections = { next: 'postgres://shop:***@db.test/shop?sslmode=require' }
  expect(restoreSecrets({ connections }, document).faults).toEqual([
    { path: 'connections.next', message: expect.stringContaining('there is no stored secret') },
  ])
})
