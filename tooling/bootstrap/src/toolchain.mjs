// @ts-check
/**
 * @module Node and pnpm in the versions that the project needs, from the npm registry where the machine does not have
 * them.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import process from 'node:process'
import { isWindows, root, run, say } from './run-program.mjs'

const lowestNode = [22, 18]
const obtainedNode = '24'
const pnpmVersion = pinnedPnpm()

/** The cache directory of this project's commands. */
export const cache = join(root, 'node_modules', '.cache', 'engine')

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
export async function prepare() {
  /** @type {NodeJS.ProcessEnv} */
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
 * Installs packages into a separate directory, once for each set of versions.
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
  // Renaming is atomic: an interrupted or a concurrent run leaves no incomplete installation.
  if (existsSync(directory)) rmSync(unfinished, { recursive: true, force: true })
  else renameSync(unfinished, directory)
  return directory
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
