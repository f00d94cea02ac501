// @ts-check
/** @module The files of the server as it is published: those whose sources have changed are made again. */
import { join } from 'node:path'
import { runSilently } from './run-program.mjs'
import { closureOf } from './workspace.mjs'

/** The bundler strips the types of its own sources. */
const bundler = [
  '--disable-warning=ExperimentalWarning',
  join('tooling', 'bundle', 'src', 'main.ts'),
]

/** @param {import('./toolchain.mjs').Tools} tools */
export async function bundleServer({ node, env }) {
  await runSilently(
    node,
    [...bundler, ...closureOf('@engine/server').map(({ directory }) => directory)],
    { env },
  )
}
