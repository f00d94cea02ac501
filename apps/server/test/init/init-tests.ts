/** @module First configurations for databases of real applications: they are valid, typed, and keep what their tests promise. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  type ApplicationDatabase,
  applicationsOf,
  createApplication,
  schemaName,
} from '@engine/fixtures'
import { createDatabase, type MysqlOfRun } from '@engine/test-databases/vitest'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { decide } from '../../src/init/answers.ts'
import { guessAccess } from '../../src/init/guess-access.ts'
import { projectIn } from '../../src/init/project.ts'
import { projectFiles, writeFiles } from '../../src/init/project-files.ts'
import { readDatabase } from '../../src/init/read-database.ts'
import { readSamples } from '../../src/init/sample-rows.ts'
import { startServer } from '../support/server-process.ts'

// Compiles, and makes whole databases: the time limit only has to be long enough.
vi.setConfig({ testTimeout: 180_000 })

const repository = fileURLToPath(new URL('../../../../', import.meta.url))

/**
 * The same for every application that exists for a database.
 *
 * @param server of `mysql`
 */
export function initTests(database: ApplicationDatabase, server?: MysqlOfRun): void {
  const applications = applicationsOf(database)
  let root: string

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'engine-init-'))
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  describe.each(applications)('%s', (application) => {
    test('gets a configuration that starts, and whose tests pass', async () => {
      const folder = join(root, application)
      mkdirSync(folder)
      const url = await emptyDatabase(database, server, folder, application)
      await createApplication(application, database, url)
      const tables = await readDatabase('main', url)
      const given = { users: undefined, tenant: undefined, writes: true }
      const decisions = await decide(tables.connection, given, undefined)
      const guessed = guessAccess(tables.connection, decisions)
      const samples = await readSamples(url, { ...decisions, connection: 'main', tables: guessed })
      const project = projectIn(folder)
      const files = projectFiles({
        project,
        name: 'main',
        source: { value: url, isSecret: database !== 'sqlite' },
        schemas: undefined,
        database: tables,
        decisions,
        tables: guessed,
        samples,
        environment: {},
      })
      writeFiles(project, files)
      const name = schemaName(application, database, server?.vendor)
      await expect(described(folder)).toMatchFileSnapshot(`recorded/${name}.txt`)

      const args = ['permissions', 'test', 'engine.tests.ts', '--json']
      const program = startServer(args, { cwd: folder })
      const code = await program.exit()
      expect(code, program.stderr()).toBe(0)
      const { tests } = JSON.parse(program.stdout())
      expect(tests.length).toBeGreaterThan(0)
    })
  })

  test('all of them have right types', async () => {
    const path = join(repository, 'tsconfig.configurations.json')
    const { references } = JSON.parse(readFileSync(path, 'utf8').replace(/^\/\/.*/, ''))
    const options = {
      extends: path,
      compilerOptions: { composite: false, incremental: false },
      include: ['*/*.ts'],
      references: references.map((each: { readonly path: string }) => ({
        path: join(repository, each.path),
      })),
    }
    writeFileSync(join(root, 'tsconfig.json'), JSON.stringify(options))
    const compiler = join(repository, 'node_modules', 'typescript', 'bin', 'tsc')
    const run = promisify(execFile)
    await run(process.execPath, [compiler, '-b', path])
    const { stdout } = await run(process.execPath, [compiler, '-p', root], { cwd: root }).catch(
      (error: { readonly stdout: string }) => error,
    )
    expect(stdout).toBe('')
  })
}

/** What is granted, without the text around it. */
function described(folder: string): string {
  const text = readFileSync(join(folder, 'engine.config.ts'), 'utf8')
  return text.slice(text.indexOf('  auth: {'))
}

async function emptyDatabase(
  database: ApplicationDatabase,
  server: MysqlOfRun | undefined,
  folder: string,
  name: string,
): Promise<string> {
  switch (database) {
    case 'postgres':
      return await createDatabase(name)
    case 'mysql':
      if (server === undefined) throw new Error('no server')
      return await server.createDatabase(name)
    case 'sqlite':
      return join(folder, `${name}.db`)
  }
}
