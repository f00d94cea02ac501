import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findMysql, requireVendor } from '../src/index.ts'
import { describeEachMysql } from '../src/vitest.ts'

test('a URL from the environment comes first, of each vendor its own', () => {
  const env = {
    TEST_MARIADB_URL: 'mysql://maria.example/x',
    TEST_MYSQL_URL: 'mysql://my.example/x',
    TEST_MYSQL_BIN: '/nowhere',
  }
  expect(findMysql('mariadb', env)).toEqual({ kind: 'url', url: 'mysql://maria.example/x' })
  expect(findMysql('mysql', env)).toEqual({ kind: 'url', url: 'mysql://my.example/x' })
})

test('a named directory without programs is missing, and the reason names it', () => {
  expect(findMysql('mysql', { TEST_MYSQL_BIN: '/nowhere' })).toEqual({
    kind: 'missing',
    reason: expect.stringContaining('TEST_MYSQL_BIN names /nowhere'),
  })
})

describeEachMysql('a URL', ({ vendor, name, createDatabase }) => {
  test('names a server of the vendor that its variable is for', async () => {
    const url = await createDatabase('vendor')
    await requireVendor(url, vendor)
    const other = vendor === 'mysql' ? 'mariadb' : 'mysql'
    await expect(requireVendor(url, other)).rejects.toThrow(
      new RegExp(`^TEST_${other}_URL names a ${name} \\(\\d.*; TEST_${vendor}_URL is for it`, 'i'),
    )
  })
})

test.each([
  ['mariadbd  Ver 11.8.2-MariaDB', ['mariadb']],
  ['mysqld  Ver 8.4.3 for Linux on x86_64', ['mysql']],
  ['wrapper', []],
])('a program that says "%s" is one of %j', (says, vendors) => {
  const directory = mkdtempSync(join(tmpdir(), 'engine-programs-'))
  try {
    for (const name of ['mysqld', 'mariadb-install-db']) {
      writeFileSync(join(directory, name), `#!/bin/sh\necho "${says}"\n`, { mode: 0o755 })
    }
    const env = { TEST_MYSQL_BIN: directory, TEST_MARIADB_BIN: directory }
    const found = (['mariadb', 'mysql'] as const).map((vendor) => findMysql(vendor, env))
    const programs = found.flatMap((each) => (each.kind === 'binaries' ? [each.programs] : []))
    expect(programs.map(({ vendor }) => vendor)).toEqual(vendors)
  } finally {
    rmSync(directory, { recursive: true })
  }
})
