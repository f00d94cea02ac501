/**
 * @module Compiles all mutants of a source file into it at once, each with a switch: `mutant(7) ? changed : original`. One
 * process can then run tests against any of them without loading anything again.
 */
import { parseAst } from 'vitest/node'
import type { Mutant } from './mutant.ts'

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

type Change = Pick<Mutant, 'operator' | 'replacement'>

export interface MutatedSource {
  readonly code: string
  readonly mutants: readonly Mutant[]
}

/** @param firstId of the file's mutants; they are numbered from there. */
export function mutate(source: string, file: string, firstId: number): MutatedSource {
  const mutants: Mutant[] = []
  const text = (node: unknown) => {
    const { start, end } = node as Node
    return source.slice(start, end)
  }
  const register = (node: Node, { operator, replacement }: Change): number => {
    const id = firstId + mutants.length
    const line = source.slice(0, node.start).split('\n').length
    const original = text(node)
    const twins = mutants.filter(
      (other) => other.original === original && other.replacement === replacement,
    )
    const nth = twins.length + 1
    mutants.push({ id, file, line, operator, original, replacement, nth })
    return id
  }
  const emit = (node: Node, isInChain = false): string => {
    const changes = isInChain ? [] : expressionChanges(node, text)
    const ids = changes.map((change) => register(node, change))
    const inner = emitChildren(node)
    return changes.reduceRight(
      (rest, { replacement }, i) => `(mutant(${ids[i]})?(${replacement}):${rest})`,
      changes.length === 0 ? inner : `(${inner})`,
    )
  }
  const emitChildren = (node: Node): string => {
    let code = ''
    let position = node.start
    const block = blockOf(node)
    const id = block && register(node, { operator: 'block', replacement: '{}' })
    for (const { child, isInChain } of childrenOf(node)) {
      if (block === child) code += `${source.slice(position, child.start)}if(!mutant(${id})){`
      else code += source.slice(position, child.start)
      code += emit(child, isInChain)
      position = child.end
    }
    const end = block === undefined ? '' : '}'
    if (node.type === 'SwitchCase') return code + source.slice(position, node.end) + end
    return block === undefined
      ? code + source.slice(position, node.end)
      : `${code}${source.slice(position, node.end - 1)}}${source.slice(node.end - 1, node.end)}`
  }
  const program = parseAst(source, { lang: 'ts' }) as unknown as Node
  return { code: emit(program), mutants }
}

/** The first statement of a part that is emptied as a whole: a block, the body of a `case`. */
function blockOf(node: Node): Node | undefined {
  if (node.type === 'BlockStatement') return (node['body'] as readonly Node[])[0]
  return node.type === 'SwitchCase' ? (node['consequent'] as readonly Node[])[0] : undefined
}

/** Types are not code, and neither are names and imports. */
const skippedKeys: ReadonlySet<string> = new Set([
  'typeAnnotation',
  'typeArguments',
  'typeParameters',
  'returnType',
])
const skippedTypes: ReadonlySet<string> = new Set([
  'ImportDeclaration',
  'ExportAllDeclaration',
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
])

function childrenOf(node: Node): readonly { readonly child: Node; readonly isInChain: boolean }[] {
  if (skippedTypes.has(node.type)) return []
  const isName = (key: string) =>
    (node.type === 'Property' && key === 'key' && node['computed'] !== true) ||
    (node.type === 'Property' && node['shorthand'] === true) ||
    (node.type === 'MemberExpression' && key === 'property' && node['computed'] !== true) ||
    (node.type === 'TSAsExpression' && key !== 'expression')
  const isChain = (key: string) =>
    node.type === 'ChainExpression' || key === 'object' || key === 'callee' || key === 'left'
  return Object.entries(node)
    .filter(([key]) => !skippedKeys.has(key) && !isName(key))
    .flatMap(([key, value]) =>
      [value]
        .flat()
        .flatMap((child) => (isNode(child) ? [{ child, isInChain: isLink(key, child) }] : [])),
    )
    .toSorted((a, b) => a.child.start - b.child.start)

  /** Parts of `a?.b.c` and callees keep their form; the target of an assignment is not a value. */
  function isLink(key: string, child: Node): boolean {
    const isAssigned = key === 'left' && node.type === 'AssignmentExpression'
    const isPart = child.type === 'MemberExpression' || child.type === 'CallExpression'
    return isAssigned || (isPart && key !== 'left' && isChain(key) && hasOptional(child))
  }
}

