/** @module Which of PostgreSQL's features SQLite has. */
import type { LoweringDialect } from '@engine/core/print'

export const lowering: LoweringDialect = {
  database: 'SQLite',
  lateral: 'rows',
  derivedSeesOutside: true,
  withSeesOutside: true,
  refusesSeveralRows: false,
  hasFullJoin: true,
  hasFilter: true,
  calculatesWithCalls: true,
  hasLagDefault: true,
  hasAllOfSets: false,
  hasArraySubquery: true,
  hasFreeLimit: true,
  keepsInnerOrder: true,
}
