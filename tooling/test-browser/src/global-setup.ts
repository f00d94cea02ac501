/** @module A browser for a whole run of vitest: where the machine has none, a build machine installs it. */
import { installPackage } from '@engine/test-databases'
import { findChromium } from './find-chromium.ts'

/** Called by vitest before the first test. */
export function setup(): void {
  if (findChromium().kind === 'missing') installPackage('chromium')
}
