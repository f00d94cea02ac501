// @ts-check
/** @module The administrator's pages, for a server that runs from the sources. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root, run, say } from './run-program.mjs'

const home = join(root, 'packages', 'admin')

/**
 * Builds the pages when they are missing or older than their sources. Without them the server runs all the same.
 *
 * @param {import('./toolchain.mjs').Tools} tools
 */
export async function buildPages({ node, env }) {
  const built = join(home, 'dist', 'site', 'index.html')
  if (existsSync(built) && statSync(built).mtimeMs > newestSourceMs()) return
  const vite = join(home, 'node_modules', 'vite', 'bin', 'vite.js')
  const words = ['build', '--config', join(home, 'vite.config.ts'), '--logLevel', 'error']
  const status = await run(node, [vite, ...words], { env: { ...env, NODE_ENV: 'production' } })
  if (status !== 0) say('The pages at /admin could not be built.')
}

function newestSourceMs() {
  const sources = join(home, 'src', 'page')
  const names = readdirSync(sources, { recursive: true }).map((name) => join(sources, String(name)))
  return Math.max(...names.map((name) => statSync(name).mtimeMs))
}
