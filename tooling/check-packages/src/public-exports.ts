/** @module The names that a package exports, each with its declaration and the comment above it. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Comment, type Directive, parseSync, type Statement } from 'oxc-parser'

export interface PublicExport {
  readonly name: string
  /** Absolute path of the file that declares it. */
  readonly file: string
  /** Of all its declarations: an overloaded function has several. */
  readonly declarations: readonly Declaration[]
}

export interface Declaration {
  readonly node: DeclaredNode
  /** The text between the marks of the comment right above it; undefined where there is none. */
  readonly comment: string | undefined
}

type Node = Statement | Directive
export type DeclaredNode = Exclude<
  Extract<Statement, { readonly type: 'ExportNamedDeclaration' }>['declaration'],
  null
>

export interface SourceFile {
  readonly path: string
  readonly text: string
  readonly body: readonly Node[]
  readonly comments: readonly Comment[]
}

/** Parses each file once. */
export function createReader(): (path: string) => SourceFile {
  const files = new Map<string, SourceFile>()
  return (path) => {
    const known = files.get(path)
    if (known !== undefined) return known
    const text = readFileSync(path, 'utf8')
    const { program, comments, errors } = parseSync(path, text)
    if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`)
    const file = { path, text, body: program.body, comments }
    files.set(path, file)
    return file
  }
}

/** Exports of an entry point that the package declares itself; those of other packages are theirs. */
export function publicExports(
  entryPoint: string,
  read: (path: string) => SourceFile,
): readonly PublicExport[] {
  const file = read(entryPoint)
  return namesOf(file).flatMap(({ name, from, imported }): readonly PublicExport[] => {
    if (from === undefined) return [ownExport(file, name, imported)]
    const path = join(dirname(entryPoint), from)
    if (!from.startsWith('.')) return []
    const found = publicExports(path, read).find((each) => each.name === imported)
    return found === undefined ? [] : [{ ...found, name }]
  })
}

interface ExportedName {
  readonly name: string
  /** Name in the file that declares it. */
  readonly imported: string
  /** The other file, where it is exported from there. */
  readonly from: string | undefined
}

function namesOf(file: SourceFile): readonly ExportedName[] {
  const names = file.body.flatMap((node): readonly ExportedName[] => {
    if (node.type === 'ExportAllDeclaration') throw new Error(`${file.path}: export *`)
    if (node.type !== 'ExportNamedDeclaration') return []
    if (node.declaration !== null) {
      return declaredNames(node.declaration).map((name) => ({
        name,
        imported: name,
        from: undefined,
      }))
    }
    return node.specifiers.map(({ local, exported }) => {
      const imported = textOf(local)
      const source = node.source?.value ?? importSource(file, imported)
      return { name: textOf(exported), imported, from: source }
    })
  })
  return [...new Map(names.map((each) => [each.name, each])).values()]
}

function importSource(file: SourceFile, name: string): string | undefined {
  for (const node of file.body) {
    if (node.type !== 'ImportDeclaration') continue
    if (node.specifiers.some(({ local }) => local.name === name)) return node.source.value
  }
  return undefined
}

function textOf(name: { readonly type: string }): string {
  if ('name' in name) return String(name.name)
  return 'value' in name ? String(name.value) : ''
}

function declaredNames(node: DeclaredNode): readonly string[] {
  if (node.type === 'VariableDeclaration') {
    return node.declarations.map(({ id }) => textOf(id))
  }
  return 'id' in node && node.id !== null ? [textOf(node.id)] : []
}

function ownExport(file: SourceFile, name: string, declared: string): PublicExport {
  const declarations = file.body.flatMap((statement): readonly Declaration[] => {
    const node =
      statement.type === 'ExportNamedDeclaration' && statement.declaration !== null
        ? statement.declaration
        : (statement as DeclaredNode)
    if (!declaredNames(node).includes(declared)) return []
    return [{ node, comment: commentBefore(file, statement.start) }]
  })
  return { name, file: file.path, declarations }
}

/** The documentation comment that ends right before a position. */
export function commentBefore(file: SourceFile, position: number): string | undefined {
  const found = file.comments.findLast(({ end }) => end <= position)
  if (found?.type !== 'Block' || !found.value.startsWith('*')) return undefined
  const isRightBefore = file.text.slice(found.end, position).trim() === ''
  const isOfModule = /^\*\s*@module\b/.test(found.value)
  return isRightBefore && !isOfModule ? found.value.slice(1) : undefined
}
