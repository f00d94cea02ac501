// @ts-check
/**
 * @module `pnpm nightly`: what `npm test` does briefly, at length. `--minutes 20` is the time of each fuzzer and of each
 * run with faults, `--only chaos` runs the steps whose names contain that. The last line has the counts.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { run, say } from './bootstrap/src/run-program.mjs'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    only: { type: 'string', default: '' },
  },
})
const seconds = String(Number(values.minutes) * 60)
/** Random tests of `npm test` have one that stays. */
const newSeed = String(Date.now() % 2 ** 31)

/**
 * @param {string} name
 * @param {readonly string[]} words
 */
const fuzz = (name, ...words) => ({
  name: ['fuzz', name, ...words].join(' '),
  words: ['tooling/fuzz/src/main.ts', name, '--seconds', seconds, '--lanes', '2', ...words],
  env: {},
})
/** @param {string} service */
const chaos = (service) => ({
  name: `chaos ${service}`,
  words: ['tooling/chaos/src/main.ts', '--seconds', seconds, '--service', service],
  env: {},
})
/**
 * Tests that draw their cases, with more of them.
 *
 * @param {string} name
 * @param {Readonly<Record<string, string>>} env
 * @param {readonly string[]} files
 */
const longTests = (name, env, ...files) => ({
  name: `tests: ${name}`,
  words: ['node_modules/vitest/vitest.mjs', 'run', '--project', 'databases', ...files],
  env,
})

const steps = [
  fuzz('row-security'),
  ...['mariadb', 'mysql'].flatMap((vendor) =>
    ['non-interference', 'checked-writes', 'databases'].map((name) =>
      fuzz(name, '--mysql', vendor),
    ),
  ),
  ...['postgres', 'sqlite', 'mariadb', 'mysql'].map((database) => ({
    name: `planning on ${database}`,
    words: ['tooling/fuzz/src/main.ts', 'planning', '--database', database],
    env: {},
  })),
  chaos('postgres'),
  chaos('mariadb'),
  chaos('mysql'),
  longTests(
    'the newest versions',
    { TEST_NEWEST: 'true' },
    'packages/adapters-postgres/test/conformance.test.ts',
    'packages/adapters-mysql/test/conformance.test.ts',
    'apps/server/test/corpus/corpus-postgres.test.ts',
    'apps/server/test/corpus/corpus-mysql',
  ),
  longTests(
    'reference model',
    { REFERENCE_MODEL_RUNS: '2000', REFERENCE_MODEL_SEED: newSeed },
    'reference-model.test.ts',
  ),
  longTests(
    'hostile claims',
    { HOSTILE_CLAIMS: '100000', REFERENCE_MODEL_SEED: newSeed },
    'hostile-claims.test.ts',
  ),
  longTests('every nested statement', { NESTING: 'every' }, 'tooling/fuzz/test/nesting.test.ts'),
  longTests('concurrent writes', { CONCURRENT_WRITES: '20000' }, 'permissions-concurrency.test.ts'),
  longTests('sessions under load', { SESSIONS: '2000' }, 'revoked-under-load.test.ts'),
].filter(({ name }) => name.includes(values.only))

/** @type {string[]} */
const failed = []
for (const { name, words, env } of steps) {
  say(`\n== ${name}`)
  const started = Date.now()
  const status = await run(process.execPath, ['--conditions=@engine/source', ...words], {
    env: { ...process.env, ...env },
  })
  const minutes = ((Date.now() - started) / 60_000).toFixed(1)
  say(`== ${name}: ${status === 0 ? 'ok' : 'failed'} in ${minutes} minutes`)
  if (status !== 0) failed.push(name)
}
for (const name of failed) say(`${name} failed.`)
say(`${steps.length - failed.length} passed, ${failed.length} failed`)
process.exitCode = steps.length > 0 && failed.length === 0 ? 0 : 1
