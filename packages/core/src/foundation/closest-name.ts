/**
 * The known name that was probably meant: preferably one that differs in case only, else the one with the fewest changes, at most
 * a third of the name's length.
 */
export function closestName(name: string, known: Iterable<string>): string | undefined {
  const candidates = [...known]
  const folded = name.toLowerCase()
  const sameLetters = candidates.find((candidate) => candidate.toLowerCase() === folded)
  if (sameLetters !== undefined) return sameLetters
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue
    const distance = editDistance(name, candidate)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** Two letters in the wrong order are one change. */
function editDistance(a: string, b: string): number {
  let beforePrevious: readonly number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swap = isSwapped ? (beforePrevious[j - 2] ?? 0) + 1 : substitution
      current.push(Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, substitution, swap))
    }
    beforePrevious = previous
    previous = current
  }
  return previous[b.length] ?? 0
}
