/** @module Runs the tests that `init` wrote, before it says that it is done. */
import { resolve } from 'node:path'
import { silentLog } from '@engine/core'
import { withEngine } from '../command-line/with-engine.ts'
import { formatResults } from '../permission-tests/format-results.ts'
import { runTests } from '../permission-tests/run-tests.ts'
import { readTestFile } from '../permission-tests/test-file.ts'

export interface WrittenTestsRun {
  readonly isGood: boolean
  /** The tests that failed, and the counts. */
  readonly text: string
}

/**
 * What the tests write is rolled back. Warnings of the configuration are not repeated: `doctor` has them.
 *
 * @param file in the working directory.
 */
export async function runWrittenTests(file: string): Promise<WrittenTestsRun> {
  const { config, tests } = await readTestFile(resolve(file))
  const results = await withEngine(config, (engine) => runTests(tests, engine, {}), silentLog)
  const failed = results.filter(({ problems }) => problems.length > 0)
  const counted = formatResults(results).trimEnd().split('\n').at(-1) ?? ''
  const shown = formatResults(failed).trimEnd().split('\n').slice(0, -1)
  return { isGood: failed.length === 0, text: [...shown, counted].join('\n') }
}
