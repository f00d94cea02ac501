/** @module The licences of what users install with our packages. */
import { expect, test } from 'vitest'
import { productionDependencies } from './production-dependencies.ts'
import { publishablePackages } from './workspace.ts'

/** They let an application of any licence contain the package, and ask for no more than their text. */
const accepted: readonly string[] = [
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
]

const installed = productionDependencies(publishablePackages().map(({ directory }) => directory))

test('everything that is installed is looked at', () => {
  const names = installed.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['@engine/core', 'libpg-query', 'pg', 'hono']))
  expect(names).not.toContain('vitest')
})

test('every package has a licence that is accepted', () => {
  const others = installed.filter(({ license }) => !accepted.includes(license ?? ''))
  expect(others.map(({ name, version, license }) => `${name} ${version}: ${license}`)).toEqual([])
})
