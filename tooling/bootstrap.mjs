// @ts-check
/**
 * Sets up a machine that has only some Node >= 18 and npm, then starts the server, runs a program or runs every check.
 *
 *   node tooling/bootstrap.mjs start [arguments of the server]   bundles what has changed first
 *   node tooling/bootstrap.mjs run FILE [arguments of the program]
 *   node tooling/bootstrap.mjs test [arguments of vitest]
 *
 * It depends only on Node itself, since it installs everything else. The toolchain that it gets from the npm registry
 * stays under `node_modules/.cache`: a second run needs no network. `start` and `run` leave stdout to the program and
 * print their own messages on stderr; `test` prints everything on stdout, and its last line is `N passed, M failed`.
 */
import { join, resolve } from 'node:path'
import process from 'node:process'
import { buildPages } from './bootstrap/src/build-pages.mjs'
import { root, run, say } from './bootstrap/src/run-program.mjs'
import { runTests } from './bootstrap/src/run-tests.mjs'
import { prepare } from './bootstrap/src/toolchain.mjs'
import { compileCache } from './compile-cache.mjs'

const [command, ...words] = process.argv.slice(2)
// npm removes the `--` before arguments, pnpm does not.
const first = command === 'run' && words[0] !== '--' ? 1 : 0
const rest = words.filter((word, index) => index !== first || word !== '--')
const isUsage =
  command === 'start' || command === 'test' || (command === 'run' && rest[0] !== undefined)
if (!isUsage) {
  process.stderr.write('usage: node tooling/bootstrap.mjs start|run FILE|test [arguments]\n')
  process.exit(2)
}

try {
  const tools = await prepare()
  if (command === 'start') await buildPages(tools)
  if (command === 'test') process.exitCode = await runTests(tools, rest)
  else if (command === 'start') process.exitCode = await startServer(tools, rest)
  else process.exitCode = await runSource(tools, resolve(rest[0] ?? ''), rest.slice(1))
} catch (error) {
  say(error instanceof Error ? error.message : String(error))
  if (command === 'test') process.stdout.write('0 passed, 1 failed\n')
  process.exitCode = 1
}

/**
 * Starts the server as it is published: a few bundled files, of which those are made again whose sources have changed.
 *
 * @param {import('./bootstrap/src/toolchain.mjs').Tools} tools
 * @param {readonly string[]} serverArguments
 * @returns {Promise<number>} its exit code
 */
async function startServer({ node, env }, serverArguments) {
  const bundle = join(root, 'tooling', 'bundle', 'src', 'main.ts')
  const status = await run(node, ['--disable-warning=ExperimentalWarning', bundle], { env })
  if (status !== 0) throw new Error(`bundling the packages ended with status ${status}`)
  const server = join(root, 'apps', 'server', 'dist', 'main.js')
  return run(node, [server, ...serverArguments], { env, stdout: 1 })
}

/**
 * Runs a program that may import the sources of the packages; their types are stripped once.
 *
 * @param {import('./bootstrap/src/toolchain.mjs').Tools} tools
 * @param {string} file
 * @param {readonly string[]} programArguments
 * @returns {Promise<number>} its exit code
 */
function runSource({ node, env }, file, programArguments) {
  const runsSources = ['--conditions=@engine/source', '--disable-warning=ExperimentalWarning']
  return run(node, [...runsSources, file, ...programArguments], {
    env: { NODE_COMPILE_CACHE: compileCache, ...env },
    stdout: 1,
  })
}
