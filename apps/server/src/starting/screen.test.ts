import { expect, test } from 'vitest'
import { version } from '../version.ts'
import { screenLines } from './screen.ts'

const plain = (_: string, text: string) => text
const addresses = { http: 'http://127.0.0.1:3001' }

test('what is served, and where', () => {
  const facts = { what: 'engine.config.ts', addresses, adminLink: undefined }
  expect(screenLines(facts, plain)).toEqual([
    '',
    `  Engine ${version} serves engine.config.ts`,
    '',
    '  HTTP     http://127.0.0.1:3001',
    '',
  ])
})

test('every address has a line, a link its limits', () => {
  const all = { ...addresses, pgWire: '127.0.0.1:5433', internal: 'http://127.0.0.1:9090' }
  const adminLink = 'http://127.0.0.1:3001/admin#sign-in=x'
  const facts = { what: 'x', addresses: all, adminLink, database: 'main' }
  expect(screenLines(facts, plain).slice(3, -1)).toEqual([
    '  HTTP     http://127.0.0.1:3001',
    '  psql     psql -h 127.0.0.1 -p 5433 -d main',
    '  internal http://127.0.0.1:9090',
    '  admin    http://127.0.0.1:3001/admin#sign-in=x',
    '           signed in: once, on this machine, within two minutes',
  ])
  const login = { user: 'ada@example.com', password: 'open sesame' }
  const own = screenLines({ ...facts, login, masterKey: 'k' }, plain)
  expect(own[4]).toBe(
    "  psql     PGPASSWORD='open sesame' psql -h 127.0.0.1 -p 5433 -U ada@example.com -d main",
  )
  expect(own[7]).toMatch(/; then with the key k$/)
})
