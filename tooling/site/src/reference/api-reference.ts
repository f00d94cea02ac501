/** @module A page for each entry point of the published packages, from the comments in the sources. */
import {
  createReader,
  type EntryPoint,
  type PublicExport,
  publicEntryPoints,
  publicExports,
  type SourceFile,
} from '@engine/check-packages/reference'
import { type CommentTag, readComment } from './comment.ts'
import { type DeclarationKind, declarationText, kindOf } from './declaration.ts'
import { code, pageHead, safeText } from './markdown.ts'

export interface ApiPage {
  readonly entryPoint: string
  /** File name: `client-auth.md`. */
  readonly name: string
  readonly text: string
}

export function apiPages(): readonly ApiPage[] {
  const read = createReader()
  return publicEntryPoints().map((each) => ({
    entryPoint: each.entryPoint,
    name: `${each.entryPoint.replace('@engine/', '').replaceAll('/', '-')}.md`,
    text: pageOf(each, read),
  }))
}

const headings: readonly (readonly [DeclarationKind, string])[] = [
  ['function', 'Functions'],
  ['class', 'Classes'],
  ['constant', 'Constants'],
  ['type', 'Types'],
]

type Read = (path: string) => SourceFile

function pageOf({ entryPoint, file }: EntryPoint, read: Read): string {
  const exported = publicExports(file, read).toSorted((left, right) =>
    left.name.toLowerCase() < right.name.toLowerCase() ? -1 : 1,
  )
  const parts = headings.flatMap(([kind, heading]) => {
    const names = exported.filter(({ declarations: [first] }) => first && kindOf(first) === kind)
    return names.length === 0 ? [] : [`## ${heading}`, ...names.map((each) => entryOf(each, read))]
  })
  const shape = isForAuthors(entryPoint) ? 'unsearched' : undefined
  return `${pageHead(`Exports of ${entryPoint}`, moduleText(read(file)), shape)}\n${parts.join('\n\n')}\n`
}

/** For authors of adapters and servers: their many names would hide what others search for. */
function isForAuthors(entryPoint: string): boolean {
  return /^@engine\/(?:core\/|.+\/dialect$)/.test(entryPoint)
}

/** The comment of an entry point that says what it is for. */
function moduleText({ comments }: SourceFile): string {
  const found = comments.find(({ value }) => /^\*\s*@module\b/.test(value))
  const text = readComment(found?.value.slice(1) ?? '').tags[0]?.text ?? ''
  return safeText(text.replaceAll('\n', ' '))
}

function entryOf({ name, file, declarations }: PublicExport, read: Read): string {
  const signatures = declarations
    .map((each) => declarationText(each, read(file)))
    .filter(
      (_, index, all) => all.length === 1 || index < all.length - 1 || !isOverloaded(declarations),
    )
  const comment = readComment(
    declarations.find((each) => each.comment !== undefined)?.comment ?? '',
  )
  return [
    `### ${name}`,
    `\`\`\`ts\n${signatures.join('\n')}\n\`\`\``,
    safeText(comment.text),
    ...tagTexts(comment.tags),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** The last declaration of an overloaded function is its implementation, which callers do not see. */
function isOverloaded(declarations: PublicExport['declarations']): boolean {
  return declarations.length > 1 && declarations.every((each) => kindOf(each) === 'function')
}

function tagTexts(tags: readonly CommentTag[]): readonly string[] {
  const parameters = tags.filter(({ name }) => name === 'param')
  const list = parameters.map(({ text }) => {
    const [, name = '', what = ''] = /^(\S+)\s*(?:-\s*)?([\s\S]*)$/.exec(text) ?? []
    return `- ${code(name)}: ${safeText(what.replaceAll(/\s+/g, ' '))}`
  })
  return [...(list.length === 0 ? [] : [list.join('\n')]), ...tags.flatMap((tag) => tagText(tag))]
}

function tagText({ name, text }: CommentTag): readonly string[] {
  switch (name) {
    case 'returns':
      return [`**Returns** ${safeText(text)}`]
    case 'throws':
      return [`**Throws** ${safeText(text.replace(/^\{(\w+)\}/, '`$1`'))}`]
    case 'example':
      return [text.includes('```') ? text : `\`\`\`ts\n${text}\n\`\`\``]
    case 'see':
      return [`See ${safeText(text)}`]
    case 'deprecated':
      return [`**Deprecated.** ${safeText(text)}`]
    default:
      return []
  }
}
