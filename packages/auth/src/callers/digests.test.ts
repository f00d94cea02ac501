import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createDigests } from './digests.ts'

const expected = (text: string) => hash('sha256', text, 'base64')

test('digests are the same whether they are kept or not', () => {
  let nowMs = 0
  const digestOf = createDigests(() => nowMs)
  for (const ms of [0, 1, 4_000, 6_000, 9_000, 30_000]) {
    nowMs = ms
    for (const text of ['a', 'b', `at ${ms}`]) expect(digestOf(text)).toBe(expected(text))
  }
})

test('many texts are as right as few', () => {
  const digestOf = createDigests(() => 0)
  for (let i = 0; i < 5_000; i += 1)
    expect(digestOf(`token ${i % 2_500}`)).toBe(expected(`token ${i % 2_500}`))
})
