import type { Tone } from '../../components/badge.tsx'

/** Kinds of entries. */
export const kinds: readonly (readonly [value: string, label: string, tone: Tone])[] = [
  ['query', 'Queries', 'grey'],
  ['denial', 'Refusals', 'red'],
  ['auth', 'Accounts', 'blue'],
  ['admin', 'Administration', 'violet'],
  ['action', 'Actions', 'green'],
  ['loss', 'Losses', 'amber'],
]
