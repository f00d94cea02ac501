import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { deadLinks } from './dead-links.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'engine-site-'))
  mkdirSync(join(folder, 'how-to'))
  writeFileSync(join(folder, 'auth.html'), '<h2 id="roles">Roles</h2>')
  writeFileSync(join(folder, 'how-to', 'index.html'), '<a href="../auth.html#roles">a</a>')
  writeFileSync(join(folder, 'logo.svg'), '<svg/>')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function deadOn(html: string): readonly string[] {
  writeFileSync(join(folder, 'guide.html'), html)
  return deadLinks(folder)
}

test('links to pages, with and without their ending, to headings, and to other sites', () => {
  const links = [
    '/auth',
    './auth.html',
    'auth#roles',
    '/how-to/',
    '/',
    '#here',
    'https://example.com',
  ]
  writeFileSync(join(folder, 'index.html'), '')
  const html = links.map((link) => `<a class="x" href="${link}">x</a>`).join('')
  expect(deadOn(`<h1 id="here"></h1>${html}<img src="/logo.svg">`)).toEqual([])
})

test.each([
  ['<a href="/gone">x</a>', '/gone'],
  ['<a href="/auth#rolls">x</a>', '/auth#rolls'],
  ['<a href="#there">x</a>', '#there'],
  ['<img src="/gone.png">', '/gone.png'],
  ['<script src="https://cdn.example.com/a.js"></script>', 'https://cdn.example.com/a.js'],
  ['<link rel="stylesheet" href="//fonts.example.com/a.css">', '//fonts.example.com/a.css'],
])('%s', (html, dead) => {
  expect(deadOn(html)).toEqual([`guide.html: ${dead}`])
})
