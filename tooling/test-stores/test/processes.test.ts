import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '@engine/core/store'
import { createDatabase, describeEachMysql, describePostgres } from '@engine/test-databases/vitest'
import { serviceDatabases } from '@engine/test-stores'
import { afterEach, describe, expect, test } from 'vitest'
import { twoSteps } from './two-steps.ts'

const children: ChildProcess[] = []

function startNode(url: string, waitMs: number): ChildProcess {
  const child = fork(new URL('./migrating-process.ts', import.meta.url), [url, `${waitMs}`], {
    execArgv: ['--conditions=@engine/source'],
  })
  children.push(child)
  return child
}

async function says(child: ChildProcess, word: string): Promise<void> {
  for (;;) {
    const [message] = await once(child, 'message')
    if (message === word) return
  }
}

const nothing = async () => undefined

/** Rows of the second table after all migrations. */
async function migratedRows(url: string): Promise<readonly object[]> {
  const store = await openStore({ url, serviceDatabases })
  await store.migrate(twoSteps(nothing))
  await store.whenReady()
  const rows = await store.database.selectFrom('engine_two').selectAll().execute()
  await store.close()
  return rows
}

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

function shareTheWork(open: (name: string) => Promise<string>): void {
  test('two processes that start at the same time apply each migration once', async () => {
    const url = await open('processes')
    const nodes = [startNode(url, 500), startNode(url, 500)]
    await Promise.all(nodes.map((node) => says(node, 'migrated')))
    expect(await migratedRows(url)).toEqual([{ id: 'x' }])
  })

  test('a process that is killed in a migration leaves it to the next one', async () => {
    const url = await open('killed')
    const node = startNode(url, 60_000)
    await says(node, 'halfway')
    node.kill('SIGKILL')
    expect(await migratedRows(url)).toEqual([{ id: 'x' }])
  })
}

describePostgres('processes that share PostgreSQL', () => shareTheWork(createDatabase))
describeEachMysql('processes that share a database', (server) =>
  shareTheWork((name) => server.createDatabase(name)),
)

describe('processes that share a SQLite file', () => {
  const folders: string[] = []
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  })
  shareTheWork(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'engine-store-processes-'))
    folders.push(folder)
    return join(folder, 'service.db')
  })
})
