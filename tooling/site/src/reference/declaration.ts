/** @module Declarations as a reader of the API sees them: without the code inside. */
import type { Declaration, SourceFile } from '@engine/check-packages/reference'

export type DeclarationKind = 'function' | 'constant' | 'class' | 'type'

/** The kind that a name is listed under. */
export function kindOf({ node }: Declaration): DeclarationKind {
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'TSDeclareFunction':
      return 'function'
    case 'ClassDeclaration':
      return 'class'
    case 'VariableDeclaration':
      return 'constant'
    default:
      return 'type'
  }
}

/** `export function f(a: string): number`, `const a: A`, the whole of an interface or a type. */
export function declarationText({ node }: Declaration, { text }: SourceFile): string {
  switch (node.type) {
    case 'FunctionDeclaration':
      return text.slice(node.start, node.body?.start ?? node.end).trim()
    case 'VariableDeclaration':
      return node.declarations
        .map(({ id, end }) => `const ${text.slice(id.start, hasType(id) ? id.end : end)}`)
        .join('\n')
    case 'ClassDeclaration':
      return classText(node, text)
    default:
      return text.slice(node.start, node.end)
  }
}

interface ClassNode {
  readonly start: number
  readonly body: {
    readonly start: number
    readonly body: readonly { readonly start: number; readonly end: number }[]
  }
}

/** Properties and signatures of methods. */
function classText(node: ClassNode, text: string): string {
  const members = node.body.body.map((member) => {
    const body = 'value' in member ? bodyOf(member.value) : undefined
    return `  ${text.slice(member.start, body?.start ?? member.end).trim()}`
  })
  return `${text.slice(node.start, node.body.start)}{\n${members.join('\n')}\n}`
}

function bodyOf(value: unknown): { readonly start: number } | undefined {
  if (typeof value !== 'object' || value === null || !('body' in value)) return undefined
  const { body } = value
  const isBody = typeof body === 'object' && body !== null && 'start' in body
  return isBody && typeof body.start === 'number' ? { start: body.start } : undefined
}

function hasType(id: object): boolean {
  return 'typeAnnotation' in id && id.typeAnnotation !== null && id.typeAnnotation !== undefined
}
