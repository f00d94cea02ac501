/** @module Why a database cannot be reached, and what to do about it. */
import type { ConnectionProblem } from '@engine/contract/admin-api'
import { reasonOf } from '@engine/core/server'

type Kind = Omit<ConnectionProblem, 'message'>

/** By the driver's code or message; the first that fits. */
const kinds: readonly (readonly [RegExp, Kind])[] = [
  [
    /ENOTFOUND|EAI_AGAIN|getaddrinfo/i,
    {
      code: 'address',
      hint: 'The host name cannot be resolved: check its spelling, and the DNS of this machine.',
    },
  ],
  [
    /28P01|28000|ER_ACCESS_DENIED|password authentication|access denied|no password supplied|SCRAM|unauthorized|\b401\b/i,
    {
      code: 'credentials',
      hint: 'The server refuses user or password: check both, and from where this user may connect.',
    },
  ],
  [
    /3D000|ER_BAD_DB|unknown database|database "[^"]*" does not exist/i,
    {
      code: 'database',
      hint: 'The server has no database of that name: check the end of the URL.',
    },
  ],
  [
    /certificate|\bTLS\b|\bSSL\b|self.signed/i,
    {
      code: 'tls',
      hint: 'The encrypted connection failed: check the certificate, and sslmode in the URL.',
    },
  ],
  [
    /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ECONNRESET/i,
    { code: 'refused', hint: 'Nothing accepts connections there: check host, port and firewall.' },
  ],
  [
    /ETIMEDOUT|time.?out|no answer/i,
    { code: 'timeout', hint: 'The server does not answer: check host, port and firewall.' },
  ],
  [
    /SQLITE|ENOENT|EACCES|EISDIR|ENOTDIR|unable to open|no such file|directory|file/i,
    {
      code: 'file',
      hint: 'The file or directory cannot be opened: check its path and who may read it.',
    },
  ],
]

const other: Kind = { code: 'other', hint: 'See the message of the database.' }

/** @param error of the engine or a driver. */
export function connectionProblem(error: unknown): ConnectionProblem {
  const message = reasonOf(error)
  const text = `${codeOf(error)} ${message}`
  const kind = kinds.find(([pattern]) => pattern.test(text))?.[1] ?? other
  return { ...kind, message }
}

/** Codes along a chain of causes. */
function codeOf(error: unknown): string {
  const codes: string[] = []
  let each = error
  for (let depth = 0; depth < 10 && each instanceof Error; depth += 1) {
    for (const name of ['code', 'sqlState'] as const) {
      const code: unknown = Reflect.get(each, name)
      if (typeof code === 'string' && code !== 'UNAVAILABLE') codes.push(code)
    }
    each = each.cause
  }
  return codes.join(' ')
}
