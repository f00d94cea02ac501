// @ts-check
/** @module `pnpm record-test-seconds`, after `npm test`: writes `test-seconds.json`, by which `longest-first.mjs` orders files. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const facts = new URL('../node_modules/.cache/engine/run-facts.json', import.meta.url)
const target = new URL('test-seconds.json', import.meta.url)

/** The order of shorter files does not matter. */
const shortest = 4

/** @type {Readonly<Record<string, number>>} */
const before = JSON.parse(readFileSync(target, 'utf8'))
/** @type {{ readonly seconds: Readonly<Record<string, number>> }} */
const { seconds } = JSON.parse(readFileSync(facts, 'utf8'))

// A run of some files leaves the seconds of the others as they were.
const long = Object.entries({ ...before, ...seconds })
  .map(([name, each]) => /** @type {const} */ ([name, Math.round(each)]))
  .filter(([name, each]) => each >= shortest && existsSync(new URL(`../${name}`, import.meta.url)))
  .toSorted(([a], [b]) => (a < b ? -1 : 1))
writeFileSync(target, `${JSON.stringify(Object.fromEntries(long), undefined, 2)}\n`)
