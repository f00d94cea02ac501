// @ts-check
/**
 * Sets up a machine that has only some Node >= 18 and npm, then starts the server, runs a program or runs every check.
 *
 *   node tooling/bootstrap.mjs start [arguments of the server]   installs and bundles what the server needs first
 *   node tooling/bootstrap.mjs run FILE [arguments of the program]   installs what the program needs first
 *   node tooling/bootstrap.mjs test [arguments of vitest]   installs everything first
 *
 * It depends only on Node itself, since it installs everything else. The toolchain that it gets from the npm registry
 * stays under `node_modules/.cache`: a second run needs no network. `start` and `run` leave stdout to the program and
 * print their own messages on stderr; `test` prints everything on stdout, and its last line is `N passed, M failed`.
 */
import { join, resolve } from 'node:path'
import process from 'node:process'
import { buildPages } from './bootstrap/src/build-pages.mjs'
import { bundleServer } from './bootstrap/src/bundle-server.mjs'
import { installAll, installFor, projectOf, projectsFor } from './bootstrap/src/install.mjs'
import { calledIn, fileOf, placeOf } from './bootstrap/src/place.mjs'
import { root, run, say } from './bootstrap/src/run-program.mjs'
import { runTests } from './bootstrap/src/run-tests.mjs'
import { createSteps } from './bootstrap/src/steps.mjs'
import { findToolchain } from './bootstrap/src/toolchain.mjs'
import { compileCache } from './compile-cache.mjs'

/** A module that runs before programs of no project. */
const offeredPackages = new URL('bootstrap/src/offer-packages.mjs', import.meta.url).href

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

const output = command === 'test' ? process.stdout : process.stderr
const steps = createSteps({
  write: (text) => void output.write(text),
  isTerminal: output.isTTY === true,
  isQuiet: command === 'run',
  clock: () => performance.now(),
})

try {
  const toolchain = findToolchain(steps)
  if (command === 'test') process.exitCode = await test(toolchain, rest)
  else if (command === 'start') process.exitCode = await startServer(toolchain, rest)
  else process.exitCode = await runSource(toolchain, rest[0] ?? '', rest.slice(1))
} catch (error) {
  say(error instanceof Error ? error.message : String(error))
  if (command === 'test') process.stdout.write('0 passed, 1 failed\n')
  process.exitCode = 1
}

/**
 * @param {import('./bootstrap/src/toolchain.mjs').Toolchain} toolchain
 * @param {readonly string[]} vitestArguments
 * @returns {Promise<number>}
 */
async function test(toolchain, vitestArguments) {
  await installAll(toolchain, steps)
  return runTests(await toolchain.tools, vitestArguments)
}

/**
 * Starts the server as it is published: a few bundled files, of which those are made again whose sources have changed.
 *
 * @param {import('./bootstrap/src/toolchain.mjs').Toolchain} toolchain
 * @param {readonly string[]} serverArguments
 * @returns {Promise<number>} its exit code
 */
async function startServer(toolchain, serverArguments) {
  const { directory, words: placed } = placeOf(serverArguments, process.env)
  const owner = configOwner(placed, directory)
  const projects = ['@engine/server', '@engine/bundle', ...(owner === undefined ? [] : [owner])]
  await installFor(projects, toolchain, steps)
  // Packages of the pages arrive while the server is bundled.
  const pages = buildPages(toolchain, steps)
  const { node, env } = await toolchain.tools
  await Promise.all([pages, steps.run('server', () => bundleServer({ node, env }))])
  const server = join(root, 'apps', 'server', 'dist', 'main.js')
  return run(node, [server, ...placed], { cwd: directory, env, stdout: 1 })
}

/**
 * The project of the configuration file: what the file imports has to be there.
 *
 * @param {readonly string[]} serverArguments
 * @param {string} directory of the server
 */
function configOwner(serverArguments, directory) {
  const given = serverArguments.flatMap((word, index) => {
    if (word === '--config') return serverArguments[index + 1] ?? []
    return word.startsWith('--config=') ? word.slice('--config='.length) : []
  })
  const file = given.at(-1) ?? process.env['ENGINE_CONFIG']
  // Without a name it is a file of the directory, whatever its extension.
  return projectOf(resolve(directory, file ?? 'engine.config.ts'))
}

/**
 * Runs a program that may import the sources of the packages; their types are stripped once. A program of a user, and the
 * generator of code, run where the user is.
 *
 * @param {import('./bootstrap/src/toolchain.mjs').Toolchain} toolchain
 * @param {string} name of the file
 * @param {readonly string[]} programArguments
 * @returns {Promise<number>} its exit code
 */
async function runSource(toolchain, name, programArguments) {
  const isOfUser = process.env['npm_lifecycle_event'] === 'program'
  const file = isOfUser ? fileOf(name, process.env) : resolve(root, name)
  const isWhereUserIs = isOfUser || process.env['npm_lifecycle_event'] === 'codegen'
  const projects = projectsFor(file)
  await (projects === undefined
    ? installAll(toolchain, steps)
    : installFor(projects, toolchain, steps))
  const { node, env } = await toolchain.tools
  const runsSources = [
    '--conditions=@engine/source',
    '--disable-warning=ExperimentalWarning',
    ...(projectOf(file) === undefined ? [`--import=${offeredPackages}`] : []),
  ]
  return run(node, [...runsSources, file, ...programArguments], {
    cwd: isWhereUserIs ? calledIn(process.env) : root,
    env: { NODE_COMPILE_CACHE: compileCache, ...env },
    stdout: 1,
  })
}
