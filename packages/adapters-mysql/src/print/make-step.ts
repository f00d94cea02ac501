/** @module SQL text → a step of a plan, within the protocol's limits. */
import {
  GatewayError,
  type PlanStep,
  renderSql,
  type Sql,
  unsupportedConstruct,
} from '@engine/core/adapter'
import { hasWindowInList } from './window-in-list.ts'

/** A prepared statement has at most so many parameters: their number has 16 bits. */
const mostParameters = 65_535

/** Brackets inside each other: more would use up the stack of the server's thread. */
const mostNesting = 400

export function makeStep(text: Sql, yields: PlanStep['yields']): PlanStep {
  const rendered = renderSql(text, { kind: 'positional' }, '`')
  if (rendered.parameters.length > mostParameters) {
    throw tooMuch(`more than ${mostParameters} values in one statement`)
  }
  if (hasWindowInList(rendered.text)) {
    throw unsupportedConstruct('a window function in this place', 'MySQL', undefined)
  }
  if (nestingOf(rendered.text) > mostNesting) throw tooMuch('an expression nested this deep')
  return {
    sql: rendered.text,
    parameters: rendered.parameters,
    volatileCalls: rendered.volatileCalls,
    yields,
    checkColumn: undefined,
    visibleColumn: undefined,
  }
}

function tooMuch(construct: string): GatewayError {
  return new GatewayError('limitExceeded', `${construct}: not supported on MySQL`, {
    sqlState: '54001',
  })
}

function nestingOf(text: string): number {
  let [depth, most] = [0, 0]
  for (const character of text) {
    if (character === '(') {
      depth += 1
      if (depth > most) most = depth
    } else if (character === ')') depth -= 1
  }
  return most
}
