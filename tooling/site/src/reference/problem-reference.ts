/** @module The page about problems, from the table of core. */
import { problemTable } from '@engine/core/server'
import { code, markdownTable, pageHead } from './markdown.ts'

export function problemReference(): string {
  const rows = Object.entries(problemTable)
    .toSorted(
      ([, left], [, right]) => left.status - right.status || (left.code < right.code ? -1 : 1),
    )
    .map(([problem, entry]) => [String(entry.status), code(entry.code), code(problem)])
  return `${pageHead(
    'Problems',
    'Every problem that Engine reports on purpose: the HTTP status and the code that clients see, and its name in programs.',
  )}
What each code means, and what to do about it, is on the page about [errors](../errors.md). An [action](../actions.md) reports a
problem by its name: \`throw new GatewayError('conflict', 'Not enough money.')\`.

${markdownTable(['status', 'code', 'problem'], rows)}
`
}
