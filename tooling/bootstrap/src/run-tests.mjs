// @ts-check
/** @module Runs every check of the project, and prints one line with the counts. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { root, run, runCollecting, say } from './run-program.mjs'
import {
  countBoth,
  countsLine,
  countTests,
  failedTests,
  filesToRepeat,
  serverLines,
  slowFiles,
} from './test-report.mjs'
import { cache } from './toolchain.mjs'

/** Written by `tooling/run-facts-reporter.mjs`. */
const factsFile = join(cache, 'run-facts.json')

/** Files of tests that take longer are named, in seconds. */
const slow = 20

/** Written by `tooling/test-databases/src/processes/servers-of-run.ts`. */
const serversFile = join(cache, 'test-servers.json')

/**
 * Type check, linter, unused code, spelling, every test; then the servers that were used, and one line with the counts.
 *
 * @param {import('./toolchain.mjs').Tools} tools
 * @param {readonly string[]} vitestArguments
 * @returns {Promise<number>} 0 when something ran and nothing failed
 */
export async function runTests({ node, env }, vitestArguments) {
  const modules = join(root, 'node_modules')
  const tsc = join(modules, 'typescript', 'bin', 'tsc')
  const biome = join(modules, '@biomejs', 'biome', 'bin', 'biome')
  const knip = join(modules, 'knip', 'bin', 'knip.js')
  const cspell = join(modules, 'cspell', 'bin.mjs')
  const programs = join(root, 'tooling', 'install-for-tests.mjs')
  mkdirSync(cache, { recursive: true })

  const checks = [
    { name: 'type check', words: [tsc, '-b'] },
    { name: 'linter', words: [biome, 'check', '--error-on-warnings'] },
    { name: 'search for unused code', words: [knip] },
    { name: 'spelling check', words: [cspell, 'lint', '--no-progress'] },
    {
      name: 'installation of programs for tests',
      words: ['--conditions=@engine/source', programs],
    },
  ]
  // At the same time: two of them use one core.
  const checked = await Promise.all(
    checks.map(async ({ name, words }) => ({ name, isOk: await check(name, node, words, env) })),
  )
  const failedChecks = checked.filter(({ isOk }) => !isOk).map(({ name }) => name)
  rmSync(serversFile, { force: true })
  const tests = await runVitest('tests', { node, env }, vitestArguments)
  const servers = existsSync(serversFile) ? JSON.parse(readFileSync(serversFile, 'utf8')) : []

  const again = tests.status === 0 ? [] : filesToRepeat(tests.report, tests.errors)
  const counts =
    again.length === 0
      ? { status: tests.status, ...countTests(tests.report.testResults) }
      : await repeat(again, tests.report, { node, env })
  const slowOnes = slowFiles(tests.seconds, slow)
  say(`\nFiles over ${slow} seconds: ${slowOnes.length === 0 ? 'none' : slowOnes.length}`)
  for (const { name, seconds } of slowOnes) {
    say(`${seconds.toFixed(1).padStart(8)} ${name}`)
  }
  const unexplained = counts.status !== 0 && counts.failed === 0 ? 1 : 0
  const failed = counts.failed + failedChecks.length + unexplained
  for (const name of failedChecks) say(`The ${name} failed (counted as one failure).`)
  if (unexplained > 0) say('The test run failed outside a test (counted once).')
  for (const line of serverLines(servers)) say(line)
  if (counts.passed === 0 && failed === 0) say('No test ran.')
  process.stdout.write(`${countsLine({ ...counts, failed })}\n`)
  return counts.passed > 0 && failed === 0 ? 0 : 1
}

/**
 * Runs some files once more, alone and with full output, and replaces their first results.
 *
 * @param {readonly string[]} files
 * @param {import('./test-report.mjs').Report} first
 * @param {import('./toolchain.mjs').Tools} tools
 */
async function repeat(files, first, tools) {
  say(`\nWARNING: tests that are bound to the clock failed. Once more, alone:`)
  for (const line of [...files, ...failedTests(first)]) say(`  ${line}`)
  const alone = ['--no-file-parallelism', ...files]
  const { status, report } = await runVitest('tests once more', tools, alone)
  const counts = { status, ...countBoth(first, report) }
  if (counts.failed === 0)
    say('WARNING: all of them passed alone. Find out why they did not at first.')
  return counts
}

/**
 * @param {string} name
 * @param {import('./toolchain.mjs').Tools} tools
 * @param {readonly string[]} vitestArguments
 * @returns {Promise<{ status: number, report: import('./test-report.mjs').Report, errors: number, seconds: Readonly<Record<string, number>> }>}
 *   `errors` are those outside of tests; NaN where vitest did not get so far as to count them. `seconds` are by file
 */
async function runVitest(name, { node, env }, vitestArguments) {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const file = join(cache, 'vitest.json')
  rmSync(file, { force: true })
  rmSync(factsFile, { force: true })
  const facts = join(root, 'tooling', 'run-facts-reporter.mjs')
  const reporters = ['--reporter=default', '--reporter=json', `--reporter=${facts}`]
  const words = [vitest, 'run', ...reporters, `--outputFile.json=${file}`, ...vitestArguments]
  const status = await step(name, node, words, env)
  return {
    status,
    report: existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { testResults: [] },
    ...(existsSync(factsFile)
      ? JSON.parse(readFileSync(factsFile, 'utf8'))
      : { errors: Number.NaN, seconds: {} }),
  }
}

/**
 * Prints the output of a check when the check has ended.
 *
 * @param {string} name
 * @param {string} node
 * @param {readonly string[]} words
 * @param {NodeJS.ProcessEnv} env
 */
async function check(name, node, words, env) {
  const started = Date.now()
  const { status, output } = await runCollecting(node, words, { env })
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  say(`\n== ${name}\n${output}== ${name}: ${status === 0 ? 'ok' : 'failed'} in ${seconds} s`)
  return status === 0
}

/**
 * @param {string} name
 * @param {string} node
 * @param {readonly string[]} stepArguments
 * @param {NodeJS.ProcessEnv} env
 */
async function step(name, node, stepArguments, env) {
  say(`\n== ${name}`)
  const started = Date.now()
  const status = await run(node, stepArguments, { env })
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  say(`== ${name}: ${status === 0 ? 'ok' : 'failed'} in ${seconds} s`)
  return status
}
