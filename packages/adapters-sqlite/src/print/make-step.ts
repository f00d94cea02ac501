/** @module SQL text → a step of a plan, within SQLite's limits. */
import { GatewayError, type PlanStep, renderSql, type Sql } from '@engine/core'

/** SQLite takes no more parameters in one statement. */
const mostParameters = 32_766

/** Brackets inside each other: SQLite's expressions may be 1000 deep. */
const mostNesting = 400

export function makeStep(text: Sql, yields: PlanStep['yields']): PlanStep {
  const rendered = renderSql(text, { kind: 'numbered', prefix: '?' })
  if (rendered.parameters.length > mostParameters) {
    throw tooMuch(`more than ${mostParameters} values in one statement`)
  }
  if (nestingOf(rendered.text) > mostNesting) throw tooMuch('an expression nested this deep')
  return {
    sql: rendered.text,
    parameters: rendered.parameters,
    yields,
    checkColumn: undefined,
    visibleColumn: undefined,
  }
}

function tooMuch(construct: string): GatewayError {
  return new GatewayError('limitExceeded', `${construct}: not supported on SQLite`, {
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
