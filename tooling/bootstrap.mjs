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
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { constants } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const cache = join(root, 'node_modules', '.cache', 'engine')
const lowestNode = [22, 18]
const obtainedNode = '24'
const pnpmVersion = pinnedPnpm()
/** The descriptor that takes what is said on the way. */
const talk = process.argv[2] === 'test' ? 1 : 2
const diesWithParent = deathGuard()

const [command, ...rest] = process.argv.slice(2)
if (command !== 'start' && command !== 'test') {
  process.stderr.write('usage: node tooling/bootstrap.mjs start|test [arguments]\n')
  process.exit(2)
}

try {
  const tools = await prepare()
  process.exitCode = command === 'start' ? await start(tools, rest) : await test(tools, rest)
} catch (error) {
  say(error instanceof Error ? error.message : String(error))
  if (command === 'test') process.stdout.write('0 passed, 1 failed\n')
  process.exitCode = 1
}

/**
 * @typedef {object} Tools
 * @property {string} node path of a Node that runs TypeScript sources
 * @property {NodeJS.ProcessEnv} env environment in which `node` and `pnpm` are the right ones
 */

/**
 * Finds or obtains Node and pnpm, and installs the workspace.
 *
 * @returns {Promise<Tools>}
 */
async function prepare() {
  const env = {
    ...process.env,
    COREPACK_ENABLE_DOWNLOAD_PROMPT: '0',
    TURBO_TELEMETRY_DISABLED: '1',
  }
  const ownNode = isRecentNode(process.versions.node)
  const ownPnpm = ownNode && findPnpm(env)
  const wanted = [
    ...(ownNode ? [] : [`${nodePackage()}@${obtainedNode}`]),
    ...(ownPnpm ? [] : [`pnpm@${pnpmVersion}`]),
  ]
  const toolchain = wanted.length > 0 ? await obtain(wanted) : undefined
  const modules = toolchain && join(toolchain, 'node_modules')
  const node = ownNode || !modules ? process.execPath : nodeBinary(join(modules, nodePackage()))
  const path = [dirname(node), ...(modules ? [join(modules, '.bin')] : []), env['PATH'] ?? '']
  const tools = { node, env: { ...env, PATH: path.join(delimiter) } }

  const install = ['install', '--frozen-lockfile']
  const [pnpm, pnpmArguments] =
    ownPnpm || !modules
      ? ['pnpm', install]
      : [node, [join(modules, 'pnpm', 'bin', 'pnpm.mjs'), ...install]]
  const status = await run(pnpm, pnpmArguments, {
    env: tools.env,
    shell: pnpm === 'pnpm' && isWindows(),
  })
  if (status !== 0) throw new Error(`pnpm install --frozen-lockfile ended with status ${status}`)
  return tools
}

/**
 * Runs the reference server from its sources.
 *
 * @param {Tools} tools
 * @param {readonly string[]} serverArguments
 * @returns {Promise<number>} its exit code
 */
function start({ node, env }, serverArguments) {
  const main = join(root, 'apps', 'server', 'src', 'main.ts')
  return run(node, [...sourceFlags(), main, ...serverArguments], { env, stdout: 1 })
}

/**
 * Type check, linter, every test; then one line with the counts.
 *
 * @param {Tools} tools
 * @param {readonly string[]} vitestArguments
 * @returns {Promise<number>} 0 when something ran and nothing failed
 */
async function test({ node, env }, vitestArguments) {
  const modules = join(root, 'node_modules')
  const tsc = join(modules, 'typescript', 'bin', 'tsc')
  const biome = join(modules, '@biomejs', 'biome', 'bin', 'biome')
  const vitest = join(modules, 'vitest', 'vitest.mjs')
  const report = join(cache, 'vitest.json')
  mkdirSync(cache, { recursive: true })
  rmSync(report, { force: true })

  const typeCheck = await step('type check', node, [tsc, '-b'], env)
  const lint = await step('linter', node, [biome, 'check', '--error-on-warnings'], env)
  const outside = join(cache, 'unhandled-errors.txt')
  rmSync(outside, { force: true })
  const counter = `--reporter=${join(root, 'tooling', 'unhandled-errors-reporter.mjs')}`
  const reporters = [
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    counter,
  ]
  const tests = await step('tests', node, [vitest, 'run', ...reporters, ...vitestArguments], env)

  // Each dead process is one error outside tests; any further one is an error of its own and fails the run.
  const dead = tests === 0 ? [] : filesOfDeadProcesses(report)
  const errors = existsSync(outside) ? Number(readFileSync(outside, 'utf8')) : Number.NaN
  const again = errors === dead.length ? dead : []
  const counts =
    again.length === 0 ? countTests(report) : await countAgain(again, { node, env, vitest, report })
  const checksFailed = [typeCheck, lint].filter((status) => status !== 0).length
  const unexplained = tests !== 0 && again.length === 0 && counts.failed === 0 ? 1 : 0
  const failed = counts.failed + checksFailed + unexplained
  if (typeCheck !== 0) say('The type check failed (counted as one failure).')
  if (lint !== 0) say('The linter failed (counted as one failure).')
  if (unexplained > 0) say('The test run failed outside a test (counted once).')
  if (counts.skipped > 0) say(`${counts.skipped} skipped; see above why.`)
  if (counts.passed === 0 && failed === 0) say('No test ran.')
  process.stdout.write(`${counts.passed} passed, ${failed} failed\n`)
  return counts.passed > 0 && failed === 0 ? 0 : 1
}

