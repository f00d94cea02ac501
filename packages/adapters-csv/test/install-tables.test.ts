import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { signatureOf } from '../src/load/file-signature.ts'
import { installTables } from '../src/load/install-tables.ts'
import { makeDirectory } from './open-directory.ts'

function databaseWith(path: string, n: number): string {
  const database = new Database(path)
  database.exec(`create table t (n integer); insert into t values (${n})`)
  database.close()
  return path
}

/** The served rows after a table with the number 2 was installed to replace one with the number 1. */
function installed(changeFile: (path: string) => void) {
  const directory = makeDirectory({ 't.csv': 'n\n2\n' })
  const path = join(directory, 't.csv')
  const signature = signatureOf(path)
  const serving = databaseWith(join(directory, 'serving.db'), 1)
  const staging = databaseWith(join(directory, 'staging.db'), 2)
  changeFile(path)
  const names = installTables(serving, {
    staging,
    tables: [{ table: 't', path, signature }],
    dropped: [],
  })
  const database = new Database(serving)
  onTestFinished(() => void database.close())
  return { names: [...names], n: database.prepare('select n from t').pluck().all() }
}

test('a table takes the place of the old one', () => {
  expect(installed(() => undefined)).toEqual({ names: ['t'], n: [2] })
})

test('not when its file was written since: rows of it might be missing', () => {
  expect(installed((path) => writeFileSync(path, 'n\n2\n3\n'))).toEqual({ names: [], n: [1] })
})
