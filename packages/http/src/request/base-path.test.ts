import { expect, test } from 'vitest'
import { checkBasePath } from './base-path.ts'

test.each(['/engine', '/api/engine', '/v1.2/data_base-x~y', '/..a'])('%s is one', (basePath) => {
  expect(checkBasePath(basePath)).toBe(basePath)
})

test.each([
  '',
  '/',
  'api',
  '/api/',
  '/:name',
  '/*',
  '/a b',
  '/{a}',
  '/a//b',
  '/a?b',
  '/../a',
  '/.',
])('%j is none', (basePath) => {
  expect(() => checkBasePath(basePath)).toThrow(
    expect.objectContaining({ problem: 'invalidConfiguration' }),
  )
})
