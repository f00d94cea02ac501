/** @module The page about problems, from the table of core. A problem without a meaning does not compile. */
import { problemTable } from '@engine/core/server'
import { code, markdownTable, pageHead } from './markdown.ts'

type Problem = keyof typeof problemTable

const meanings: Readonly<Record<Problem, string>> = {
  badRequest: 'the request is not as the route expects it',
  syntaxError: 'the SQL is no statement of PostgreSQL',
  unsupported:
    'a construct that Engine does not accept, or that this database cannot answer exactly',
  unknownColumn: 'the SQL names a column that is not there',
  invalidParameter: 'a parameter does not fit its type',
  limitExceeded: 'the statement exceeds a limit on its size',
  dataError: 'an expression failed on a value, such as a division by zero',
  unauthorized: 'there is no valid credential',
  permissionDenied: 'no permission covers the table or the operation',
  columnDenied:
    'no permission covers the column; a column that is not there is answered so too, where columns are hidden',
  tableNotFound: 'no connection has the table',
  notFound: 'there is no such route, or no such thing behind it',
  methodNotAllowed: 'the route has other methods',
  actionNotFound: 'there is no such action',
  queryTimeout: 'the statement ran longer than `limits.queryTimeout`',
  conflict: 'a key does not allow the write, or two writers collided',
  preconditionRequired: 'a change of the configuration does not say which revision it is about',
  payloadTooLarge: 'the body is too large',
  invalidValue: 'a written value does not fit its column',
  checkFailed: 'a written row fails the `check` of a permission',
  invalidInput: 'a field of the body is missing, or has a wrong value',
  unsupportedMediaType: 'the body is not sent as JSON, or is compressed',
  requestTimeout: 'the request took too long to arrive',
  invalidCredentials: 'e-mail address or password are wrong',
  invalidToken: 'a token of a mail is unknown, used or expired',
  emailExists: 'there is an account with this address',
  emailNotVerified: 'the address has to be verified first',
  rateLimited: 'there were too many requests or attempts',
  internal: 'a defect, or an unexpected error of the database',
  staleCatalog: 'the database has changed, and the statement failed again with its new tables',
  unavailable: 'the database cannot be reached, or the server is full or stopping',
  invalidConfiguration:
    'a configuration has faults; clients see it only from routes of administrators',
}

const problems = (Object.keys(meanings) as Problem[]).map(
  (problem) => [problem, problemTable[problem]] as const,
)

export function problemReference(): string {
  const rows = problems
    .toSorted(
      ([, left], [, right]) => left.status - right.status || (left.code < right.code ? -1 : 1),
    )
    .map(([problem, entry]) => [
      String(entry.status),
      code(entry.code),
      code(problem),
      meanings[problem],
    ])
  return `${pageHead(
    'Problems',
    'Every problem that Engine reports on purpose: the HTTP status and the code that clients see, and its name in programs.',
  )}
What each code means, and what to do about it, is on the page about [errors](../errors.md). An [action](../actions.md) reports a
problem by its name: \`throw new GatewayError('conflict', 'Not enough money.')\`.

${markdownTable(['status', 'code', 'problem', 'means'], rows)}
`
}
