/**
 * @module TABLESAMPLE: the part of a table's rows that a FROM item has, as the call of a function of this module. Only the binder
 * makes these calls, only for tables, and only the printer of a FROM item prints them.
 */
import { oids } from '../../sql-types/oids.ts'
import type { PgFunction } from '../../sql-types/pg-type.ts'
import type { FunctionCall } from './expression.ts'

/** `system` takes blocks of rows, `bernoulli` single rows. */
export type SampleMethod = 'system' | 'bernoulli'

/** The call with the percentage of rows (float4), and the number after REPEATABLE (float8) where there is one. */
export type TableSample = FunctionCall

/** A wrong percentage is an error, and without REPEATABLE each evaluation takes other rows. */
function sampling(method: SampleMethod, volatility: PgFunction['volatility']): PgFunction {
  return {
    oid: 0,
    name: `engine_${method}_sample`,
    kind: 'function',
    argumentOids: [oids.float4, oids.float8],
    defaultCount: 1,
    resultOid: oids.bool,
    returnsSet: false,
    isStrict: false,
    volatility,
    isLeakproof: false,
    canRaise: true,
    isAllowed: false,
    signature: `engine_${method}_sample(real, double precision)`,
  }
}

const functions = {
  system: { once: sampling('system', 'volatile'), repeatable: sampling('system', 'stable') },
  bernoulli: {
    once: sampling('bernoulli', 'volatile'),
    repeatable: sampling('bernoulli', 'stable'),
  },
}

export function sampleFunction(method: SampleMethod, isRepeatable: boolean): PgFunction {
  return functions[method][isRepeatable ? 'repeatable' : 'once']
}

/** The method of a sample. */
export function sampleMethod({ function: { name } }: TableSample): SampleMethod {
  return name === functions.system.once.name ? 'system' : 'bernoulli'
}

/** Are single rows taken, and other ones each time? Then the sample says nothing about the rows beside them. */
export function isByChance(sample: TableSample): boolean {
  return sample.function === functions.bernoulli.once
}
