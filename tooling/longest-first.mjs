// @ts-check
/**
 * @module The order of test files: the longest first, so that no core is idle while the last one runs. The seconds were
 * recorded by `pnpm record-test-seconds`. They only order: a file that was renamed or has another duration by now does no harm.
 */
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BaseSequencer } from 'vitest/node'

const root = fileURLToPath(new URL('..', import.meta.url))

/** @type {Readonly<Record<string, number>>} */
const recorded = JSON.parse(readFileSync(new URL('test-seconds.json', import.meta.url), 'utf8'))

export class LongestFirst extends BaseSequencer {
  /**
   * @override
   * @param {import('vitest/node').TestSpecification[]} files
   * @returns {Promise<import('vitest/node').TestSpecification[]>} files of one project stay together
   */
  async sort(files) {
    const sorted = await super.sort(files)
    const projects = [...new Set(sorted.map(({ project }) => project.name))]
    return projects.flatMap((name) =>
      sorted
        .filter(({ project }) => project.name === name)
        .toSorted((a, b) => secondsOf(b.moduleId) - secondsOf(a.moduleId)),
    )
  }
}

/** @param {string} path of a test file; those without a record take few seconds */
function secondsOf(path) {
  return recorded[relative(root, path).replaceAll('\\', '/')] ?? 0
}
