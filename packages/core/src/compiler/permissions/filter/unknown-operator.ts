import { suggestion } from '../../../foundation/faults.ts'

/** Names the operator that was probably meant, or all of them. */
export function unknownOperator(key: string, known: readonly string[]): string {
  const hint = suggestion(key, known) || `; there are ${known.join(', ')}`
  return `unknown operator ${key}${hint}`
}
