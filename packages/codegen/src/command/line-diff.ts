/** @module The changes between two texts, as a unified diff. */

interface Edit {
  readonly kind: ' ' | '-' | '+'
  readonly line: string
}

/** Number of unchanged lines around a change. */
const contextLines = 3

/** With more changed lines than this, no shortest difference is computed: all old lines, then all new ones. */
const mostEdits = 500

/** Unified diff from `before` to `after`, without colours; empty when they are the same. */
export function lineDiff(before: string, after: string, name: string): string {
  if (before === after) return ''
  const edits = editsBetween(linesOf(before), linesOf(after))
  return [`--- ${name}`, `+++ ${name} (as it should be)`, ...hunks(edits)].join('\n')
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

function editsBetween(before: readonly string[], after: readonly string[]): readonly Edit[] {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start += 1
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  const same = (line: string): Edit => ({ kind: ' ', line })
  return [
    ...before.slice(0, start).map(same),
    ...middleEdits(
      before.slice(start, before.length - end),
      after.slice(start, after.length - end),
    ),
    ...before.slice(before.length - end).map(same),
  ]
}

/**
 * The shortest sequence of changes from one list to the other.
 *
 * @see Myers, An O(ND) Difference Algorithm and Its Variations
 */
function middleEdits(before: readonly string[], after: readonly string[]): readonly Edit[] {
  const trace: Map<number, number>[] = []
  const reached = new Map<number, number>([[1, 0]])
  const at = (diagonal: number) => reached.get(diagonal) ?? -1
  const most = Math.min(before.length + after.length, mostEdits)
  for (let distance = 0; distance <= most; distance += 1) {
    trace.push(new Map(reached))
    for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
      const goesDown =
        diagonal === -distance || (diagonal !== distance && at(diagonal - 1) < at(diagonal + 1))
      let x = goesDown ? at(diagonal + 1) : at(diagonal - 1) + 1
      while (
        x < before.length &&
        x - diagonal < after.length &&
        before[x] === after[x - diagonal]
      ) {
        x += 1
      }
      reached.set(diagonal, x)
      if (x >= before.length && x - diagonal >= after.length) {
        return wayBack(before, after, trace)
      }
    }
  }
  return [
    ...before.map((line): Edit => ({ kind: '-', line })),
    ...after.map((line): Edit => ({ kind: '+', line })),
  ]
}

function wayBack(
  before: readonly string[],
  after: readonly string[],
  trace: readonly ReadonlyMap<number, number>[],
): readonly Edit[] {
  const edits: Edit[] = []
  let [x, y] = [before.length, after.length]
  for (let distance = trace.length - 1; distance >= 0; distance -= 1) {
    const reached = trace[distance]
    const at = (diagonal: number) => reached?.get(diagonal) ?? -1
    const diagonal = x - y
    const cameDown =
      diagonal === -distance || (diagonal !== distance && at(diagonal - 1) < at(diagonal + 1))
    const previous = cameDown ? diagonal + 1 : diagonal - 1
    const [fromX, fromY] = [at(previous), at(previous) - previous]
    while (x > Math.max(fromX, 0) && y > Math.max(fromY, 0) && before[x - 1] === after[y - 1]) {
      edits.push({ kind: ' ', line: before[x - 1] ?? '' })
      x -= 1
      y -= 1
    }
    if (distance > 0) {
      edits.push(
        cameDown
          ? { kind: '+', line: after[fromY] ?? '' }
          : { kind: '-', line: before[fromX] ?? '' },
      )
    }
    ;[x, y] = [fromX, fromY]
  }
  return edits.reverse()
}

/** Changes with the lines around them; lines between distant changes are left out. */
function hunks(edits: readonly Edit[]): readonly string[] {
  const isShown = new Uint8Array(edits.length)
  for (const [index, { kind }] of edits.entries()) {
    if (kind !== ' ') isShown.fill(1, Math.max(index - contextLines, 0), index + contextLines + 1)
  }
  const lines: string[] = []
  let [old, now] = [1, 1]
  for (let index = 0; index < edits.length; ) {
    let end = index
    while (end < edits.length && isShown[end] === isShown[index]) end += 1
    const part = edits.slice(index, end)
    const oldLength = part.filter(({ kind }) => kind !== '+').length
    const newLength = part.filter(({ kind }) => kind !== '-').length
    if (isShown[index] === 1) {
      lines.push(`@@ -${place(old, oldLength)} +${place(now, newLength)} @@`)
      lines.push(...part.map(({ kind, line }) => kind + line))
    }
    old += oldLength
    now += newLength
    index = end
  }
  return lines
}

/** `3,7`; a part without lines has the number of the line before it. */
function place(start: number, length: number): string {
  return `${length === 0 ? start - 1 : start},${length}`
}
