/** @module One tab at a time. */

/** After so many milliseconds whoever has the turn is taken to be stuck, and no longer waited for. */
const longestLockMs = 10_000

const pollMs = 50

/** What a tab wrote before its lock ended may come to another tab later than the lock does, by so many milliseconds at most. */
const longestStorageDelayMs = 1_000

/** Tells of each other by locks, or by notes in a storage; with neither everyone is alone. */
export interface TabLockBackends {
  readonly locks: LockManager | undefined
  readonly area: Storage | undefined
}

/**
 * Runs work when no other tab runs its own, and sees what they wrote under this name: by the Web Locks of the browser, or, where a page has none since it came over
 * plain HTTP, by a note in the storage that the tabs share. Two turns at once do no harm, they are one request too many.
 *
 * @see https://w3c.github.io/web-locks
 */
export async function withCrossTabLock<Result>(
  name: string,
  { locks, area }: TabLockBackends,
  work: () => Promise<Result>,
): Promise<Result> {
  if (locks === undefined)
    return area === undefined ? work() : withStorageLock(area, `${name}.turn`, work)
  const before = area?.getItem(name)
  return withLock(locks, name, async (hasWaited) => {
    if (hasWaited && area !== undefined) await awaitStorageChange(area, name, before)
    return work()
  })
}

/** @param work told whether somebody else had the turn before. */
async function withLock<Result>(
  locks: LockManager,
  name: string,
  work: (hasWaited: boolean) => Promise<Result>,
): Promise<Result> {
  let isFree = true
  const done = await locks.request(name, { ifAvailable: true }, (lock) => {
    isFree = lock !== null
    return isFree ? work(false) : undefined
  })
  if (isFree) return done as Result
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), longestLockMs)
  let hasBegun = false
  try {
    return await locks.request(name, { signal: timeout.signal }, () => {
      hasBegun = true
      clearTimeout(timer)
      return work(true)
    })
  } catch (error) {
    if (hasBegun || !timeout.signal.aborted) throw error
    return await work(true)
  } finally {
    clearTimeout(timer)
  }
}

/** Browsers bring locks and storage by different ways; notes in the storage itself need no such waiting. */
async function awaitStorageChange(
  area: Storage,
  key: string,
  before: string | null | undefined,
): Promise<void> {
  const begunMs = Date.now()
  while (area.getItem(key) === before && Date.now() - begunMs < longestStorageDelayMs) {
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

/** The note says since when somebody has the turn, in milliseconds since 1970. */
async function withStorageLock<Result>(
  area: Storage,
  key: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const begunMs = Date.now()
  while (isTaken(area.getItem(key)) && Date.now() - begunMs < longestLockMs) {
    await new Promise((resolve) => setTimeout(resolve, pollMs))
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
  return note !== null && Math.abs(Date.now() - Number(note)) < longestLockMs
}
