import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { envFilesOf, loadEnvFile } from './env-file.ts'

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'engine-env-'))
  path = join(folder, '.env')
})
afterEach(() => rmSync(folder, { recursive: true }))

test('variables of the file are set, those of the environment stay', () => {
  const environment: NodeJS.ProcessEnv = { OWN: 'own', EMPTY: '' }
  loadEnvFile(path, environment)
  writeFileSync(path, '# database\nURL="postgres://a:b#c@d/e"\nOWN=theirs\nEMPTY=theirs\n')
  loadEnvFile(path, environment)
  expect(environment).toEqual({ OWN: 'own', EMPTY: '', URL: 'postgres://a:b#c@d/e' })
})

test('variables of the file follow it, those of the environment stay', () => {
  writeFileSync(path, 'FIRST=1\nSECOND=2\nTHIRD=3\n')
  const environment: NodeJS.ProcessEnv = { SECOND: 'own' }
  loadEnvFile(path, environment)
  writeFileSync(path, 'FIRST="one"\nSECOND=two\nFOURTH=4\n')
  loadEnvFile(path, environment)
  expect(environment).toEqual({ FIRST: 'one', SECOND: 'own', FOURTH: '4' })
  rmSync(path)
  loadEnvFile(path, environment)
  expect(environment).toEqual({ SECOND: 'own' })
})

test('a file that is loaded later has priority, also when the files are read again', () => {
  mkdirSync(join(folder, 'app'))
  const nearer = join(folder, 'app', '.env')
  writeFileSync(path, 'KEY=outer\nONLY=outer\nOWN=outer\n')
  writeFileSync(nearer, 'KEY=nearer\nOWN=nearer\n')
  const environment: NodeJS.ProcessEnv = { OWN: 'own' }
  loadEnvFile(path, environment)
  loadEnvFile(nearer, environment)
  expect(environment).toEqual({ KEY: 'nearer', ONLY: 'outer', OWN: 'own' })
  expect(envFilesOf(environment)).toEqual([
    { path, sets: ['ONLY'], ignored: ['KEY', 'OWN'] },
    { path: nearer, sets: ['KEY'], ignored: ['OWN'] },
  ])
  writeFileSync(path, 'KEY=changed\nONLY=changed\n')
  loadEnvFile(path, environment)
  expect(environment).toEqual({ KEY: 'nearer', ONLY: 'changed', OWN: 'own' })
  rmSync(nearer)
  loadEnvFile(path, environment)
  expect(environment).toEqual({ KEY: 'changed', ONLY: 'changed', OWN: 'own' })
})

test('a variable that the environment has with the value of a file follows that file alone', () => {
  mkdirSync(join(folder, 'app'))
  const nearer = join(folder, 'app', '.env')
  writeFileSync(path, 'KEY=same\n')
  writeFileSync(nearer, 'KEY=nearer\n')
  const environment: NodeJS.ProcessEnv = { KEY: 'same' }
  loadEnvFile(path, environment)
  loadEnvFile(nearer, environment)
  expect(environment).toEqual({ KEY: 'same' })
  writeFileSync(path, 'KEY=changed\n')
  loadEnvFile(nearer, environment)
  expect(environment).toEqual({ KEY: 'changed' })
})
