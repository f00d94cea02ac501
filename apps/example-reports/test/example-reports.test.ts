import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { describeClient } from '@engine/wire-clients/vitest'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

// Starts a server: the time limit only has to be long enough.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const example = join(import.meta.dirname, '..')

describeClient('psql', 'reports over CSV files', () => {
  let url: string
  let stop: () => Promise<void>

  beforeAll(async () => {
    const words = ['--conditions=@engine/source', join(example, 'src', 'index.ts')]
    const server = spawn(process.execPath, words, {
      env: { ...process.env, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    stop = async () => {
      server.kill('SIGTERM')
      if (server.exitCode === null) await once(server, 'exit')
    }
    for await (const line of createInterface(server.stdout)) {
      url = line.replace('psql ', '')
      break
    }
  })
  afterAll(() => stop?.())

  async function psql(...words: readonly string[]): Promise<string> {
    const format = ['--no-psqlrc', '--csv', '--set=ON_ERROR_STOP=1']
    return (await promisify(execFile)('psql', [url, ...format, ...words])).stdout
  }

  test('psql prints the reports', async () => {
    expect(await psql('--file', join(example, 'reports.sql'))).toBe(
      [
        'month,orders,total',
        '2026-01,2,29.50',
        '2026-02,2,101.25',
        'country,total',
        'PT,100.00',
        'NO,30.75',
        '',
      ].join('\n'),
    )
  })

  test('a column without permission does not exist, and files are not written', async () => {
    await expect(psql('--command', 'select phone from customers')).rejects.toThrow(
      /code=(?:BAD_REQUEST|PERMISSION_DENIED)/,
    )
    await expect(psql('--command', 'delete from orders')).rejects.toThrow('code=PERMISSION_DENIED')
  })
})
