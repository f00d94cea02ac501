/**
 * @module Replaces `vitest` in the files of tests: records their tests, for `test-process.ts` to run repeatedly.
 * `expect` is Vitest's own.
 */
import { expect as vitestExpect } from 'vitest'

export const expect: typeof vitestExpect = vitestExpect

export interface CollectedTest {
  readonly name: string
  readonly run: () => unknown
  readonly before: readonly (() => unknown)[]
}

export const tests: CollectedTest[] = []

interface Suite {
  readonly name: string
  readonly before: (() => unknown)[]
}

const suites: Suite[] = [{ name: '', before: [] }]

type Body = (...values: unknown[]) => unknown

function addTest(name: string, body: Body, values: readonly unknown[] = []): void {
  const before = suites.flatMap((suite) => suite.before)
  const path = [...suites.map((suite) => suite.name), name].join(' > ')
  tests.push({ name: path, run: () => body(...values), before: [...before] })
}

function addSuite(name: string, body: Body, values: readonly unknown[] = []): void {
  suites.push({ name, before: [] })
  body(...values)
  suites.pop()
}

function each(add: (name: string, body: Body, values: readonly unknown[]) => void) {
  return (table: readonly unknown[]) => (name: string, body: Body) => {
    for (const [i, row] of table.entries()) {
      add(`${name} ${i}`, body, Array.isArray(row) ? row : [row])
    }
  }
}

export const test = Object.assign((name: string, body: Body) => addTest(name, body), {
  each: each(addTest),
})
export const it = test
export const describe = Object.assign((name: string, body: Body) => addSuite(name, body), {
  each: each(addSuite),
})
export function beforeAll(body: () => unknown): void {
  suites.at(-1)?.before.push(body)
}
export const beforeEach = beforeAll
/** No resource of these tests survives their process. */
export const afterAll = (): undefined => undefined
export const afterEach = afterAll

/** The compiler checks types: every expectation about a type holds here. */
export function expectTypeOf(): unknown {
  const anything: unknown = new Proxy(() => anything, {
    get: () => anything,
    apply: () => anything,
  })
  return anything
}
