/**
 * @module The meaning of each operator of filters, for the parser, explanations and the documentation. Their names, types and forms
 * of operands are in `filterOperatorTable` of `@engine/contract`; docs/how-to/add-a-filter-operator.md lists the steps for a new one.
 */
import type { FilterOperatorName } from '@engine/contract'
import { negationOf } from '../combination/kleene.ts'
import {
  between,
  comparison,
  isDocument,
  isStructured,
  membership,
  nullTest,
  type OperatorUse,
  text,
  textArray,
  textTest,
} from './operator-conditions.ts'
import type { PolicyFilter } from './policy-filter.ts'

export interface FilterOperator {
  /** Builds the condition; an error of the operand becomes a fault. */
  readonly build: (use: OperatorUse) => PolicyFilter
  /** For explanations: the words between the left side and the operand, or the whole condition. */
  readonly words: string | ((part: DescribedUse) => string)
  /** For docs/permissions.md. */
  readonly example: string
  readonly meaning: string
}

/** An operator with its operand, to be described. */
export interface DescribedUse {
  /** The left side. */
  readonly name: string
  readonly operand: unknown
  /** An operand as text. */
  readonly textOf: (operand: unknown) => string
  /** The condition that an operand forms by itself, on the same left side, as text. */
  readonly nested: (operand: unknown) => string
}

/** A comparison with PostgreSQL's operator of that name. */
const compared =
  (operator: string): FilterOperator['build'] =>
  ({ left, type, operand, context, path }) =>
    comparison(operator, left, type, operand, context, path)

const inList: FilterOperator['build'] = ({ left, type, operand, context, path }) =>
  membership(left, type, operand, context, path)

const plainText =
  (key: '$startsWith' | '$endsWith' | '$contains'): FilterOperator['build'] =>
  ({ left, type, operand, context, path }) =>
    textTest(key, left, type, operand, context, path)

const nullity =
  (isNotNull: boolean): FilterOperator['build'] =>
  ({ left, operand, context, path }) =>
    nullTest(left, operand, isNotNull, context, path)

const nullWords =
  (isNotNull: boolean): FilterOperator['words'] =>
  ({ name, operand }) =>
    `${name} is ${(operand === false) === isNotNull ? '' : 'not '}null`

