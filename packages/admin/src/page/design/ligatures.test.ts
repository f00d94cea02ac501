/** @module Code is shown as it is written: `--`, `</` and `!=` are two characters, not one. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const pages = fileURLToPath(new URL('..', import.meta.url))

/** Blocks of declarations, of a style sheet and of the theme of the editor. */
const blocks = globSync('**/*.{css,tsx}', { cwd: pages }).flatMap((file) => {
  const text = readFileSync(`${pages}/${file}`, 'utf8')
  return [...text.matchAll(/\{[^{}]*\}/g)].map(([block]) => ({ file, block }))
})

test('every font for code is without ligatures', () => {
  // `font` sets the ligatures back: each of these has to say it again.
  const ofCode = blocks.filter(({ block }) => /font:.*var\(--(?:mono|code-1)\)/.test(block))
  expect(ofCode.length).toBeGreaterThan(20)
  const separate = /font-variant-ligatures: none|fontVariantLigatures: 'none'/
  expect(ofCode.filter(({ block }) => !separate.test(block))).toEqual([])
})
