import { expect, test } from 'vitest'
import { compiledForTest } from '../../test-support/compiled-for-test.ts'

test('what array_to_string() puts together is compared by code point', async () => {
  const [step] = await compiledForTest(`select array_to_string('{a,b}'::text[], ', ') > 'A'`)
  expect(step).toMatch(/, ''\)\) collate utf8mb4_nopad_bin\) > \?\)/)
})
