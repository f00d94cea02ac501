import type { DatabaseTraits } from '@engine/core/adapter'

/** The traits of PostgreSQL, whose semantics are the contract. */
export const postgresTraits: DatabaseTraits = {
  carriesConditionsAcrossJoins: false,
  rowValues: true,
  tableSamples: true,
  variadicCalls: true,
  arrayBounds: true,
  numericExponents: true,
  oneStateIsolation: 'repeatable read',
  planFormats: ['text', 'json', 'xml', 'yaml'],
  sessionSettings: true,
  sleeps: true,
}
