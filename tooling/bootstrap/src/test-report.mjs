// @ts-check
/** @module Reads vitest's JSON report of a run, and chooses the files for a second run. */

/**
 * @typedef {{ readonly fullName: string, readonly status: string }} Assertion
 * @typedef {{ readonly name: string, readonly status: string, readonly message: string, readonly startTime: number, readonly endTime: number, readonly assertionResults: readonly Assertion[] }} FileReport
 * @typedef {{ readonly testResults: readonly FileReport[] }} Report
 * @typedef {{ readonly passed: number, readonly failed: number, readonly skipped: number }} Counts
 * @typedef {{ readonly name: string, readonly version?: string, readonly missing?: string }} Server
 */

/**
 * Folders of tests that drive other programs with time limits: a busy machine can make them fail without a defect, and
 * so can a Node that hangs when a program ends (nodejs/node#54918). Tests with random cases are not included, since a
 * second run uses other cases.
 */
const clockBound =
  /\/(apps\/server\/test\/(admin|audit|auth|browser|client|limits|nodes|operations|process|robustness|users-import|wire)|packages\/(adapters-[a-z]+|auth|codegen)\/test|tooling\/(chaos|check-[a-z]+|test-[a-z]+|wire-clients)\/test)\//

/** With more failed files than this, the failures are real. */
const mostUnsteady = 3

/**
 * Tests of some files. A file that fails before its first test counts as one failure.
 *
 * @param {readonly FileReport[]} files
 * @returns {Counts}
 */
export function countTests(files) {
  const statuses = files.flatMap(({ assertionResults }) =>
    assertionResults.map(({ status }) => status),
  )
  const count = (/** @type {string[]} */ ...wanted) =>
    statuses.filter((status) => wanted.includes(status)).length
  const outside = files.filter((file) => file.status === 'failed' && !has(file, 'failed')).length
  return {
    passed: count('passed'),
    failed: count('failed') + outside,
    skipped: count('pending', 'skipped', 'todo', 'disabled'),
  }
}

/**
 * The last line of a run; what was skipped is no part of what passed.
 *
 * @param {Counts} counts
 */
export function countsLine({ passed, failed, skipped }) {
  const line = `${passed} passed, ${failed} failed`
  return skipped > 0 ? `${line}, ${skipped} skipped` : line
}

/**
 * The lines about the servers of a run: the versions of those that tests used, the reasons of those that were missing.
 *
 * @param {readonly Server[]} servers
 * @returns {readonly string[]}
 */
export function serverLines(servers) {
  const used = servers.flatMap(({ name, version }) => (version ? [`${name} ${version}`] : []))
  return [
    ...(used.length > 0 ? [`Tested with ${used.join(', ')}.`] : []),
    ...servers.flatMap(({ name, missing }) =>
      missing ? [`Without ${name} (its tests were skipped): ${missing}`] : [],
    ),
  ]
}

/**
 * The files to run once more: a few that depend on time limits, where no other file failed.
 *
 * @param {Report} report
 * @param {number} errorsOutside errors outside of tests, a test process that died among them: any forbids a second run
 * @returns {readonly string[]} none where the result is final
 */
export function filesToRepeat({ testResults }, errorsOutside) {
  if (errorsOutside !== 0) return []
  const failed = testResults.filter(({ status }) => status === 'failed')
  const areUnsteady = failed.every(isClockBound) && failed.length <= mostUnsteady
  return areUnsteady ? failed.map(({ name }) => name) : []
}

/**
 * The files that took longer than `limit`, the slowest first.
 *
 * @param {Readonly<Record<string, number>>} seconds by the path of the file
 * @param {number} limit in seconds
 * @returns {readonly { readonly name: string, readonly seconds: number }[]}
 */
export function slowFiles(seconds, limit) {
  return Object.entries(seconds)
    .map(([name, each]) => ({ name, seconds: each }))
    .filter((each) => each.seconds > limit)
    .toSorted((a, b) => b.seconds - a.seconds)
}

/**
 * @param {Report} first
 * @param {Report} second a run of some of the files of the first, whose results count instead
 * @returns {Counts}
 */
export function countBoth(first, second) {
  const repeated = new Set(second.testResults.map(({ name }) => name))
  const kept = first.testResults.filter(({ name }) => !repeated.has(name))
  return countTests([...kept, ...second.testResults])
}

/**
 * Full names of the tests of some files that failed.
 *
 * @param {Report} report
 * @returns {readonly string[]}
 */
export function failedTests({ testResults }) {
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => `${name}: ${fullName}`),
  )
}

/** @param {FileReport} file */
function isClockBound(file) {
  return clockBound.test(file.name.replaceAll('\\', '/')) && has(file, 'failed')
}

/**
 * @param {FileReport} file
 * @param {string} status
 */
function has({ assertionResults }, status) {
  return assertionResults.some((assertion) => assertion.status === status)
}
