/** @module All pages that are made from code. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '@engine/check-packages'
import type { GeneratedPage } from '../pages/write-pages.ts'
import { apiPages } from './api-reference.ts'
import { constructReference } from './construct-reference.ts'
import { functionReference } from './function-reference.ts'
import { homeExample } from './home-example.ts'
import { optionReference } from './option-reference.ts'
import { openProbes } from './probe.ts'
import { problemReference } from './problem-reference.ts'

export async function generatedPages(): Promise<readonly GeneratedPage[]> {
  const configuration = readFileSync(join(repositoryRoot, 'docs', 'configuration.md'), 'utf8')
  const programs = apiPages()
  const names = programs.map(({ name }) => name.replace(/\.md$/, ''))
  const probes = await openProbes()
  try {
    return [
      // A part of the home page.
      { page: 'home-example.md', text: await homeExample() },
      { page: 'reference/options.md', text: optionReference(configuration) },
      { page: 'reference/problems.md', text: problemReference() },
      { page: 'reference/constructs.md', text: await constructReference(probes) },
      { page: 'reference/functions.md', text: await functionReference(probes) },
      ...programs.map(({ name, text }) => ({ page: `reference/api/${name}`, text })),
      // For the side bar.
      { page: 'reference/api/pages.json', text: JSON.stringify(names) },
    ]
  } finally {
    for (const probe of probes) await probe.close()
  }
}
