/** Takes steps that keep `isInteresting` true until none is left, or the limit of attempts is reached. */
export async function minimise<Thing>(
  start: Thing,
  smaller: (thing: Thing) => Iterable<Thing>,
  isInteresting: (thing: Thing) => Promise<boolean>,
  patience = 1_500,
): Promise<Thing> {
  let current = start
  let left = patience
  let hasImproved = true
  while (hasImproved && left > 0) {
    hasImproved = false
    for (const candidate of smaller(current)) {
      if (left <= 0) break
      left -= 1
      if (!(await isInteresting(candidate))) continue
      current = candidate
      hasImproved = true
      break
    }
  }
  return current
}
