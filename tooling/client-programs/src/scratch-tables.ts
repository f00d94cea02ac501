/** The tables that programs write to: what a reset has to bring back, and no more. */
export const scratchTables: readonly string[] = [
  'scratch',
  'counters',
  'memberships',
  'stock',
  'settings',
  'folders',
  'odd names',
]
