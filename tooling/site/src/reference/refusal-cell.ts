import { safeText } from './markdown.ts'

/** Reasons that repeat the name of what was asked for. */
const repeats =
  /^the (?:(?:window |ordered-set |hypothetical-set )?(?:function|aggregate)|operator)\b/

/**
 * A cell of a table for a refusal.
 *
 * @param reason as `refusalReason` gives it.
 * @param asked what the row is about: a reason that says the same is left out.
 */
export function refusalCell(reason: string, asked = ''): string {
  if (repeats.test(reason) || asked.replaceAll('`', '') === reason) return 'no'
  // Messages about libSQL name the function that its server does not have.
  return /\(\w+\)$/.test(reason) ? 'no: not built in' : `no: ${safeText(reason)}`
}
