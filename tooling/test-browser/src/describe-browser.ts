import { describe, expect, test } from 'vitest'
import { findChromium } from './find-chromium.ts'

/**
 * A `describe` for tests that need a browser. Without one they are skipped, with the reason in the name; where `CI` is
 * `true` that is a failure.
 */
export function describeBrowser(name: string, tests: () => void): void {
  const source = findChromium()
  if (source.kind === 'program') {
    describe(name, tests)
  } else if (process.env['CI'] === 'true') {
    test(`${name} needs Chromium`, () => expect.unreachable(source.reason))
  } else {
    describe.skipIf(true)(`${name} (skipped: ${source.reason})`, tests)
  }
}
