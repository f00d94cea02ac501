import { expect, test } from 'vitest'
import { createPlanCache } from './plan-cache.ts'

const plan = (name: string) => ({ name })

test('a plan is found by rights and text, and by nothing else', () => {
  const cache = createPlanCache<{ name: string }>()
  const kept = plan('kept')
  cache.set('clerk', 'select 1', kept)
  expect(cache.get('clerk', 'select 1')).toBe(kept)
  expect(cache.get('boss', 'select 1')).toBeUndefined()
  expect(cache.get('clerk', 'select 1 ')).toBeUndefined()
  expect(cache.count()).toBe(1)
  cache.clear()
  expect(cache.count()).toBe(0)
  expect(cache.get('clerk', 'select 1')).toBeUndefined()
})

test('the number of plans is bounded; those used last stay', () => {
  const cache = createPlanCache<{ name: string }>()
  cache.set('clerk', 'used', plan('used'))
  for (let i = 0; i < 2_000; i++) {
    cache.set('clerk', `select ${i}`, plan('other'))
    cache.get('clerk', 'used')
  }
  expect(cache.get('clerk', 'used')).toBeDefined()
  expect(cache.get('clerk', 'select 0')).toBeUndefined()
  expect(cache.get('clerk', 'select 1999')).toBeDefined()
})

test('so are the bytes of their texts', () => {
  const cache = createPlanCache<{ name: string }>()
  const text = (i: number) => `${i} ${'x'.repeat(200_000)}`
  for (let i = 0; i < 60; i++) cache.set('clerk', text(i), plan('long'))
  expect(cache.get('clerk', text(59))).toBeDefined()
  expect(cache.get('clerk', text(0))).toBeUndefined()
})

test('so are their own sizes', () => {
  const cache = createPlanCache<{ name: string; size: number }>(({ size }) => size)
  for (let i = 0; i < 60; i++) cache.set('clerk', `select ${i}`, { name: 'large', size: 200_000 })
  expect(cache.get('clerk', 'select 59')).toBeDefined()
  expect(cache.get('clerk', 'select 0')).toBeUndefined()
})

test('a very large plan is not kept, and evicts no other', () => {
  const cache = createPlanCache<{ name: string; size: number }>(({ size }) => size)
  cache.set('clerk', 'small', { name: 'small', size: 100 })
  cache.set('clerk', 'large', { name: 'large', size: 10_000_000 })
  expect(cache.get('clerk', 'large')).toBeUndefined()
  expect(cache.get('clerk', 'small')).toBeDefined()
})

test('one role set does not push out the plans of another', () => {
  const cache = createPlanCache<{ name: string }>()
  cache.set('boss', 'select 1', plan('kept'))
  for (let i = 0; i < 5_000; i++) cache.set('clerk', `select ${i}`, plan('other'))
  expect(cache.get('boss', 'select 1')).toBeDefined()
})
