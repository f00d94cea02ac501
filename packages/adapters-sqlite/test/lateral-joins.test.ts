import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lateralJoins } from '@engine/adapter-conformance'
import Database from 'better-sqlite3'
import { connect } from '../src/index.ts'

lateralJoins(
  'SQLite',
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'engine-lateral-'))
    const url = join(directory, 'joins.db')
    const database = new Database(url)
    return {
      url,
      adapterPackage: '@engine/adapters-sqlite',
      connect,
      run: async (sql) => void database.exec(sql),
      remove: async () => {
        database.close()
        rmSync(directory, { recursive: true, force: true })
      },
    }
  },
  0.8,
)
