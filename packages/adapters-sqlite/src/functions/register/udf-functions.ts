/** @module Functions with separate descriptions, by their names in SQL. */
import { dateTimeFunctions } from '../dates/date-functions.ts'
import { jsonFunctions } from '../json/json.ts'
import { patternFunctions } from '../text/pattern.ts'
import { textFunctions } from '../text/text.ts'
import type { ScalarFunction, ScalarFunctions, SqliteValue } from './scalar.ts'
import type { UdfDefinition } from './udf.ts'

/** Dates, texts, patterns and JSON. */
export const describedFunctions: ScalarFunctions = Object.fromEntries(
  [...dateTimeFunctions, ...textFunctions, ...patternFunctions, ...jsonFunctions].map(
    (definition) => [definition.name, scalarOf(definition)],
  ),
)

function scalarOf({ arity, isStrict, run, isPattern = false }: UdfDefinition): ScalarFunction {
  const call = isStrict
    ? (...args: readonly SqliteValue[]) => (args.includes(null) ? null : run(...args))
    : run
  return { arity: arity === 'any' ? -1 : arity, call, isPattern }
}
