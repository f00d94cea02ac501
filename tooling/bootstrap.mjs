// @ts-check
/**
 * Sets up a machine that has only some Node >= 18 and npm, then starts the server or runs every check.
 *
 *   node tooling/bootstrap.mjs start [arguments of the server]
 *   node tooling/bootstrap.mjs test [arguments of vitest]
 *
 * It depends on nothing but Node itself, since it is what installs the rest. The toolchain it obtains
 * from the npm registry stays under `node_modules/.cache`: a second run needs no network. `start` leaves
 * stdout to the server and says everything else on stderr; `test` says everything on stdout, and its
 * last line is `N passed, M failed`.
 */
import { join } from 'node:path'
import process from 'node:process'
import { root, run, say } from './bootstrap/src/run-program.mjs'
import { runTests } from './bootstrap/src/run-tests.mjs'
import { prepare } from './bootstrap/src/toolchain.mjs'

const [command, ...rest] = process.argv.slice(2)
if (command !== 'start' && command !== 'test') {
  process.stderr.write('usage: node tooling/bootstrap.mjs start|test [arguments]\n')
  process.exit(2)
}

try {
  const tools = await prepare()
  process.exitCode = command === 'start' ? await start(tools, rest) : await runTests(tools, rest)
} catch (error) {
  say(error instanceof Error ? error.message : String(error))
  if (command === 'test') process.stdout.write('0 passed, 1 failed\n')
  process.exitCode = 1
}

/**
 * Runs the reference server from its sources.
 *
 * @param {import('./bootstrap/src/toolchain.mjs').Tools} tools
 * @param {readonly string[]} serverArguments
 * @returns {Promise<number>} its exit code
 */
function start({ node, env }, serverArguments) {
  const main = join(root, 'apps', 'server', 'src', 'main.ts')
  const runsSources = ['--conditions=@engine/source', '--disable-warning=ExperimentalWarning']
  return run(node, [...runsSources, main, ...serverArguments], { env, stdout: 1 })
}
