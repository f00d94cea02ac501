import { expect, test } from 'vitest'
import { guides, internals } from './navigation.ts'
import { readSources, titleOf } from './read-sources.ts'

const sources = readSources()
const listed = [...Object.values(guides), ...Object.values(internals)].flat()

test('every page of docs is in the side bar, once', () => {
  const pages = sources
    .filter(({ source }) => /^docs\/(?!decisions\/)/.test(source))
    .map(({ page }) => page.replace(/\.md$/, ''))
  expect(listed.filter((page) => pages.includes(page)).toSorted()).toEqual(pages.toSorted())
})

test('the side bar names pages that are there', () => {
  const pages = ['decisions/index.md', ...sources.map(({ page }) => page)]
  expect(listed.filter((page) => !pages.includes(`${page}.md`))).toEqual([])
})

test('no two files become one page, and each has a title', () => {
  const pages = sources.map(({ page }) => page)
  expect(pages).toEqual([...new Set(pages)])
  expect(sources.filter(({ text }) => titleOf(text) === '').map(({ source }) => source)).toEqual([])
})