/**
 * @param {string} name
 * @param {string} node
 * @param {readonly string[]} stepArguments
 * @param {NodeJS.ProcessEnv} env
 */
async function step(name, node, stepArguments, env) {
  say(`\n== ${name}`)
  const started = Date.now()
  const status = await run(node, stepArguments, { env })
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  say(`== ${name}: ${status === 0 ? 'ok' : 'failed'} in ${seconds} s`)
  return status
}

/**
 * What vitest wrote down. A file that fails before its first test counts as one failure.
 *
 * @param {string} report path of the JSON report
 */
function countTests(report) {
  if (!existsSync(report)) return { passed: 0, failed: 0, skipped: 0 }
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(
    readFileSync(report, 'utf8'),
  )
  const failedOutsideTests = testResults.filter(
    (/** @type {{ status: string, assertionResults: readonly { status: string }[] }} */ file) =>
      file.status === 'failed' &&
      !file.assertionResults.some((assertion) => assertion.status === 'failed'),
  ).length
  return {
    passed: numPassedTests,
    failed: numFailedTests + failedOutsideTests,
    skipped: numPendingTests,
  }
}

/**
 * Files whose test process died of a signal (native code, memory) before it was through: no test of theirs
 * failed, some never ran.
 *
 * @param {string} report path of the JSON report
 * @returns {string[]}
 */
function filesOfDeadProcesses(report) {
  if (!existsSync(report)) return []
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  return testResults.filter(isCutShort).map((/** @type {{ name: string }} */ { name }) => name)
}

/** @param {{ status: string, message: string, assertionResults: readonly { status: string }[] }} file */
function isCutShort({ status, message, assertionResults }) {
  const has = (/** @type {string} */ wanted) =>
    assertionResults.some((each) => each.status === wanted)
  return status === 'failed' && message === '' && has('pending') && !has('failed')
}

/**
 * Runs files whose process died once more, loudly, and puts their counts in place of the first ones.
 *
 * @param {readonly string[]} files
 * @param {{ node: string, env: NodeJS.ProcessEnv, vitest: string, report: string }} options
 */
