// @ts-check
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Read by `bootstrap/src/run-tests.mjs` and `record-test-seconds.mjs`. */
const file = new URL('../node_modules/.cache/engine/run-facts.json', import.meta.url)
const root = fileURLToPath(new URL('..', import.meta.url))

/** Records what the JSON report of a run does not contain: errors outside of tests, and whole seconds of files. */
export default class RunFactsReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly unknown[]} errors
   */
  onTestRunEnd(modules, errors) {
    /** @type {Record<string, number>} */
    const seconds = {}
    for (const each of modules) {
      const { collectDuration, setupDuration, duration } = each.diagnostic()
      // With imports and hooks: the report has the time of the tests alone.
      const name = relative(root, each.moduleId).replaceAll('\\', '/')
      seconds[name] = (collectDuration + setupDuration + duration) / 1_000
    }
    writeFileSync(file, JSON.stringify({ errors: errors.length, seconds }))
  }
}
