import { indented } from '../format/lines.ts'
import type { TestResult } from './run-tests.ts'

/** One line for each test, its failed expectations below it, and the counts. */
export function formatResults(results: readonly TestResult[]): string {
  const lines = results.flatMap(({ name, problems }) => [
    `${problems.length === 0 ? 'ok  ' : 'FAIL'}  ${name}`,
    ...problems.flatMap((problem) => indented(indented(indented(problem.split('\n'))))),
  ])
  const failed = results.filter(({ problems }) => problems.length > 0).length
  return `${[...lines, `${results.length - failed} passed, ${failed} failed`].join('\n')}\n`
}
