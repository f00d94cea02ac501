// @ts-check
/**
 * @module The cache for sources with stripped types. Vitest calls `setup` before the first test.
 *
 * Node strips types with WebAssembly, in each thread again. V8 can crash when threads use WebAssembly while other
 * threads end (nodejs/node#64500): so the threads of test processes use stripped sources from the cache, and start
 * faster.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Value of `NODE_COMPILE_CACHE` for test processes, and for the processes that they start. */
export const compileCache = join(root, 'node_modules', '.cache', 'engine', 'compiled')

/** Modules that run in threads of a test process. */
const threads = [
  'packages/adapters-sqlite/src/driver/workers/worker.ts',
  'packages/adapters-csv/src/load/loader.ts',
]

/** A thread's entry fails outside of a thread, after its imports are loaded. A module that is not found is an error. */
const program = `
for (const address of process.argv.slice(1)) {
  await import(address).catch((error) => {
    if (error.code === 'ERR_MODULE_NOT_FOUND') throw error
  })
}`

/**
 * Strips the types of modules for threads where they have changed: before the first test, and before each run of vitest
 * in watch mode.
 *
 * @param {import('vitest/node').TestProject} project
 */
export function setup(project) {
  strip()
  project.onTestsRerun(async () => strip())
}

function strip() {
  const addresses = threads.map((path) => pathToFileURL(join(root, path)).href)
  const options = ['--conditions=@engine/source', '--input-type=module', '--eval', program, '--']
  const { status, stderr } = spawnSync(process.execPath, [...options, ...addresses], {
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The sources of threads cannot be loaded: ${stderr}`)
}
