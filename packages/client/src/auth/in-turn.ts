/** @module One tab at a time. */

/** After so many milliseconds whoever has the turn is taken to be stuck, and no longer waited for. */
const longestTurnMs = 10_000

const lookMs = 50

/** Tells of each other by locks, or by notes in a storage; with neither everyone is alone. */
export interface Neighbours {
  readonly locks: LockManager | undefined
  readonly area: Storage | undefined
}

/**
 * Runs work when no other tab runs its own: by the Web Locks of the browser, or, where a page has none since it came over
 * plain HTTP, by a note in the storage that the tabs share. Two turns at once do no harm, they are one request too many.
 *
 * @see https://w3c.github.io/web-locks
 */
export async function inTurn<Result>(
  name: string,
  { locks, area }: Neighbours,
  work: () => Promise<Result>,
): Promise<Result> {
  if (locks !== undefined) return withLock(locks, name, work)
  return area === undefined ? work() : withNote(area, `${name}.turn`, work)
}

async function withLock<Result>(
  locks: LockManager,
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(), longestTurnMs)
  let hasBegun = false
  try {
    return await locks.request(name, { signal: patience.signal }, () => {
      hasBegun = true
      clearTimeout(timer)
      return work()
    })
  } catch (error) {
    if (hasBegun || !patience.signal.aborted) throw error
    return await work()
  } finally {
    clearTimeout(timer)
  }
}

/** The note says since when somebody has the turn, in milliseconds since 1970. */
async function withNote<Result>(
  area: Storage,
  key: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const begunMs = Date.now()
  while (isTaken(area.getItem(key)) && Date.now() - begunMs < longestTurnMs) {
    await new Promise((resolve) => setTimeout(resolve, lookMs))
  }
  const note = String(Date.now())
  if (!canWrite(area, key, note)) return work()
  try {
    return await work()
  } finally {
    if (area.getItem(key) === note) area.removeItem(key)
  }
}

/** A storage that is full is none to leave notes in. */
function canWrite(area: Storage, key: string, note: string): boolean {
  try {
    area.setItem(key, note)
    return true
  } catch {
    return false
  }
}

function isTaken(note: string | null): boolean {
  return note !== null && Math.abs(Date.now() - Number(note)) < longestTurnMs
}
