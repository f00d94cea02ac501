/** @module Every way to make a tree one step smaller, the largest steps first. */
import type { Tree } from './tree.ts'

/** Possible replacements of any group of a sort: a NULL of its type, for example. */
export type Simplest = (sort: string) => readonly Tree[]

/**
 * Trees that are `tree` with one part left out, or with a group replaced by a smaller one of its sort. Outer parts come
 * before inner ones. They may be invalid: the caller must try them.
 */
export function* smallerTrees(tree: Tree, simplest: Simplest): Generator<Tree> {
  yield* ownSteps(tree, simplest)
  yield* innerSteps(tree, simplest)
}

function* ownSteps(tree: Tree, simplest: Simplest): Generator<Tree> {
  if (typeof tree === 'string') return
  switch (tree.kind) {
    case 'maybe':
      if (tree.part !== undefined) yield { ...tree, part: undefined }
      return
    case 'list':
      yield* shorterLists(tree.items, tree.least, (items) => ({ ...tree, items }))
      return
    case 'group': {
      if (tree.sort === '') return
      const size = sizeOf(tree)
      for (const candidate of simplest(tree.sort)) {
        if (sizeOf(candidate) < size) yield candidate
      }
      for (const inner of groupsInside(tree, tree.sort)) yield inner
      return
    }
    default:
  }
}

function* shorterLists(
  items: readonly Tree[],
  least: number,
  make: (items: readonly Tree[]) => Tree,
): Generator<Tree> {
  if (items.length <= least) return
  if (least === 0) yield make([])
  for (let size = items.length >> 1; size >= 1; size >>= 1) {
    for (let start = 0; start < items.length; start += size) {
      const rest = [...items.slice(0, start), ...items.slice(start + size)]
      if (rest.length >= least && rest.length > 0) yield make(rest)
    }
  }
}

function* innerSteps(tree: Tree, simplest: Simplest): Generator<Tree> {
  if (typeof tree === 'string') return
  switch (tree.kind) {
    case 'group':
      for (const [i, part] of tree.parts.entries()) {
        for (const smaller of smallerTrees(part, simplest)) {
          yield { ...tree, parts: tree.parts.with(i, smaller) }
        }
      }
      return
    case 'list':
      for (const [i, item] of tree.items.entries()) {
        for (const smaller of smallerTrees(item, simplest)) {
          yield { ...tree, items: tree.items.with(i, smaller) }
        }
      }
      return
    case 'maybe':
      if (tree.part === undefined) return
      for (const part of smallerTrees(tree.part, simplest)) yield { ...tree, part }
      return
    default:
  }
}

/** Groups of `sort` inside of `tree`, without itself, the smallest first. */
function groupsInside(tree: Tree, sort: string): readonly Tree[] {
  const found: Tree[] = []
  const walk = (part: Tree, isRoot: boolean): void => {
    if (typeof part === 'string') return
    if (part.kind === 'group') {
      if (!isRoot && part.sort === sort) found.push(part)
      for (const inner of part.parts) walk(inner, false)
    } else if (part.kind === 'list') {
      for (const item of part.items) walk(item, false)
    } else if (part.kind === 'maybe' && part.part !== undefined) {
      walk(part.part, false)
    }
  }
  walk(tree, true)
  return found.sort((one, other) => sizeOf(one) - sizeOf(other))
}

/** The number of parts, including texts. */
export function sizeOf(tree: Tree): number {
  if (typeof tree === 'string') return 1
  switch (tree.kind) {
    case 'group':
      return tree.parts.reduce((size, part) => size + sizeOf(part), 1)
    case 'list':
      return tree.items.reduce((size, item) => size + sizeOf(item), 1)
    case 'maybe':
      return tree.part === undefined ? 0 : 1 + sizeOf(tree.part)
    case 'split':
      return 1 + sizeOf(tree.engine)
    default:
      return 2
  }
}
