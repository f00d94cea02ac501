/** @module The values of expressions in a command: `pg_sleep($1)`, `EXECUTE find(1 + 1)`. */

import type { Prepared } from '../parts/prepared.ts'
import type { BoundParameters } from '../results/bound-parameters.ts'
import { collectingSink } from '../results/row-sink.ts'
import type { CommandParts } from './command-parts.ts'

/** The first row of a statement, as texts. Empty where it has none. */
export async function computeRow(
  { runPrepared }: Pick<CommandParts, 'runPrepared'>,
  query: Prepared | undefined,
  bound: BoundParameters,
): Promise<readonly (string | null)[]> {
  if (query?.kind !== 'query' && query?.kind !== 'catalog') return []
  const sink = collectingSink()
  await runPrepared(query, { ...bound, resultFormats: [0] }, sink)
  return (sink.rows[0] ?? []).map(textOf)
}

const utf8 = new TextDecoder()

function textOf(cell: string | Uint8Array | null): string | null {
  return cell === null || typeof cell === 'string' ? cell : utf8.decode(cell)
}
