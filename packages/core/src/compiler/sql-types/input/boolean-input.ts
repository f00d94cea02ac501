/** @module bool. */
import { accept, failSyntax, type InputResult } from './input-value.ts'
import { trimSpace } from './trim-space.ts'

const spellings: ReadonlyMap<string, boolean> = new Map([
  ...['t', 'tr', 'tru', 'true', 'y', 'ye', 'yes', 'on', '1'].map((word) => [word, true] as const),
  ...['f', 'fa', 'fal', 'fals', 'false', 'n', 'no', 'of', 'off', '0'].map(
    (word) => [word, false] as const,
  ),
])

/** `true`, `yes`, `on`, `1` and their opposites, in any case; unique prefixes are accepted. */
export function readBoolean(text: string): InputResult {
  const value = spellings.get(trimSpace(text).toLowerCase())
  return value === undefined ? failSyntax('boolean', text) : accept(value)
}
