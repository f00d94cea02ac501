import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findPostgres } from '../src/index.ts'

test('a URL from the environment comes first', () => {
  const env = { TEST_POSTGRES_URL: 'postgres://db.example/x', TEST_POSTGRES_BIN: '/nowhere' }
  expect(findPostgres(env)).toEqual({ kind: 'url', url: 'postgres://db.example/x' })
})

test('a named directory without programs is missing, and the reason names it', () => {
  expect(findPostgres({ TEST_POSTGRES_BIN: '/nowhere' })).toEqual({
    kind: 'missing',
    reason: expect.stringContaining('/nowhere'),
  })
})

test('a wrapper that is no server does not count', () => {
  const directory = mkdtempSync(join(tmpdir(), 'engine-wrapper-'))
  try {
    for (const name of ['postgres', 'initdb']) {
      writeFileSync(join(directory, name), '#!/bin/sh\necho wrapper\n', { mode: 0o755 })
    }
    expect(findPostgres({ TEST_POSTGRES_BIN: directory }).kind).toBe('missing')
  } finally {
    rmSync(directory, { recursive: true })
  }
})
