/** @module Operators by the type of a column, and operands as texts of an input. */
import {
  type FilterOperandForm,
  type FilterOperatorDescription,
  type FilterOperatorName,
  type FilterTypeClass,
  filterOperatorNames,
  filterOperatorTable,
  filterTypes,
  typesWithoutEquality,
} from '@engine/contract'

/** How the editor asks for an operand: for one value, several, two, or none. */
export type OperandInput = 'one' | 'list' | 'range' | 'flag'

/** An operand of the form `condition` stays as it is written. */
const inputs: Readonly<Record<FilterOperandForm, OperandInput | 'written'>> = {
  value: 'one',
  pattern: 'one',
  document: 'one',
  text: 'one',
  list: 'list',
  texts: 'list',
  range: 'range',
  flag: 'flag',
  condition: 'written',
}

const descriptions: Readonly<Record<FilterOperatorName, FilterOperatorDescription>> =
  filterOperatorTable

function descriptionOf(operator: string): FilterOperatorDescription | undefined {
  return Object.hasOwn(descriptions, operator)
    ? descriptions[operator as FilterOperatorName]
    : undefined
}

/** Whether the editor has an input for the operand of an operator. */
export function isEditable(operator: string): boolean {
  const forms = Object.values(descriptionOf(operator)?.operands ?? {})
  return forms.length > 0 && forms.every((form) => inputs[form] !== 'written')
}

/** An operator in a sentence: `is at least`. */
export function wordsOf(operator: string): string {
  return descriptionOf(operator)?.words ?? operator
}

/** The input for the operand of an operator on a column of a type. */
export function inputOf(operator: string, type: string): OperandInput {
  const input = inputs[formOf(operator, type)]
  return input === 'written' ? 'one' : input
}

/** The form of the operand on a type; where the type does not have the operator, that on another type. */
function formOf(operator: string, type: string): FilterOperandForm {
  const entries = operandsOf(operator)
  const classes = classesOf(type)
  const fitting = entries.find(([needed]) => classes.has(needed)) ?? entries[0]
  return fitting?.[1] ?? 'value'
}

function operandsOf(operator: string): readonly (readonly [FilterTypeClass, FilterOperandForm])[] {
  const { operands } = descriptionOf(operator) ?? { operands: {} }
  return Object.entries(operands) as [FilterTypeClass, FilterOperandForm][]
}

export type ColumnKind = 'text' | 'number' | 'time' | 'boolean' | 'json' | 'list' | 'other'

export function kindOf(type: string): ColumnKind {
  if (type.endsWith('[]')) return 'list'
  if (/^(?:smallint|integer|bigint|int\d$|real|double|float\d|numeric|decimal)/.test(type)) {
    return 'number'
  }
  if (/^(?:text|varchar|char|bpchar|character|citext|name)/.test(type)) return 'text'
  if (/^(?:timestamp|date$|time|interval)/.test(type)) return 'time'
  if (/^bool/.test(type)) return 'boolean'
  if (/^json/.test(type)) return 'json'
  return 'other'
}

/** What a type has for operators. An order is of no use where values are documents, lists, or true and false. */
function classesOf(type: string): ReadonlySet<FilterTypeClass> {
  const name = type.replace(/\([^)]*\)/, '').trim()
  const kind = kindOf(type)
  const classes = new Set<FilterTypeClass>(['any'])
  if (!(typesWithoutEquality as readonly string[]).includes(name)) {
    classes.add('equality')
    if (isPlain(kind)) classes.add('order')
  }
  if (kind === 'list') classes.add('array')
  if (kind === 'text') classes.add('text')
  for (const [listed, names] of Object.entries(filterTypes)) {
    if ((names as readonly string[]).includes(name)) classes.add(listed as FilterTypeClass)
  }
  return classes
}

function isPlain(kind: ColumnKind): boolean {
  return kind !== 'boolean' && kind !== 'json' && kind !== 'list'
}

/** The operators to choose from for a column of a type, in the order of the documentation. */
export function operatorsFor(type: string): readonly FilterOperatorName[] {
  const classes = classesOf(type)
  const hasLists = isPlain(kindOf(type))
  return filterOperatorNames.filter(
    (name) =>
      isEditable(name) &&
      descriptions[name].isAlias !== true &&
      operandsOf(name).some(
        ([needed, form]) => classes.has(needed) && (hasLists || form !== 'list'),
      ),
  )
}

/** The operand of an operator that was just chosen. */
export function emptyOperand(operator: string, type: string): unknown {
  const input = inputOf(operator, type)
  if (input === 'flag') return true
  return input === 'one' && kindOf(type) !== 'list' ? '' : []
}

/** What the value of a condition is: constants, a field of the caller, a moment. */
export type OperandKind = 'value' | 'field' | 'now' | 'written'

export function operandKind(operand: unknown): OperandKind {
  if (typeof operand === 'string' && operand.startsWith('$user.')) return 'field'
  if (typeof operand !== 'object' || operand === null || Array.isArray(operand)) return 'value'
  if ('$literal' in operand) return 'value'
  return '$now' in operand ? 'now' : 'written'
}

/** A constant as the text of an input. */
export function textOf(operand: unknown): string {
  if (Array.isArray(operand)) {
    return operand.every(isSimple) ? operand.map(String).join(', ') : JSON.stringify(operand)
  }
  if (typeof operand === 'object' && operand !== null) {
    return '$literal' in operand ? String(operand.$literal) : JSON.stringify(operand)
  }
  return operand === null || operand === undefined ? '' : String(operand)
}

function isSimple(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && !/[,"]|^\s|\s$|^$/.test(value))
}

/** The constant that a text means for a column. */
export function operandOf(text: string, operator: string, type: string): unknown {
  const form = formOf(operator, type)
  const kind = kindOf(type)
  switch (inputOf(operator, type)) {
    case 'flag':
      return text === 'true'
    case 'one':
      if (form === 'text' || form === 'pattern') return literal(text)
      if (kind === 'list') return text.startsWith('{') ? text : listOf(text, literal)
      return kind === 'json' ? jsonOf(text) : constantOf(text, kind)
    default:
      return listOf(text, (part) => constantOf(part, kind))
  }
}

/** A JSON array, or parts with commas between them. */
function listOf(text: string, partOf: (part: string) => unknown): readonly unknown[] {
  const parsed = text.trimStart().startsWith('[') ? jsonOf(text) : undefined
  return Array.isArray(parsed) ? parsed : text.split(',').map((part) => partOf(part.trim()))
}

function constantOf(text: string, kind: ColumnKind): unknown {
  if (kind === 'boolean') return text === 'true'
  const number = Number(text)
  if (kind === 'number' && text.trim() !== '' && Number.isFinite(number)) {
    return Number.isInteger(number) && !Number.isSafeInteger(number) ? text : number
  }
  return literal(text)
}

/** A text that is not taken for a field of the caller. */
function literal(text: string): unknown {
  return text.startsWith('$user.') ? { $literal: text } : text
}

/** JSON, or the text where it is none. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return literal(text)
  }
}
