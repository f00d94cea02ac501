/** @module The package manager that started this program. */

export interface PackageManager {
  readonly name: 'npm' | 'pnpm' | 'yarn' | 'bun'
  /** `pnpm exec engine-server` */
  readonly runs: string
}

/** @param agent `npm_config_user_agent`: `pnpm/10.1.0 npm/? node/v24.0.0 linux x64` */
export function packageManager(agent: string | undefined): PackageManager {
  switch (agent?.split('/')[0]) {
    case 'pnpm':
      return { name: 'pnpm', runs: 'pnpm exec' }
    case 'yarn':
      return { name: 'yarn', runs: 'yarn' }
    case 'bun':
      return { name: 'bun', runs: 'bunx' }
    default:
      return { name: 'npm', runs: 'npx' }
  }
}
