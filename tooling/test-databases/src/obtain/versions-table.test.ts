import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { mergeServers, type UsedServer, withVersions } from './versions-table.ts'

const all = 'all'

test('a server of a run counts instead of an earlier one of its major version', () => {
  const recorded: readonly UsedServer[] = [
    { name: 'PostgreSQL', version: '15.14', tests: all },
    { name: 'MariaDB', version: '10.11.2', tests: all },
  ]
  const used = [
    { name: 'MySQL', missing: 'no network' },
    { name: 'MariaDB', version: '11.8.9', tests: 'some' },
    { name: 'PostgreSQL', version: '15.18', tests: all },
  ]
  expect(mergeServers(recorded, used)).toEqual([
    { name: 'PostgreSQL', version: '15.18', tests: all },
    { name: 'MariaDB', version: '10.11.2', tests: all },
    { name: 'MariaDB', version: '11.8.9', tests: 'some' },
  ])
})

test('docs/databases.md has the table of the servers that were recorded', () => {
  const page = readFileSync(new URL('../../../../docs/databases.md', import.meta.url), 'utf8')
  const file = new URL('../../recorded/versions.json', import.meta.url)
  const servers = JSON.parse(readFileSync(file, 'utf8')) as readonly UsedServer[]
  expect(withVersions(page, servers)).toBe(page)
})
