/** @module The contrast of every pair of colours that the pages use: WCAG 2.2, level AA. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')

function colours(selector: string): ReadonlyMap<string, string> {
  const block = css.slice(css.indexOf(selector))
  const body = block.slice(0, block.indexOf('}'))
  return new Map(
    [...body.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  )
}

const light = colours(':root {')
const themes = { light, dark: new Map([...light, ...colours(":root[data-theme='dark'] {")]) }

/** Relative luminance. @see https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

const grounds = ['canvas', 'surface', 'sunken', 'hover', 'selected']
const texts = ['text', 'text-2', 'text-3', 'accent', 'red', 'green', 'amber', 'blue', 'violet']
const codes = ['code-keyword', 'code-string', 'code-number', 'code-name', 'code-comment']
const onSoft = ['green', 'amber', 'red', 'blue', 'violet'].map((name) => [name, `${name}-soft`])

/** Text and its ground: at least 4.5. */
const readable: readonly (readonly [string, string])[] = [
  ...texts.flatMap((text) => grounds.map((ground) => [text, ground] as const)),
  ...codes.flatMap((text) => ['surface', 'sunken'].map((ground) => [text, ground] as const)),
  ...onSoft.map(([text = '', ground = '']) => [text, ground] as const),
  ...['text', 'text-2', 'text-3'].map((text) => [text, 'grey-soft'] as const),
  ['on-accent', 'accent'],
  ['on-accent', 'accent-hover'],
  ['on-solid', 'solid'],
  ['on-solid', 'solid-hover'],
]

/** Edges of controls and the focus ring: at least 3. */
const visible: readonly (readonly [string, string])[] = [
  ...['canvas', 'surface'].map((ground) => ['focus', ground] as const),
  ...['canvas', 'surface'].map((ground) => ['control-border', ground] as const),
]

for (const [theme, values] of Object.entries(themes)) {
  const weak = (pairs: readonly (readonly [string, string])[], least: number) =>
    pairs
      .map(([one, other]) => {
        const ratio = contrast(values.get(one) ?? '#000000', values.get(other) ?? '#000000')
        return { pair: `${one} on ${other}`, ratio: Math.round(ratio * 100) / 100 }
      })
      .filter(({ ratio }) => ratio < least)

  test(`${theme}: every text can be read on every ground`, () => {
    expect(weak(readable, 4.5)).toEqual([])
  })

  test(`${theme}: controls and focus can be seen`, () => {
    expect(weak(visible, 3)).toEqual([])
  })
}

test('a known pair has its known contrast', () => {
  expect(contrast('#000000', '#ffffff')).toBe(21)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})
