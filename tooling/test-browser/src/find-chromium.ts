import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The source of a Chromium for tests. */
export type ChromiumSource =
  | { readonly kind: 'program'; readonly path: string }
  | { readonly kind: 'missing'; readonly reason: string }

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']

/** Finds a Chromium: the program that TEST_CHROMIUM names, otherwise one on the PATH or in the usual places. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): ChromiumSource {
  const named = env['TEST_CHROMIUM']
  const path = (named ? [named] : usualPlaces(env)).find(isProgram)
  if (path !== undefined) return { kind: 'program', path }
  const reason = named
    ? `TEST_CHROMIUM names ${named}, which is no program`
    : 'no Chromium: install chromium or set TEST_CHROMIUM'
  return { kind: 'missing', reason }
}

function usualPlaces(env: NodeJS.ProcessEnv): readonly string[] {
  const directories = [...(env['PATH'] ?? '').split(delimiter), '/usr/bin', '/usr/local/bin']
  return [
    ...directories
      .filter((place) => place !== '')
      .flatMap((place) => names.map((name) => join(place, name))),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ]
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
