import type { DatabaseTraits } from '@engine/core/adapter'

/** The traits of SQLite, wherever it runs: one writer, whose transactions see one state. */
export const sqliteTraits: DatabaseTraits = {
  carriesConditionsAcrossJoins: false,
  streamsRecursion: true,
  transactionsAtATime: 'shared',
  oneStateIsolation: 'read committed',
}
