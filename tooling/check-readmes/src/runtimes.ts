import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const { resolve } = createRequire(import.meta.url)

/** Packages that contain a program, by `process.platform` and `process.arch`, and the program's path in them. */
const packages = {
  bun: {
    'linux-x64': '@oven/bun-linux-x64',
    'linux-arm64': '@oven/bun-linux-aarch64',
    'darwin-x64': '@oven/bun-darwin-x64',
    'darwin-arm64': '@oven/bun-darwin-aarch64',
  },
  deno: {
    'linux-x64': '@deno/linux-x64-glibc',
    'linux-arm64': '@deno/linux-arm64-glibc',
    'darwin-x64': '@deno/darwin-x64',
    'darwin-arm64': '@deno/darwin-arm64',
  },
} as const

const programs = { bun: 'bin/bun', deno: 'deno' } as const

/**
 * Path of another runtime's program.
 *
 * @throws {Error} where there is none for this machine.
 */
export function runtimePath(runtime: 'bun' | 'deno'): string {
  const platform = `${process.platform}-${process.arch}`
  const name = (packages[runtime] as Readonly<Record<string, string>>)[platform]
  if (name === undefined) throw new Error(`There is no ${runtime} for ${platform}.`)
  return join(dirname(resolve(`${name}/package.json`)), programs[runtime])
}
