/** @module Which of PostgreSQL's features the servers have. */
import type { LoweringDialect } from '@engine/core/adapter'
import type { Flavor } from '../../flavor.ts'

export function loweringOf({ kind }: Flavor): LoweringDialect {
  return kind === 'mariadb' ? mariaDb : mySql
}

const mySql: LoweringDialect = {
  database: 'MySQL',
  lateral: 'native',
  derivedSeesOutside: true,
  withSeesOutside: true,
  refusesSeveralRows: true,
  hasFullJoin: false,
  hasFilter: false,
  calculatesWithCalls: false,
  hasLagDefault: false,
  hasAllOfSets: true,
  hasArraySubquery: false,
  hasFreeLimit: false,
  keepsInnerOrder: false,
}

const mariaDb: LoweringDialect = {
  ...mySql,
  lateral: 'listedRows',
  derivedSeesOutside: false,
  withSeesOutside: false,
}
