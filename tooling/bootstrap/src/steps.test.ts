import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSteps } from './steps.mjs'

let written: string
let nowMs: number
const clock = () => nowMs
const write = (text: string) => {
  written += text
}
/** Lets time pass, in pieces as timers fire. */
const pass = async (ms: number) => {
  for (let passed = 0; passed < ms; passed += 100) {
    nowMs += 100
    await vi.advanceTimersByTimeAsync(100)
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  written = ''
  nowMs = 5_000
})
afterEach(() => vi.useRealTimers())

test('a step that has ended is a line with its time', async () => {
  const { run } = createSteps({ write, isTerminal: false, clock })
  const running = run('Packages', async () => {
    await pass(300)
    return 82
  })
  expect(await running).toBe(82)
  expect(written).toBe('  ✓ Packages  0.3 s\n')
})

test('in a file, what runs is a line at least every two seconds', async () => {
  const { run } = createSteps({ write, isTerminal: false, clock })
  const node = Promise.withResolvers<void>()
  const packages = Promise.withResolvers<void>()
  const all = Promise.all([
    run('Node', () => node.promise),
    run('packages', (report) => {
      report('50 of 82')
      return packages.promise
    }),
  ])
  await pass(4_200)
  node.resolve()
  await pass(2_200)
  packages.resolve()
  await all
  expect(written.split('\n')).toEqual([
    '  … Node, packages (50 of 82): 0.8 s',
    '  … Node, packages (50 of 82): 2.4 s',
    '  … Node, packages (50 of 82): 4.0 s',
    expect.stringMatching(/^ {2}✓ Node {2}4\.[23] s$/),
    expect.stringMatching(/^ {2}… packages \(50 of 82\): (5\.8|6\.0) s$/),
    '  ✓ packages  6.4 s',
    '',
  ])
})

test('at a terminal the line of what runs is replaced', async () => {
  const { run } = createSteps({ write, isTerminal: true, clock })
  await run('Node', () => pass(400))
  expect(written).toBe(
    '\r\u001b[2K  … Node: 0.2 s\r\u001b[2K  … Node: 0.4 s\r\u001b[2K  ✓ Node  0.4 s\n',
  )
})

test('a quiet run writes nothing for short steps, and failures in any case', async () => {
  const { run } = createSteps({ write, isTerminal: false, isQuiet: true, clock })
  await run('Packages', () => pass(300))
  expect(written).toBe('')
  const failure = run('Packages', async () => {
    throw new Error('no network')
  })
  await expect(failure).rejects.toThrow('no network')
  expect(written).toBe('  ✗ Packages\n')
})
