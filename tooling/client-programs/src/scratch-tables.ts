/** The tables that programs write to: a reset restores exactly these. */
export const scratchTables: readonly string[] = [
  'scratch',
  'counters',
  'memberships',
  'stock',
  'settings',
  'folders',
  'odd names',
]
