// @ts-check
/**
 * @module Node and pnpm in the versions that the project needs, from the npm registry where the machine does not have
 * them.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import process from 'node:process'
import { isWindows, root, runSilently } from './run-program.mjs'

const lowestNode = [22, 18]
const obtainedNode = '24'
const pnpmVersion = pinnedPnpm()

/** The cache directory of this project's commands. */
export const cache = join(root, 'node_modules', '.cache', 'engine')

/** @type {NodeJS.ProcessEnv} */
const ownEnvironment = {
  ...process.env,
  COREPACK_ENABLE_DOWNLOAD_PROMPT: '0',
  TURBO_TELEMETRY_DISABLED: '1',
}

/**
 * @typedef {object} Tools
 * @property {string} node path of a Node that runs TypeScript sources
 * @property {NodeJS.ProcessEnv} env environment in which `node` and `pnpm` are the right ones
 */

/**
 * @typedef {object} Command
 * @property {string} program
 * @property {readonly string[]} words come before all others
 * @property {boolean} shell
 */

/**
 * Node and pnpm. Each may have to be downloaded: pnpm needs only the Node that runs this script, so that packages are
 * installed while a newer Node arrives.
 *
 * @typedef {object} Toolchain
 * @property {Promise<Tools>} tools
 * @property {Promise<Command>} pnpm
 * @property {string} nodeVersion the packages are for this version
 */

/**
 * @param {import('./steps.mjs').Steps} steps
 * @returns {Toolchain}
 */
export function findToolchain(steps) {
  const ownNode = isRecentNode(process.versions.node)
  const ownPnpm = ownNode && findPnpm() ? undefined : obtainPnpm(steps)
  const pnpm = commandOf(ownPnpm)
  const found = {
    tools: toolsOf(ownNode ? undefined : obtainNode(pnpm, steps), ownPnpm),
    pnpm,
    nodeVersion: ownNode ? process.versions.node : `${obtainedNode}.0.0`,
  }
  // Whoever waits for one of them may not have begun to wait for the other when it fails.
  found.tools.catch(() => undefined)
  found.pnpm.catch(() => undefined)
  return found
}

/**
 * @param {Promise<string> | undefined} node directories of installed packages; undefined: the machine's own
 * @param {Promise<string> | undefined} pnpm
 * @returns {Promise<Tools>}
 */
async function toolsOf(node, pnpm) {
  const program = node === undefined ? process.execPath : nodeBinary(await node)
  const bin = pnpm === undefined ? [] : [join(dirname(await pnpm), '.bin')]
  const path = [dirname(program), ...bin, process.env['PATH'] ?? '']
  return { node: program, env: { ...ownEnvironment, PATH: path.join(delimiter) } }
}

/**
 * @param {Promise<string> | undefined} pnpm
 * @returns {Promise<Command>}
 */
async function commandOf(pnpm) {
  if (pnpm === undefined) return { program: 'pnpm', words: [], shell: isWindows() }
  const words = [join(await pnpm, 'bin', 'pnpm.mjs')]
  return { program: process.execPath, words, shell: false }
}

/**
 * Runs pnpm in the repository root.
 *
 * @param {Toolchain} toolchain
 * @param {readonly string[]} words
 * @param {(text: string) => void} [onOutput]
 */
export async function runPnpm({ pnpm, nodeVersion }, words, onOutput) {
  const { program, words: first, shell } = await pnpm
  // Which optional packages fit is decided by the Node that will run them, not by the one that runs pnpm.
  const all = [...first, `--config.node-version=${nodeVersion}`, ...words]
  await runSilently(program, all, { env: ownEnvironment, shell, ...(onOutput && { onOutput }) })
}

/**
 * @param {import('./steps.mjs').Steps} steps
 * @returns {Promise<string>} the directory of the package
 */
function obtainPnpm(steps) {
  return obtain('pnpm', pnpmVersion, `pnpm ${pnpmVersion}`, steps, async (directory, wanted) => {
    const install = ['install', '--prefix', directory, '--no-save', '--no-audit', '--no-fund']
    const [npm, words] = npmCommand([...install, '--loglevel=error', wanted])
    await runSilently(npm, words, { shell: npm === 'npm' && isWindows() })
  })
}

/**
 * pnpm unpacks it several times as fast as npm.
 *
 * @param {Promise<Command>} pnpm
 * @param {import('./steps.mjs').Steps} steps
 * @returns {Promise<string>} the directory of the package
 */
async function obtainNode(pnpm, steps) {
  const { program, words, shell } = await pnpm
  const title = `Node ${obtainedNode}`
  return obtain(nodePackage(), obtainedNode, title, steps, (directory, wanted) => {
    const add = [...words, 'add', '--ignore-workspace', '--dir', directory, wanted]
    return runSilently(program, add, { env: ownEnvironment, shell })
  })
}

/**
 * Installs a package of the npm registry into a directory of its own, once for each version.
 *
 * @param {string} name
 * @param {string} version
 * @param {string} title of the step
 * @param {import('./steps.mjs').Steps} steps
 * @param {(directory: string, wanted: string) => Promise<void>} install
 * @returns {Promise<string>} the directory of the package
 */
async function obtain(name, version, title, steps, install) {
  const directory = join(cache, 'toolchain', `${name}@${version}`)
  const found = join(directory, 'node_modules', name)
  if (existsSync(directory)) return found
  return steps.run(title, async () => {
    const unfinished = `${directory}.${process.pid}`
    mkdirSync(unfinished, { recursive: true })
    try {
      await install(unfinished, `${name}@${version}`)
    } catch (error) {
      rmSync(unfinished, { recursive: true, force: true })
      throw error
    }
    // Renaming is atomic: an interrupted or a concurrent run leaves no incomplete installation.
    if (existsSync(directory)) rmSync(unfinished, { recursive: true, force: true })
    else renameSync(unfinished, directory)
    return found
  })
}

/** @param {string} version */
function isRecentNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [lowestMajor = 0, lowestMinor = 0] = lowestNode
  return major > lowestMajor || (major === lowestMajor && minor >= lowestMinor)
}

/** Whether a pnpm of the right major version is on the PATH. */
function findPnpm() {
  const found = spawnSync('pnpm', ['--version'], {
    cwd: root,
    env: ownEnvironment,
    shell: isWindows(),
    encoding: 'utf8',
    timeout: 60_000,
  })
  return found.status === 0 && found.stdout.trim().split('.')[0] === pnpmVersion.split('.')[0]
}

/** The version in `packageManager` of package.json. */
function pinnedPnpm() {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return packageManager.replace(/^pnpm@/, '').replace(/\+.*$/, '')
}

/** The npm package that contains a Node binary for this machine. */
function nodePackage() {
  return `node-${isWindows() ? 'win' : process.platform}-${process.arch}`
}

/** @param {string} directory of an installed package that contains Node */
function nodeBinary(directory) {
  return join(directory, 'bin', isWindows() ? 'node.exe' : 'node')
}

/**
 * The npm that runs this script if there is one, otherwise the one on the PATH.
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
