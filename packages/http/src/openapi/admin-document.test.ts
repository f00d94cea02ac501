import { documentParts } from '@engine/core/server'
import { expect, test } from 'vitest'
import { adminDocument } from './admin-document.ts'

const document = adminDocument('/api')
const paths = document['paths'] as Readonly<Record<string, Readonly<Record<string, unknown>>>>

test('every part has its routes, under the path where the app is served', () => {
  expect(document['servers']).toEqual([{ url: '/api' }])
  for (const part of documentParts) {
    expect(Object.keys(paths[`/admin/api/config/${part}`] ?? {})).toEqual(['get', 'put', 'patch'])
  }
})

test('every reference has its schema, and every parameter of a path is declared', () => {
  const text = JSON.stringify(document)
  const { schemas } = document['components'] as { readonly schemas: object }
  for (const [, name = ''] of text.matchAll(/#\/components\/schemas\/(\w+)/g)) {
    expect(schemas).toHaveProperty(name)
  }
  for (const [path, item] of Object.entries(paths)) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const declared = (item['parameters'] ?? []) as readonly { readonly name: string }[]
    expect(declared.map(({ name }) => name)).toEqual(names)
  }
})
