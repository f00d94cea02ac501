import { expect, it } from 'vitest'
import { groups } from './places.ts'

it.each(['key', 'path', 'label'] as const)('gives each page its own %s', (property) => {
  const values = groups.flatMap(({ places }) => places.map((place) => place[property]))
  expect(values.length).toBeGreaterThan(10)
  expect(new Set(values).size).toBe(values.length)
})
