import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '@engine/check-packages'

const name = 'virtual:admin-tokens.css'
const tokens = join(repositoryRoot, 'packages', 'admin', 'src', 'page', 'design', 'tokens.css')

interface TokensPlugin {
  readonly name: string
  resolveId(id: string): string | undefined
  load(id: string): string | undefined
}

/** The colours and sizes of the administrator's pages, with VitePress's mark of the dark theme. */
export function adminTokens(): TokensPlugin {
  return {
    name: 'admin-tokens',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) =>
      id === `\0${name}`
        ? readFileSync(tokens, 'utf8').replaceAll(':root[data-theme="dark"]', ':root.dark')
        : undefined,
  }
}
