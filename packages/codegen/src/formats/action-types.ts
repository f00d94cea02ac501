/** @module The types of actions: one for each, with its input and its output. */
import type { ActionDescription, SchemaDocument } from '@engine/contract'
import { sortedEntries } from '../columns/table-list.ts'
import { pascalCase } from '../names/identifier.ts'
import { commentText, propertyName } from '../names/literal.ts'
import type { NameSpace } from '../names/name-space.ts'
import { shapeOfSchema } from '../shapes/json-schema-shape.ts'
import { printType } from '../shapes/print-typescript.ts'
import { type Definition, type Shape, unknownShape } from '../shapes/shape.ts'

/** An action with the shapes of its input and output. */
export interface ShapedAction {
  readonly name: string
  /** Name of its type: `PlaceOrderAction`. */
  readonly typeName: string
  /** Its description, if the schema of its input has one. */
  readonly description: string | undefined
  readonly input: Shape
  readonly output: Shape
  /** Named types that the shapes refer to. */
  readonly definitions: readonly Definition[]
}

/** Every action, by name. */
export function shapedActions(
  { actions = {} }: SchemaDocument,
  names: NameSpace,
): readonly ShapedAction[] {
  return sortedEntries(actions).map(([name, action]) => shapedAction(name, action, names))
}

function shapedAction(
  name: string,
  { input, output }: ActionDescription,
  names: NameSpace,
): ShapedAction {
  const stem = pascalCase(name, 'Unnamed')
  const typeName = names.take(`${stem}Action`)
  const taken = shapeOfSchema(input, `${stem}Input`, names)
  const given = output && shapeOfSchema(output, `${stem}Output`, names)
  const { description } = input
  return {
    name,
    typeName,
    description: typeof description === 'string' ? description : undefined,
    input: taken.shape,
    output: given?.shape ?? unknownShape,
    definitions: [...taken.definitions, ...(given?.definitions ?? [])],
  }
}

/**
 * `export interface PlaceOrderAction { ... }` and the map of all, which exists for `createClient` even without actions.
 */
export function actionTypes(actions: readonly ShapedAction[]): string {
  if (actions.length === 0) return `${mapComment}\nexport type Actions = Record<never, never>`
  const each = actions.flatMap(({ name, typeName, input, output, definitions }) => [
    ...definitions.map((definition) => definitionType(definition)),
    [
      `/** What the action "${commentText(name)}" takes and gives. */`,
      `export interface ${typeName} {`,
      `  input: ${printType(input, '  ')}`,
      `  output: ${printType(output, '  ')}`,
      '}',
    ].join('\n'),
  ])
  const map = [
    mapComment,
    'export interface Actions {',
    ...actions.flatMap(({ name, typeName, description }) => [
      ...(description === undefined ? [] : [`  /** ${commentText(description)} */`]),
      `  ${propertyName(name)}: ${typeName}`,
    ]),
    '}',
  ]
  return [...each, map.join('\n')].join('\n\n')
}

const mapComment = '/** Every action, by name. */'

function definitionType({ name, shape }: Definition): string {
  return `export type ${name} = ${printType(shape, '')}`
}
