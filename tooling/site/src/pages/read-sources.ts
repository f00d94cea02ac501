import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '@engine/check-packages'
import { pagePath } from './page-path.ts'

export interface SourcePage {
  /** Path in the repository, with `/`. */
  readonly source: string
  /** Path of the page below the folder of pages. */
  readonly page: string
  readonly text: string
}

/** Every Markdown file that becomes a page. */
export function readSources(): readonly SourcePage[] {
  const patterns = [
    '*.md',
    'docs/**/*.md',
    '{packages,apps,tooling}/*/README.md',
    'tooling/README.md',
  ]
  return globSync(patterns, { cwd: repositoryRoot })
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted()
    .flatMap((source): readonly SourcePage[] => {
      const page = pagePath(source)
      if (page === undefined) return []
      return [{ source, page, text: readFileSync(join(repositoryRoot, source), 'utf8') }]
    })
}

/** The first heading of a text, without marks of code. */
export function titleOf(text: string): string {
  return (/^# (.+)$/m.exec(text)?.[1] ?? '').replaceAll('`', '')
}