async function countAgain(files, { node, env, vitest, report }) {
  say(`WARNING: a test process died. Once more: ${files.join(', ')}`)
  const second = `${report}.again.json`
  rmSync(second, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${second}`]
  const status = await step('tests once more', node, [vitest, 'run', ...reporters, ...files], env)
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  const cut = testResults
    .filter(isCutShort)
    .flatMap(
      (/** @type {{ assertionResults: readonly { status: string }[] }} */ file) =>
        file.assertionResults,
    )
  const first = countTests(report)
  const repeated = countTests(second)
  const failed = first.failed - files.length + repeated.failed
  const passedBefore = cut.filter(
    (/** @type {{ status: string }} */ { status }) => status === 'passed',
  )
  return {
    passed: first.passed - passedBefore.length + repeated.passed,
    failed: failed + (status !== 0 && repeated.failed === 0 ? 1 : 0),
    skipped: repeated.skipped,
  }
}

/**
 * Installs packages into a directory of their own, once per set of versions.
 *
 * @param {readonly string[]} packages
 * @returns {Promise<string>} the directory
 */
async function obtain(packages) {
  const name = packages.join('+').replaceAll(/[^a-z0-9.+@-]/g, '_')
  const directory = join(cache, 'toolchain', name)
  if (existsSync(directory)) return directory
  say(`Obtaining ${packages.join(' and ')} from the npm registry.`)
  const unfinished = `${directory}.${process.pid}`
  mkdirSync(unfinished, { recursive: true })
  const install = ['install', '--prefix', unfinished, '--no-save', '--no-audit', '--no-fund']
  const [npm, npmArguments] = npmCommand([...install, '--loglevel=error', ...packages])
  const status = await run(npm, npmArguments, { shell: npm === 'npm' && isWindows() })
  if (status !== 0) {
    rmSync(unfinished, { recursive: true, force: true })
    throw new Error(`npm could not install ${packages.join(' and ')} (status ${status})`)
  }
  // Renaming is atomic: an interrupted or a concurrent run leaves nothing half installed.
  if (existsSync(directory)) rmSync(unfinished, { recursive: true, force: true })
  else renameSync(unfinished, directory)
  return directory
}

/**
 * Runs a program in the repository root. It has a session of its own: whoever signals this script, or
 * its whole process group, ends the program with one signal, which lets it shut down in order.
 *
 * @param {string} program
 * @param {readonly string[]} programArguments
 * @param {{ env?: NodeJS.ProcessEnv, shell?: boolean, stdout?: 1 | 2 }} [options]
 *   `stdout` is the descriptor of ours that takes the program's stdout
 * @returns {Promise<number>} the exit code, or 128 + the number of the signal that ended it
 */
function run(program, programArguments, { env = process.env, shell = false, stdout = talk } = {}) {
  return new Promise((resolve, reject) => {
    const [file = program, ...words] = [...diesWithParent, program, ...programArguments]
    const child = spawn(file, words, {
      cwd: root,
      env,
      shell,
      detached: !isWindows(),
      stdio: ['inherit', stdout, talk],
    })
    const stopWatching = onEnd((signal) => child.kill(signal))
    child.once('error', (error) => {
      stopWatching()
      reject(error)
    })
    child.once('exit', (code, signal) => {
      stopWatching()
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0))
    })
  })
}

/**
 * Calls back when this script is asked to end. npm runs scripts in a shell that may die of a signal
 * without handing it on; losing that shell is being asked, too.
 *
 * @param {(signal: NodeJS.Signals) => void} end
 * @returns {() => void} stops watching
 */
function onEnd(end) {
  let wasAsked = false
  const ask = (/** @type {NodeJS.Signals} */ signal) => {
    wasAsked = true
    end(signal)
  }
  const interrupt = () => ask('SIGINT')
  const terminate = () => ask('SIGTERM')
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', terminate)
  process.on('SIGHUP', terminate)
  const parent = process.ppid
  const watch = setInterval(() => {
    if (!process.env['npm_lifecycle_event'] || process.ppid === parent) return
    clearInterval(watch)
    if (!wasAsked) terminate()
  }, 200)
  return () => {
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', terminate)
    process.off('SIGHUP', terminate)
    clearInterval(watch)
  }
}

/** Words before a command that have it asked to end when this script is killed, where that exists. */
function deathGuard() {
  const guard = ['setpriv', '--pdeathsig', 'TERM']
  const [file = '', ...words] = [...guard, 'true']
  return spawnSync(file, words).status === 0 ? guard : []
}

/** Flags with which Node runs the packages' TypeScript sources. */
function sourceFlags() {
  return ['--conditions=@engine/source', '--disable-warning=ExperimentalWarning']
}

/** @param {string} version */
function isRecentNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [lowestMajor = 0, lowestMinor = 0] = lowestNode
  return major > lowestMajor || (major === lowestMajor && minor >= lowestMinor)
}

/**
 * Whether a pnpm of the right major version is on the PATH.
 *
 * @param {NodeJS.ProcessEnv} env
 */
function findPnpm(env) {
  const found = spawnSync('pnpm', ['--version'], {
    cwd: root,
    env,
    shell: isWindows(),
    encoding: 'utf8',
    timeout: 60_000,
  })
  return found.status === 0 && found.stdout.trim().split('.')[0] === pnpmVersion.split('.')[0]
}

/** The version that package.json pins as `packageManager`. */
function pinnedPnpm() {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return packageManager.replace(/^pnpm@/, '').replace(/\+.*$/, '')
}

/** The npm package that carries a Node binary for this machine. */
function nodePackage() {
  return `node-${isWindows() ? 'win' : process.platform}-${process.arch}`
}

/** @param {string} directory of an installed package that carries Node */
function nodeBinary(directory) {
  return join(directory, 'bin', isWindows() ? 'node.exe' : 'node')
}

/**
 * The npm that runs this script when there is one, else the one on the PATH.
 *
 * @param {readonly string[]} npmArguments
 * @returns {[string, readonly string[]]}
 */
function npmCommand(npmArguments) {
  const cli = process.env['npm_execpath']
  return cli && basename(cli) === 'npm-cli.js'
    ? [process.execPath, [cli, ...npmArguments]]
    : ['npm', npmArguments]
}

/** @param {string} line */
function say(line) {
  process[talk === 1 ? 'stdout' : 'stderr'].write(`${line}\n`)
}

function isWindows() {
  return process.platform === 'win32'
}
