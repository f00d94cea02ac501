// @ts-check
/**
 * Sets up a machine that has only some Node >= 18 and npm, then starts the server, runs a program or runs every check.
 *
 *   node tooling/bootstrap.mjs start [arguments of the server]
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
const program = command === 'start' ? join(root, 'apps', 'server', 'src', 'main.ts') : rest[0]
if (command !== 'test' && (!['start', 'run'].includes(command ?? '') || program === undefined)) {
  process.stderr.write('usage: node tooling/bootstrap.mjs start|run FILE|test [arguments]\n')
  process.exit(2)
}

try {
  const tools = await prepare()
  if (command === 'start') await buildPages(tools)
  process.exitCode =
    command === 'test' || program === undefined
      ? await runTests(tools, rest)
      : await runSource(tools, resolve(program), command === 'start' ? rest : rest.slice(1))
} catch (error) {
  say(error instanceof Error ? error.message : String(error))
  if (command === 'test') process.stdout.write('0 passed, 1 failed\n')
  process.exitCode = 1
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
