import { expect, test } from 'vitest'
import { formatChanges } from './format-changes.ts'

test('each change is one line', () => {
  const changes = [
    { path: 'permissions.a', after: { table: 'main.a' } },
    { path: 'limits.maxQueued', before: 500 },
    { path: 'limits.maxRows', before: 100, after: 200 },
    { path: 'connections.main', before: 'x://a:***@b', after: 'x://a:***@b', isSecret: true },
    { path: 'security.csp', after: 'x'.repeat(500) },
  ] as const
  expect(formatChanges(changes)).toBe(
    [
      '+ permissions.a  {"table":"main.a"}',
      '- limits.maxQueued  500',
      '~ limits.maxRows  100 -> 200',
      '~ connections.main  (another secret)',
      `+ security.csp  "${'x'.repeat(199)}…`,
      '',
    ].join('\n'),
  )
  expect(formatChanges([])).toBe('')
})
