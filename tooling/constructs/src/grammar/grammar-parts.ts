/** @module The kinds of nodes of PostgreSQL's grammar and their fields, as the types of the parser declare them. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Names of parts: `SelectStmt`, `SelectStmt.whereClause`, `SelectStmt.limitOption=LIMIT_OPTION_COUNT`. */
export interface Grammar {
  readonly kinds: readonly string[]
  /** All parts of a kind of node: its fields, and each word that a field may be. */
  readonly partsOf: (kind: string) => readonly string[]
  /** The parts that a syntax tree contains. */
  readonly partsIn: (tree: unknown) => ReadonlySet<string>
}

export function readGrammar(): Grammar {
  const types = declarations('types.d.ts')
  const words = wordsOf(declarations('enums.d.ts'))
  const fields = fieldsOf(types)
  const union = /export type Node = ([\s\S]*?);\n(?=export )/.exec(types)?.[1] ?? ''
  return {
    kinds: [...union.matchAll(/^ {4}(\w+): \1;/gm)].map(([, kind = '']) => kind),
    partsOf: (kind) =>
      [...(fields.get(kind) ?? [])].flatMap(
        ([name, type]) =>
          words.get(type)?.map((word) => `${kind}.${name}=${word}`) ?? [`${kind}.${name}`],
      ),
    partsIn: (tree) => {
      const found = new Set<string>()
      collect({ fields, words, found }, tree, undefined)
      return found
    },
  }
}

/** By kind: the type of each field. */
type Fields = ReadonlyMap<string, ReadonlyMap<string, string>>

function declarations(name: string): string {
  return readFileSync(fileURLToPath(import.meta.resolve(`@pgsql/types/${name}`)), 'utf8')
}

function wordsOf(text: string): ReadonlyMap<string, readonly string[]> {
  return new Map(
    [...text.matchAll(/^export type (\w+) = (.*);$/gm)].map(([, name = '', words = '']) => [
      name,
      [...words.matchAll(/"(\w+)"/g)].map(([, word = '']) => word),
    ]),
  )
}

function fieldsOf(types: string): Fields {
  return new Map(
    [...types.matchAll(/^export interface (\w+) \{([^}]*)\}/gm)].map(([, kind = '', body = '']) => [
      kind,
      new Map(
        [...body.matchAll(/^\s*(\w+)\?: (\w+)/gm)].map(([, name = '', type = '']) => [name, type]),
      ),
    ]),
  )
}

interface Collection {
  readonly fields: Fields
  readonly words: ReadonlyMap<string, readonly string[]>
  readonly found: Set<string>
}

/** @param kind of a node without its wrapper `{ Kind: fields }`. */
function collect(collection: Collection, tree: unknown, kind: string | undefined): void {
  if (Array.isArray(tree)) {
    for (const item of tree) collect(collection, item, kind)
  } else if (typeof tree === 'object' && tree !== null) {
    if (kind === undefined) {
      for (const [name, fields] of Object.entries(tree)) collect(collection, fields, name)
    } else {
      collectFields(collection, tree, kind)
    }
  }
}

function collectFields({ fields, words, found }: Collection, tree: object, kind: string): void {
  found.add(kind)
  for (const [name, value] of Object.entries(tree)) {
    const type = fields.get(kind)?.get(name) ?? ''
    found.add(words.has(type) ? `${kind}.${name}=${value}` : `${kind}.${name}`)
    collect({ fields, words, found }, value, fields.has(type) ? type : undefined)
  }
}
