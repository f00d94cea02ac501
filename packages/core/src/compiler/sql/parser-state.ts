/**
 * The SQLSTATE of an error of the parser, which reports none: some of its messages are no syntax errors to PostgreSQL.
 *
 * @param message in PostgreSQL's words.
 * @param position in characters from 1.
 */
export function stateOfParser(message: string, sql: string, position: number | undefined): string {
  if (message.startsWith('invalid byte sequence for encoding')) return '22021'
  // The same words stand for `U&'\06'`, which is a syntax error.
  const isEscape = position !== undefined && /^[uU]$/.test([...sql][position] ?? '')
  return message === 'invalid Unicode escape' && isEscape ? '22025' : '42601'
}
