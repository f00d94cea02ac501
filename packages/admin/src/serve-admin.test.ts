import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { serveAdmin } from './serve-admin.ts'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'engine-site-'))
  mkdirSync(join(directory, 'assets'))
  writeFileSync(join(directory, 'index.html'), '<script src="./assets/main-1.js"></script>')
  writeFileSync(join(directory, 'assets', 'main-1.js'), 'export {}')
})
afterEach(() => rmSync(directory, { recursive: true }))

const textOf = (body: Uint8Array | undefined) => new TextDecoder().decode(body)

test('every path outside of the assets is the page, with addresses below its own base', () => {
  const site = serveAdmin({ directory })
  for (const path of ['', '/', '/audit', '/schema/main/a%2Fb']) {
    const file = site?.file(path, '/api/engine/admin')
    expect(file).toMatchObject({ contentType: 'text/html; charset=utf-8', isImmutable: false })
    expect(textOf(file?.body)).toBe('<script src="/api/engine/admin/assets/main-1.js"></script>')
  }
})

test('a base with quotes stays within its attribute', () => {
  const file = serveAdmin({ directory })?.file('', '/"><script>')
  expect(textOf(file?.body)).toContain('src="/&quot;>&lt;script>/assets')
})

test('assets have their type and never change; others are not found', () => {
  const site = serveAdmin({ directory })
  expect(site?.file('/assets/main-1.js', '/admin')).toMatchObject({
    contentType: 'text/javascript; charset=utf-8',
    isImmutable: true,
  })
  for (const path of [
    '/assets/',
    '/assets/../index.html',
    '/assets/main-2.js',
    '/assets/__proto__',
  ])
    expect(site?.file(path, '/admin')).toBeUndefined()
})

test('without a build there is no site', () => {
  expect(serveAdmin({ directory: join(directory, 'absent') })).toBeUndefined()
})
