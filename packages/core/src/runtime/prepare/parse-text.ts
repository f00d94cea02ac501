/** @module The parse of a client's text; a syntax error explains placeholders of other databases. */
import { type ParsedStatement, parseInSteps } from '../../compiler/sql/parse.ts'
import { forEachToken, type TokenKind } from '../../compiler/sql/tokens.ts'
import { changedError, GatewayError } from '../../foundation/errors.ts'
import type { Steps } from '../../foundation/steps.ts'

/** @throws {GatewayError} as `parseInSteps`; the message of a syntax error mentions `$1` where the text has `?` as a value. */
export function* parseText(sql: string): Steps<ParsedStatement> {
  try {
    return yield* parseInSteps(sql)
  } catch (error) {
    if (!(error instanceof GatewayError) || error.problem !== 'syntaxError') throw error
    if (!hasQuestionMarkAsValue(sql)) throw error
    const message = `${error.message}; parameters are written $1, $2, not ?`
    throw changedError(error, { message, publicMessage: message })
  }
}

interface Token {
  readonly kind: TokenKind
  readonly start: number
  /** In lower case. */
  readonly text: string
}

/** `where id = ?`, `values (?, ?)`, `limit ?`; not the operator of `tags ? 'red'`, nor a `?` in a string, a name or a comment. */
function hasQuestionMarkAsValue(sql: string): boolean {
  if (!sql.includes('?')) return false
  let before: Token | undefined
  let last: Token | undefined
  let found = false
  forEachToken(sql, (kind, start, end) => {
    const token = { kind, start, text: sql.slice(start, end).toLowerCase() }
    found ||= last?.text === '?' && expectsValue(before, last) && !isOperand(token)
    before = last
    last = token
  })
  return found || (last?.text === '?' && expectsValue(before, last))
}

/** Words that a value follows. */
const wordsBeforeValues: ReadonlySet<string> = new Set([
  ...['where', 'and', 'or', 'not', 'on', 'having', 'select', 'returning', 'by'],
  ...['like', 'ilike', 'in', 'between', 'from', 'escape', 'any', 'all'],
  ...['when', 'then', 'else', 'limit', 'offset'],
])

function expectsValue(before: Token | undefined, mark: Token): boolean {
  if (before === undefined) return false
  if (before.kind === 'word') return wordsBeforeValues.has(before.text)
  // `@?` is an operator of jsonpath.
  const isOneOperator = before.text === '@' && before.start + 1 === mark.start
  return ['operator', 'open', 'comma'].includes(before.kind) && !isOneOperator
}

/** A token on which the operator `?` can work. */
function isOperand({ kind, text }: Token): boolean {
  return kind === 'value' && !text.startsWith('.')
}