export const filterOperators: Readonly<Record<FilterOperatorName, FilterOperator>> = {
  $eq: {
    build: compared('='),
    words: '=',
    example: "{ status: { $eq: 'paid' } }",
    meaning: "equal; `{ status: 'paid' }` is the same",
  },
  $ne: {
    build: compared('<>'),
    words: '<>',
    example: "{ status: { $ne: 'draft' } }",
    meaning: 'not equal; NULL is neither',
  },
  $gt: {
    build: compared('>'),
    words: '>',
    example: '{ total: { $gt: 100 } }',
    meaning: 'greater',
  },
  $gte: {
    build: compared('>='),
    words: '>=',
    example: "{ created_at: { $gte: { $now: '-30d' } } }",
    meaning: 'greater or equal',
  },
  $lt: { build: compared('<'), words: '<', example: '{ total: { $lt: 100 } }', meaning: 'less' },
  $lte: {
    build: compared('<='),
    words: '<=',
    example: '{ total: { $lte: 100 } }',
    meaning: 'less or equal',
  },
  $like: {
    build: compared('~~'),
    words: 'like',
    example: "{ name: { $like: 'A%' } }",
    meaning: "PostgreSQL's LIKE",
  },
  $nlike: {
    build: compared('!~~'),
    words: 'not like',
    example: "{ name: { $nlike: 'A%' } }",
    meaning: 'NOT LIKE',
  },
  $ilike: {
    build: compared('~~*'),
    words: 'ilike',
    example: "{ name: { $ilike: 'a%' } }",
    meaning: 'LIKE, whatever the case',
  },
  $nilike: {
    build: compared('!~~*'),
    words: 'not ilike',
    example: "{ name: { $nilike: 'a%' } }",
    meaning: 'NOT ILIKE',
  },
  $in: {
    build: inList,
    words: 'in',
    example: "{ status: { $in: ['new', 'paid'] } }",
    meaning:
      "equal to one of a list, or of a list of the caller: `{ team: { $in: '$user.teams' } }`",
  },
  $nin: {
    build: (use) => negationOf(inList(use)),
    words: 'not in',
    example: "{ status: { $nin: ['draft'] } }",
    meaning: 'equal to none of a list',
  },
  $between: {
    build: ({ left, type, operand, context, path }) => between(left, type, operand, context, path),
    words: ({ name, operand, textOf }) => {
      const [from, to] = Array.isArray(operand) ? operand : []
      return `${name} between ${textOf(from)} and ${textOf(to)}`
    },
    example: '{ total: { $between: [10, 20] } }',
    meaning: 'from the first to the second, both included',
  },
  $isNull: {
    build: nullity(false),
    words: nullWords(false),
    example: '{ notes: { $isNull: true } }',
    meaning: 'NULL; with `false`: not NULL',
  },
  $null: {
    build: nullity(false),
    words: nullWords(false),
    example: '{ notes: { $null: true } }',
    meaning: 'the same as `$isNull`',
  },
  $notNull: {
    build: nullity(true),
    words: nullWords(true),
    example: '{ notes: { $notNull: true } }',
    meaning: 'not NULL; with `false`: NULL',
  },
  $startsWith: {
    build: plainText('$startsWith'),
    words: 'starts with',
    example: "{ name: { $startsWith: 'A' } }",
    meaning: 'of texts: begins so, case-sensitive, without wildcards',
  },
  $endsWith: {
    build: plainText('$endsWith'),
    words: 'ends with',
    example: "{ email: { $endsWith: '@example.org' } }",
    meaning: 'of texts: ends so, case-sensitive, without wildcards',
  },
  $contains: {
    build: (use) =>
      isStructured(use.context.connection.types, use.type)
        ? compared('@>')(use)
        : plainText('$contains')(use),
    words: 'contains',
    example: "{ tags: { $contains: ['x'] } }",
    meaning: "of arrays and JSON: PostgreSQL's `@>`; of texts: has this part, case-sensitive",
  },
  $containedBy: {
    build: compared('<@'),
    words: 'is contained by',
    example: "{ tags: { $containedBy: ['x', 'y'] } }",
    meaning: "of arrays, JSON, ranges, boxes, circles and polygons: PostgreSQL's `<@`",
  },
  $overlaps: {
    build: ({ left, type, operand, context, path }) =>
      isDocument(context.connection.types, type)
        ? comparison('?|', left, textArray, operand, context, path)
        : comparison('&&', left, type, operand, context, path),
    words: 'overlaps',
    example: "{ tags: { $overlaps: ['x', 'y'] } }",
    meaning:
      "of arrays: has one of them; of JSON: has one of these texts in a list, or keys of an object; ranges, boxes, circles and polygons that share a part: `{ during: { $overlaps: '[1,5)' } }`",
  },
  $hasKey: {
    build: ({ left, operand, context, path }) =>
      comparison('?', left, text, operand, context, path),
    words: 'has key',
    example: "{ settings: { $hasKey: 'theme' } }",
    meaning: 'of JSON: has this text in a list, or key of an object',
  },
  $not: {
    build: ({ operand, nested }) => negationOf(nested(operand)),
    words: ({ operand, nested }) => `not (${nested(operand)})`,
    example: "{ status: { $not: { $in: ['draft'] } } }",
    meaning: 'not so; what is UNKNOWN stays UNKNOWN',
  },
}

/** @returns undefined for an unknown name. */
export function filterOperator(name: string): FilterOperator | undefined {
  return Object.hasOwn(filterOperators, name)
    ? filterOperators[name as FilterOperatorName]
    : undefined
}
