import { expect, test } from 'vitest'
import { githubSlug } from './github-slug.ts'

test.each([
  ['What is there', 'what-is-there'],
  ['GET /schema', 'get-schema'],
  ["The clients' own test suites", 'the-clients-own-test-suites'],
  ['1. Write the configuration', '1-write-the-configuration'],
  ['Teams, by a table of members', 'teams-by-a-table-of-members'],
  ['`db`', 'db'],
  ['service_db — where', 'service_db--where'],
])('%s', (heading, slug) => {
  expect(githubSlug(heading)).toBe(slug)
})
