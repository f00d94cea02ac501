import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { publishablePackages, repositoryRoot } from '@engine/check-packages'

/** What users read, as paths in the repository: the README, pages of `docs/`, READMEs of packages and of examples. */
export const userPages: readonly string[] = [
  'README.md',
  ...readdirSync(join(repositoryRoot, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  ...publishablePackages().map(
    ({ directory }) => `${relative(repositoryRoot, directory).replaceAll('\\', '/')}/README.md`,
  ),
  ...readdirSync(join(repositoryRoot, 'apps'))
    .filter((name) => name.startsWith('example-'))
    .map((name) => `apps/${name}/README.md`),
]

/** @param page one of `userPages` */
export function readPage(page: string): string {
  return readFileSync(join(repositoryRoot, page), 'utf8')
}
