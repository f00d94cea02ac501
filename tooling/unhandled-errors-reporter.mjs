import { writeFileSync } from 'node:fs'

const file = new URL('../node_modules/.cache/engine/unhandled-errors.txt', import.meta.url)

/** Writes down how many errors outside tests a run had, for `bootstrap.mjs`: the JSON report leaves them out. */
export default class UnhandledErrorsReporter {
  /**
   * @param {unknown} _modules
   * @param {readonly unknown[]} errors
   */
  onTestRunEnd(_modules, errors) {
    writeFileSync(file, String(errors.length))
  }
}
