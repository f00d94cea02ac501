/** @module The contrast of every pair of colours that the pages use: WCAG 2.2, level AA. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contrast, leastReadable, leastVisible, type Pair, readable, visible } from './contrast.ts'

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')

function colours(selector: string): ReadonlyMap<string, string> {
  const at = css.indexOf(selector)
  expect(at).toBeGreaterThanOrEqual(0)
  const block = css.slice(at)
  const body = block.slice(0, block.indexOf('}'))
  return new Map(
    [...body.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  )
}

const selectors = { light: ':root {', dark: ':root[data-theme="dark"] {' }

for (const [theme, selector] of Object.entries(selectors)) {
  const weak = (pairs: readonly Pair[], least: number) => {
    const values = colours(selector)
    return pairs
      .map(([front, ground]) => {
        const [one, other] = [values.get(front), values.get(ground)]
        const ratio = one === undefined || other === undefined ? 0 : contrast(one, other)
        return { pair: `${front} on ${ground}`, ratio: Math.round(ratio * 100) / 100 }
      })
      .filter(({ ratio }) => ratio < least)
  }

  test(`${theme}: every text can be read on every ground`, () => {
    expect(weak(readable, leastReadable)).toEqual([])
  })

  test(`${theme}: controls and focus can be seen`, () => {
    expect(weak(visible, leastVisible)).toEqual([])
  })
}

test('a known pair has its known contrast', () => {
  expect(contrast('#000000', '#ffffff')).toBe(21)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})
