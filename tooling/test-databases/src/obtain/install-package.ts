import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/**
 * Installs a package of Debian, where that needs no confirmation: as root, on a temporary build machine (`CI=true`).
 *
 * @returns whether it did; false where the conditions do not hold
 * @throws {Error} when the installation fails.
 */
export function installPackage(name: string, env: NodeJS.ProcessEnv = process.env): boolean {
  return installPackages([name], env)
}

/** The same with several at once. */
export function installPackages(
  names: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): boolean {
  const mayInstall = env['CI'] === 'true' && process.getuid?.() === 0
  if (!mayInstall || !existsSync('/usr/bin/apt-get')) return false
  const options = {
    encoding: 'utf8',
    // The package's service must not start: tests start their own.
    env: { ...env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
  } as const
  const wanted = ['install', '--yes', '--no-install-recommends', ...names]
  for (const words of [['update'], wanted]) {
    const { status, stderr, error } = spawnSync('apt-get', words, options)
    if (status !== 0) {
      throw new Error(`apt-get ${words.join(' ')} failed:\n${stderr}`, { cause: error })
    }
  }
  return true
}
