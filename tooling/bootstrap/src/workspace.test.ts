import { expect, test } from 'vitest'
import { broughtPeers, closureOf } from './workspace.mjs'

test('the server is a project with what it depends on in production', () => {
  const directories = closureOf('@engine/server').map(({ directory }) => directory)
  expect(directories).toContain('apps/server')
  expect(directories).toContain('packages/core')
  expect(directories).toContain('packages/contract')
  expect(directories).not.toContain('packages/client')
})

test('the server brings optional packages of other projects', () => {
  expect(broughtPeers('@engine/server')).toEqual([
    '@electric-sql/pglite',
    '@node-rs/bcrypt',
    '@redis/client',
  ])
})
