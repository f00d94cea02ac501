/** @module A lock across the tabs of a browser. */

/**
 * Maximum milliseconds to wait for the lock. After that the other tab counts as stuck, and the work runs without the
 * lock.
 */
const longestLockMs = 10_000

const pollMs = 50

/** Maximum milliseconds by which a write in one tab may reach another tab later than the release of its lock. */
const longestStorageDelayMs = 1_000

/** Web Locks, or a storage that the tabs share; without both there is no lock. */
export interface TabLockBackends {
  readonly locks: LockManager | undefined
  readonly area: Storage | undefined
}

/**
 * Runs work while no other tab runs its own, and sees the writes of other tabs under this name. Uses the Web Locks of
 * the browser. A page over plain HTTP has none: there it uses an entry in the shared storage. If two tabs get the lock
 * at once, the only effect is one additional request.
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

/** @param work receives whether another tab had the lock before. */
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

/** Browsers deliver locks and storage events separately. A lock in the storage itself needs no such wait. */
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

/** The entry contains the time at which the lock was taken, in milliseconds since 1970. */
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

/** False where the storage is full. */
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
