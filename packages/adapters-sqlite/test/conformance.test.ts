import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { adapterConformance } from '@engine/adapter-conformance'
import { createSqliteFixture, resetSqliteFixture } from '@engine/fixtures'
import { connect } from '../src/index.ts'

adapterConformance('SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'engine-conformance-'))
  const path = join(folder, 'shop.db')
  createSqliteFixture(path)
  return {
    connection: path,
    adapterPackage: '@engine/adapters-sqlite',
    connect,
    kind: 'sqlite',
    reset: async () => resetSqliteFixture(path),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
})
