/** @module What the comments of public names lack: see `commentFaults`. */
import {
  commentBefore,
  type DeclaredNode,
  type PublicExport,
  type SourceFile,
} from './public-exports.ts'

export interface CommentRules {
  /** Names that need an `@example`. */
  readonly main: readonly string[]
  /** Functions that throw need an `@throws`: for applications, not for parts of the engine. */
  readonly requiresThrows: boolean
}

/** Every fault as `name: what is missing`. */
export function commentFaults(
  exported: readonly PublicExport[],
  read: (path: string) => SourceFile,
  { main, requiresThrows }: CommentRules,
): readonly string[] {
  const unknown = main.filter((name) => !exported.some((each) => each.name === name))
  return [
    ...unknown.map((name) => `${name}: is not exported`),
    ...exported.flatMap((each) => {
      const faults = faultsOf(each, read(each.file), {
        isMain: main.includes(each.name),
        requiresThrows,
      })
      return faults.map((fault) => `${each.name}: ${fault}`)
    }),
  ]
}

function faultsOf(
  { declarations }: PublicExport,
  file: SourceFile,
  { isMain, requiresThrows }: { readonly isMain: boolean; readonly requiresThrows: boolean },
): readonly string[] {
  const comment = declarations.map((each) => each.comment ?? '').join('\n')
  if (comment.trim() === '') return ['no comment']
  if (!declarations.some((each) => hasSentence(each.comment ?? ''))) return ['no sentence']
  const nodes = declarations.map(({ node }) => node)
  return [
    ...(isMain && !comment.includes('@example') ? ['no @example'] : []),
    ...(requiresThrows && nodes.some(throwsItself) && !comment.includes('@throws')
      ? ['throws, without @throws']
      : []),
    ...nodes.flatMap((node) => membersWithoutUnit(node, file)).map((name) => `${name} has no unit`),
  ]
}

/** Whether a comment says something before its first tag, or says what is returned. */
function hasSentence(comment: string): boolean {
  const text = comment.replaceAll(/^[\s*/]+/gm, '')
  return /^(?!@)\S/.test(text) || /^@returns? \S/m.test(text)
}

/** Anything of a syntax tree. */
interface Tree {
  readonly [key: string]: unknown
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null
}

/** Returns whether the body of a function has a `throw`; those of functions inside it do not count. */
function throwsItself(node: DeclaredNode): boolean {
  return node.type === 'FunctionDeclaration' && node.body !== null && hasThrow(node.body)
}

function hasThrow(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasThrow)
  if (!isTree(value)) return false
  if (value['type'] === 'ThrowStatement') return true
  const isInner =
    value['type'] === 'FunctionDeclaration' ||
    value['type'] === 'FunctionExpression' ||
    value['type'] === 'ArrowFunctionExpression'
  return !isInner && Object.values(value).some(hasThrow)
}

/** A number with such a name is a duration, or an amount of memory. */
const measured = /timeout|interval|delay|duration|period|maxAge|expires|ttl|bytes|memory|elapsed/i
const unitInName = /(?:Ms|Seconds|Minutes|Hours|Days|Bytes|Count)$/
const unitInComment = /second|minute|hour|\bdays?\b|byte|\bMB\b|\bkB\b|number of|1970/i

/** Numeric members of an interface whose name and comment both lack a unit. */
function membersWithoutUnit(node: DeclaredNode, file: SourceFile): readonly string[] {
  if (node.type !== 'TSInterfaceDeclaration') return []
  return node.body.body.flatMap((member) => {
    if (member.type !== 'TSPropertySignature' || !('name' in member.key)) return []
    const name = String(member.key.name)
    const type = member.typeAnnotation?.typeAnnotation
    if (!measured.test(name) || unitInName.test(name) || !holdsNumber(type)) return []
    return unitInComment.test(commentBefore(file, member.start) ?? '') ? [] : [name]
  })
}

function holdsNumber(type: unknown): boolean {
  if (!isTree(type)) return false
  if (type['type'] === 'TSNumberKeyword') return true
  return Array.isArray(type['types']) && type['types'].some(holdsNumber)
}
