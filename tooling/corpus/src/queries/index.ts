import type { QueryCase } from '../case.ts'
import { aggregates } from './aggregates.ts'
import { casts } from './casts.ts'
import { drizzleShapes, kyselyShapes } from './client-shapes.ts'
import { ctes } from './ctes.ts'
import { dates } from './dates.ts'
import { functionRows, spelledValues } from './function-rows.ts'
import { grouping } from './grouping-sets.ts'
import { joins, laterals } from './joins.ts'
import { jsonConstructors } from './json-constructors.ts'
import { jsonOperators } from './json-operators.ts'
import { identifiers, literals } from './literals.ts'
import { booleans, cases, membership } from './logic.ts'
import { nulls } from './nulls.ts'
import { numbers } from './numbers.ts'
import { outerAggregates } from './outer-aggregates.ts'
import { parameters } from './parameters.ts'
import { collation, patterns, regex } from './patterns.ts'
import { postgresOnly } from './postgres-only.ts'
import { rangesAndGeometry } from './ranges-and-geometry.ts'
import { drizzleRelationsV1, drizzleRelationsV2, kyselyRelations } from './relations.ts'
import { rewrites } from './rewrites.ts'
import { rowValues } from './row-values.ts'
import { limits, rowsAndValues, views } from './rows-and-limits.ts'
import { setOperations } from './set-operations.ts'
import { strings } from './strings.ts'
import { subqueries } from './subqueries.ts'
import { typeMatrix } from './type-matrix.ts'
import { distincts, windows } from './windows.ts'

/** Every statement that reads and that PostgreSQL answers with rows. */
export const queryCases: readonly QueryCase[] = [
  literals,
  identifiers,
  parameters,
  strings,
  collation,
  patterns,
  regex,
  numbers,
  casts,
  dates,
  booleans,
  nulls,
  cases,
  membership,
  joins,
  laterals,
  rewrites,
  subqueries,
  ctes,
  setOperations,
  windows,
  distincts,
  aggregates,
  outerAggregates,
  grouping,
  rowsAndValues,
  rowValues,
  limits,
  views,
  jsonOperators,
  jsonConstructors,
  drizzleRelationsV1,
  drizzleRelationsV2,
  kyselyRelations,
  drizzleShapes,
  kyselyShapes,
  typeMatrix,
  functionRows,
  spelledValues,
  postgresOnly,
  rangesAndGeometry,
].flat()
