import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findMysql } from '../src/index.ts'

test('a URL from the environment comes first', () => {
  const env = { TEST_MYSQL_URL: 'mysql://db.example/x', TEST_MYSQL_BIN: '/nowhere' }
  expect(findMysql(env)).toEqual({ kind: 'url', url: 'mysql://db.example/x' })
})

test('a named directory without programs is missing, and the reason names it', () => {
  expect(findMysql({ TEST_MYSQL_BIN: '/nowhere' })).toEqual({
    kind: 'missing',
    reason: expect.stringContaining('/nowhere'),
  })
})

test.each([
  ['mariadbd  Ver 11.8.2-MariaDB', 'mariadb'],
  ['mysqld  Ver 8.4.3 for Linux on x86_64', 'mysql'],
  ['wrapper', undefined],
])('a program that says "%s": %s', (says, flavor) => {
  const directory = mkdtempSync(join(tmpdir(), 'engine-programs-'))
  try {
    for (const name of ['mysqld', 'mariadb-install-db']) {
      writeFileSync(join(directory, name), `#!/bin/sh\necho "${says}"\n`, { mode: 0o755 })
    }
    const found = findMysql({ TEST_MYSQL_BIN: directory })
    expect(found.kind === 'binaries' ? found.programs.flavor : undefined).toBe(flavor)
  } finally {
    rmSync(directory, { recursive: true })
  }
})