function hasOptional(node: Node): boolean {
  if (node['optional'] === true) return true
  const inner = node['object'] ?? node['callee']
  return isNode(inner) && hasOptional(inner)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

const comparisons: Readonly<Record<string, readonly string[]>> = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
}
const arithmetic: Readonly<Record<string, string>> = {
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
}
const logical: Readonly<Record<string, string>> = { '&&': '||', '||': '&&', '??': '&&' }
/** Methods with the opposite meaning, and those whose removal gives more results (or another order). */
const opposites: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  min: 'max',
  max: 'min',
}
const removable: ReadonlySet<string> = new Set(['filter', 'slice', 'toSorted', 'trim', 'flat'])

function expressionChanges(node: Node, text: (node: unknown) => string): readonly Change[] {
  const truths = ['true', 'false'].map((replacement) => ({ operator: 'condition', replacement }))
  switch (node.type) {
    case 'BinaryExpression': {
      const swapped = (other: string) => `${text(node['left'])} ${other} ${text(node['right'])}`
      const own = String(node['operator'])
      const others = comparisons[own]
      if (others !== undefined) {
        return [
          ...truths,
          ...others.map((other) => ({ operator: 'comparison', replacement: swapped(other) })),
        ]
      }
      const other = arithmetic[own]
      return other === undefined ? [] : [{ operator: 'arithmetic', replacement: swapped(other) }]
    }
    case 'LogicalExpression': {
      const own = String(node['operator'])
      const replacement = `(${text(node['left'])}) ${logical[own]} (${text(node['right'])})`
      return [...(own === '??' ? [] : truths), { operator: 'logical', replacement }]
    }
    case 'UnaryExpression':
      if (node['operator'] === '!')
        return [{ operator: 'negation', replacement: text(node['argument']) }]
      return node['operator'] === '-'
        ? [{ operator: 'sign', replacement: text(node['argument']) }]
        : []
    case 'UpdateExpression': {
      const other = node['operator'] === '++' ? '--' : '++'
      return [
        { operator: 'update', replacement: text(node).replace(String(node['operator']), other) },
      ]
    }
    case 'ConditionalExpression':
      return [
        { operator: 'condition', replacement: text(node['consequent']) },
        { operator: 'condition', replacement: text(node['alternate']) },
      ]
    case 'Literal':
      return literalChanges(node['value'])
    case 'ArrayExpression':
      return nonEmpty(node['elements'], 'list', '[]')
    case 'ObjectExpression':
      return nonEmpty(node['properties'], 'object', '{}')
    case 'ArrowFunctionExpression':
      return isNode(node['body']) && node['body'].type !== 'BlockStatement'
        ? [{ operator: 'function', replacement: '() => undefined' }]
        : []
    case 'CallExpression':
      return callChanges(node, text)
    case 'ChainExpression':
      return [{ operator: 'optional', replacement: withoutOptional(text(node)) }]
    default:
      return []
  }
}

function nonEmpty(list: unknown, operator: string, replacement: string): readonly Change[] {
  return Array.isArray(list) && list.length > 0 ? [{ operator, replacement }] : []
}

/** Texts with spaces are messages for users, and are not tested. */
function literalChanges(value: unknown): readonly Change[] {
  if (typeof value === 'boolean') return [{ operator: 'boolean', replacement: String(!value) }]
  if (typeof value !== 'string' || value.includes(' ')) return []
  return [{ operator: 'text', replacement: value === '' ? `'mutant'` : `''` }]
}

function callChanges(node: Node, text: (node: unknown) => string): readonly Change[] {
  const callee = node['callee']
  if (!isNode(callee) || callee.type !== 'MemberExpression' || callee['computed'] === true)
    return []
  const name = text(callee['property'])
  const subject = text(callee['object'])
  const rest = text(node)
    .slice(subject.length)
    .replace(/^\s*\.\s*/, '')
  const opposite = opposites[name]
  if (opposite !== undefined) {
    const replacement = `${subject}.${opposite}${rest.slice(name.length)}`
    return [{ operator: 'method', replacement }]
  }
  return removable.has(name) ? [{ operator: 'method', replacement: subject }] : []
}

function withoutOptional(chain: string): string {
  return chain.replace(/\?\.(?=[[(])/, '').replace('?.', '.')
}
