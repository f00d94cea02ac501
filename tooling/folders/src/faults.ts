import { dirname } from 'node:path/posix'
import type { FileImport } from './import-graph.ts'

/** The imports of a floor from a higher one, and those of folders without a floor. `a.ts imports b.ts`. */
export function importsUpwards(
  imports: readonly FileImport[],
  floors: readonly string[],
): readonly string[] {
  const height = (file: string) => floors.indexOf(file.split('/')[0] ?? '')
  return imports
    .filter(({ from, to }) => height(from) < 0 || height(to) > height(from))
    .map(({ from, to }) => `${from} imports ${to}`)
}

/** The folders that can be reached from themselves, each with the folders it imports from. */
export function foldersInCircles(imports: readonly FileImport[]): readonly string[] {
  const targets = new Map<string, Set<string>>()
  for (const { from, to } of imports) {
    const known = targets.get(dirname(from)) ?? new Set()
    targets.set(dirname(from), known.add(dirname(to)))
  }
  return [...targets]
    .filter(([folder]) => reachable(folder, targets).has(folder))
    .map(([folder, direct]) => `${folder} imports from ${[...direct].toSorted().join(', ')}`)
    .toSorted()
}

function reachable(
  folder: string,
  targets: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlySet<string> {
  const reached = new Set<string>()
  const open = [...(targets.get(folder) ?? [])]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (reached.has(next)) continue
    reached.add(next)
    open.push(...(targets.get(next) ?? []))
  }
  return reached
}
