import { expect, test } from 'vitest'
import {
  countBoth,
  countsLine,
  countTests,
  filesToRepeat,
  serverLines,
  slowFiles,
} from './test-report.mjs'

const clockBound = '/somewhere/apps/server/test/browser/react.test.ts'
const other = '/somewhere/packages/core/src/compiler/bind/bind.test.ts'
const random = '/somewhere/tooling/fuzz/test/fuzz.test.ts'

const file = (name: string, ...statuses: string[]) => ({
  name,
  status: statuses.includes('failed') || statuses.includes('pending') ? 'failed' : 'passed',
  message: '',
  startTime: 1_000,
  endTime: 1_000,
  assertionResults: statuses.map((status, index) => ({ status, fullName: `test ${index}` })),
})
const report = (...testResults: ReturnType<typeof file>[]) => ({ testResults })

test('a run without failures has nothing to repeat', () => {
  expect(filesToRepeat(report(file(clockBound, 'passed')), 0)).toEqual([])
})

test('a failure of a file that is bound to the clock is looked at twice', () => {
  const run = report(file(clockBound, 'passed', 'failed'), file(other, 'passed'))
  expect(filesToRepeat(run, 0)).toEqual([clockBound])
})

test.for([other, random])('a failure of %s counts at once', (name) => {
  expect(filesToRepeat(report(file(name, 'failed')), 0)).toEqual([])
})

test('where something else failed too nothing is looked at twice', () => {
  expect(filesToRepeat(report(file(clockBound, 'failed'), file(other, 'failed')), 0)).toEqual([])
})

test('many failures are no accident', () => {
  const names = [1, 2, 3, 4].map((each) => clockBound.replace('react', `page-${each}`))
  expect(
    filesToRepeat(report(...names.slice(1).map((name) => file(name, 'failed'))), 0),
  ).toHaveLength(3)
  expect(filesToRepeat(report(...names.map((name) => file(name, 'failed'))), 0)).toEqual([])
})

test('an error outside of tests counts at once', () => {
  expect(filesToRepeat(report(file(clockBound, 'failed')), 1)).toEqual([])
  expect(filesToRepeat(report(file(clockBound, 'failed')), Number.NaN)).toEqual([])
})

test('a file whose process died is a failure, and nothing runs once more', () => {
  const run = report(file(other, 'passed', 'pending'), file(clockBound, 'failed'))
  expect(filesToRepeat(run, 1)).toEqual([])
  expect(countTests(run.testResults).failed).toBe(2)
})

test('files over the limit are named, the slowest first', () => {
  expect(slowFiles({ 'a.test.ts': 20, 'b.test.ts': 20.5, 'c.test.ts': 61 }, 20)).toEqual([
    { name: 'c.test.ts', seconds: 61 },
    { name: 'b.test.ts', seconds: 20.5 },
  ])
})

test('a file that cannot be loaded is one failure, and no accident', () => {
  const broken = {
    name: clockBound,
    status: 'failed',
    message: 'SyntaxError',
    startTime: 1_000,
    endTime: 1_000,
    assertionResults: [],
  }
  expect(countTests([broken])).toEqual({ passed: 0, failed: 1, skipped: 0 })
  expect(filesToRepeat({ testResults: [broken] }, 0)).toEqual([])
})

test('the last line counts what was skipped apart', () => {
  expect(countsLine({ passed: 3, failed: 1, skipped: 0 })).toBe('3 passed, 1 failed')
  expect(countsLine({ passed: 3, failed: 0, skipped: 2 })).toBe('3 passed, 0 failed, 2 skipped')
})

test('a run names its servers, and why one was missing', () => {
  const servers = [
    { name: 'PostgreSQL', version: '15.14' },
    { name: 'MariaDB', version: '10.11.14' },
    { name: 'MySQL', missing: 'no network' },
  ]
  expect(serverLines(servers)).toEqual([
    'Tested with PostgreSQL 15.14, MariaDB 10.11.14.',
    'Without MySQL (its tests were skipped): no network',
  ])
  expect(serverLines([])).toEqual([])
})

test('the second run of a file counts instead of the first', () => {
  const first = report(file(clockBound, 'passed', 'failed'), file(other, 'passed', 'skipped'))
  expect(countBoth(first, report(file(clockBound, 'passed', 'passed')))).toEqual({
    passed: 3,
    failed: 0,
    skipped: 1,
  })
  expect(countBoth(first, report(file(clockBound, 'passed', 'failed'))).failed).toBe(1)
})
