import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { followEnvFile, loadEnvFile } from './env-file.ts'

test('variables of the file are set, those of the environment stay', () => {
  const folder = mkdtempSync(join(tmpdir(), 'engine-env-'))
  const path = join(folder, '.env')
  try {
    const environment: NodeJS.ProcessEnv = { OWN: 'own', EMPTY: '' }
    loadEnvFile(path, environment)
    writeFileSync(path, '# database\nURL="postgres://a:b#c@d/e"\nOWN=theirs\nEMPTY=theirs\n')
    loadEnvFile(path, environment)
    expect(environment).toEqual({ OWN: 'own', EMPTY: '', URL: 'postgres://a:b#c@d/e' })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('variables of the file follow it, those of the environment stay', () => {
  const folder = mkdtempSync(join(tmpdir(), 'engine-env-'))
  const path = join(folder, '.env')
  try {
    writeFileSync(path, 'FIRST=1\nSECOND=2\nTHIRD=3\n')
    const environment: NodeJS.ProcessEnv = { FIRST: '1', SECOND: 'own', THIRD: '3' }
    const again = followEnvFile(path, environment)
    writeFileSync(path, 'FIRST="one"\nSECOND=two\nFOURTH=4\n')
    again()
    expect(environment).toEqual({ FIRST: 'one', SECOND: 'own', FOURTH: '4' })
    rmSync(path)
    again()
    expect(environment).toEqual({ SECOND: 'own' })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
