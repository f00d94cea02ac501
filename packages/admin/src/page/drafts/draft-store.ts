/**
 * @module Unsaved edits by account and form. They are in memory, for another page and another sign-in of the same account,
 * and in the session storage of the tab, for a reload. Nothing of one account is given to another.
 */

export interface Draft {
  readonly value: unknown
  /** When it was edited, in milliseconds since 1970. */
  readonly atMs: number
}

const prefix = 'engine-admin.draft:'

const inMemory = new Map<string, Draft>()

function keyOf(account: string, form: string): string {
  return prefix + JSON.stringify([account, form])
}

function isOf(key: string, account: string): boolean {
  return key.startsWith(`${prefix}[${JSON.stringify(account)},`)
}

export function readDraft(account: string, form: string): Draft | undefined {
  const key = keyOf(account, form)
  return inMemory.get(key) ?? stored(key)
}

/**
 * @param isStorable false where it may hold a secret: it then lasts as long as the page.
 * @returns whether a reload finds it.
 */
export function writeDraft(
  account: string,
  form: string,
  draft: Draft,
  isStorable: boolean,
): boolean {
  const key = keyOf(account, form)
  inMemory.set(key, draft)
  try {
    if (isStorable) sessionStorage.setItem(key, JSON.stringify(draft))
    else sessionStorage.removeItem(key)
    return isStorable
  } catch {
    // The storage is full, or the browser refuses it.
    return false
  }
}

export function removeDraft(account: string, form: string): void {
  const key = keyOf(account, form)
  inMemory.delete(key)
  sessionStorage.removeItem(key)
}

export function hasDrafts(account: string): boolean {
  return [...inMemory.keys(), ...Object.keys(sessionStorage)].some((key) => isOf(key, account))
}

/** The account leaves, on purpose. */
export function removeDrafts(account: string): void {
  inMemory.clear()
  for (const key of Object.keys(sessionStorage)) {
    if (isOf(key, account)) sessionStorage.removeItem(key)
  }
}

/** Another account may be next: what must not be stored is forgotten. */
export function forgetDrafts(): void {
  inMemory.clear()
}

function stored(key: string): Draft | undefined {
  const text = sessionStorage.getItem(key)
  if (text === null) return undefined
  try {
    const draft = JSON.parse(text) as Partial<Draft> | null
    return typeof draft?.atMs === 'number' && draft.value !== undefined
      ? { value: draft.value, atMs: draft.atMs }
      : undefined
  } catch {
    return undefined
  }
}
