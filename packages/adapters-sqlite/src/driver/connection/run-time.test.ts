import { expect, test } from 'vitest'
import { createRunTimer } from './run-time.ts'

/** Keeps this thread busy for so many milliseconds of the clock. */
function spin(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

test('the first long run is not counted, since it may have waited; the next one is measured', () => {
  const start = createRunTimer()
  const first = start()
  spin(2)
  expect(first()).toBeUndefined()
  const second = start()
  spin(5)
  expect(second()).toBeGreaterThan(0.5)
})
