// @ts-check
/** @module The administrator's pages, for a server that runs from the sources. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { installApart } from './install.mjs'
import { root, runSilently, say } from './run-program.mjs'
import { cache } from './toolchain.mjs'

const home = join(root, 'packages', 'admin')
const site = join('dist', 'site')

/** Files of the project that the build reads, besides packages. */
const sources = [join('src', 'page'), 'vite.config.ts']

/**
 * Builds the pages when they are missing or older than their sources. Without them the server runs all the same.
 *
 * @param {import('./toolchain.mjs').Toolchain} toolchain
 * @param {import('./steps.mjs').Steps} steps
 */
export async function buildPages(toolchain, steps) {
  const built = join(home, site, 'index.html')
  if (existsSync(built) && statSync(built).mtimeMs > newestSourceMs()) return
  try {
    await steps.run("administrator's pages", (report) =>
      existsSync(viteIn(home)) ? buildIn(home, toolchain) : buildApart(toolchain, report),
    )
  } catch (error) {
    say(error instanceof Error ? error.message : String(error))
    say('The pages at /admin could not be built: the server has none.')
  }
}

/**
 * Builds them with packages in a directory of their own: an installation without development dependencies has none of them.
 *
 * @param {import('./toolchain.mjs').Toolchain} toolchain
 * @param {(detail: string) => void} report
 */
async function buildApart(toolchain, report) {
  const directory = join(cache, 'pages')
  await remove(directory)
  try {
    await installApart('@engine/admin', directory, toolchain, report)
    for (const path of sources) {
      await cp(join(home, path), join(directory, path), { recursive: true })
    }
    await buildIn(directory, toolchain)
    await remove(join(home, site))
    await cp(join(directory, site), join(home, site), { recursive: true })
  } finally {
    // It has thousands of files: the server need not wait until they are gone.
    remove(directory).catch(() => undefined)
  }
}

/** @param {string} directory */
function remove(directory) {
  return rm(directory, { recursive: true, force: true })
}

/**
 * @param {string} directory
 * @param {import('./toolchain.mjs').Toolchain} toolchain
 */
async function buildIn(directory, toolchain) {
  const { node, env } = await toolchain.tools
  const config = join(directory, 'vite.config.ts')
  const words = [viteIn(directory), 'build', '--config', config, '--logLevel', 'error']
  await runSilently(node, words, { env: { ...env, NODE_ENV: 'production' } })
}

/** @param {string} directory */
function viteIn(directory) {
  return join(directory, 'node_modules', 'vite', 'bin', 'vite.js')
}

function newestSourceMs() {
  const pages = join(home, 'src', 'page')
  const names = readdirSync(pages, { recursive: true }).map((name) => join(pages, String(name)))
  return Math.max(...names.map((name) => statSync(name).mtimeMs))
}
