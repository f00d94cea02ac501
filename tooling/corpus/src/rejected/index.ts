import type { RejectedCase } from '../case.ts'
import { groupingErrors } from './grouping.ts'
import { runtimeErrors } from './runtime.ts'
import { shapeErrors } from './shapes.ts'
import { nameErrors, syntaxErrors } from './syntax-and-names.ts'
import { typeErrors } from './types.ts'

/** Every statement that PostgreSQL refuses. */
export const rejectedCases: readonly RejectedCase[] = [
  syntaxErrors,
  nameErrors,
  typeErrors,
  groupingErrors,
  shapeErrors,
  runtimeErrors,
].flat()
