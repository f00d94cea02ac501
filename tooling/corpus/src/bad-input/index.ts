import type { BadInputCase } from './bad-input-case.ts'
import { bodies, parameterFaults } from './bodies.ts'
import { forbiddenReach, forbiddenStatements, oversized } from './statements.ts'

export type { BadInputCase } from './bad-input-case.ts'

/** Every body that must be refused, or at least answered without harm. */
export const badInputCases: readonly BadInputCase[] = [
  bodies,
  parameterFaults,
  forbiddenStatements,
  forbiddenReach,
  oversized,
].flat()
