import { writeFileSync } from 'node:fs'

const file = new URL('../node_modules/.cache/engine/unhandled-errors.txt', import.meta.url)

/** Records the number of errors outside tests in a run, for `bootstrap.mjs`: the JSON report does not contain them. */
export default class UnhandledErrorsReporter {
  /**
   * @param {unknown} _modules
   * @param {readonly unknown[]} errors
   */
  onTestRunEnd(_modules, errors) {
    writeFileSync(file, String(errors.length))
  }
}
