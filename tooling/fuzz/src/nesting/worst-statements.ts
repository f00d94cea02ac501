/** @module All statements of the generator, each once. */
import { createRandom } from '../random.ts'
import { expressionShapes, type Shape } from './shapes.ts'
import { clauseStatements, mixed, type NestedStatement, statementsOf } from './statements.ts'

export function worstStatements(seed: number, mixtures: number): readonly NestedStatement[] {
  return assembled(seed, mixtures, statementsOf)
}

/** The same, except the width of shapes without a form for it: those have a hundred outputs. */
export function narrowStatements(seed: number, mixtures: number): readonly NestedStatement[] {
  return assembled(seed, mixtures, (shape, place) => {
    const [nested, wide] = statementsOf(shape, place)
    return [nested, shape.widen === undefined ? undefined : wide].filter(
      (each) => each !== undefined,
    )
  })
}

function assembled(
  seed: number,
  mixtures: number,
  ofShape: (shape: Shape, place: number) => readonly NestedStatement[],
): readonly NestedStatement[] {
  const shapes = expressionShapes()
  const random = createRandom(seed)
  const all = [
    ...clauseStatements,
    ...shapes.flatMap(ofShape),
    ...Array.from({ length: mixtures }, (_, number) => mixed(shapes, random, number)),
  ]
  // A cached plan is not made again.
  return [...new Map(all.map((statement) => [statement.sql, statement])).values()]
}
