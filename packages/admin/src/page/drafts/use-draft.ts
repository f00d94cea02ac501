/** @module The unsaved edits of one form: kept over navigation, reload and another sign-in, and given back. */
import { createContext, useContext, useEffect, useRef, useState } from 'react'
import { readDraft, removeDraft, writeDraft } from './draft-store.ts'
import { mayHoldSecret } from './secrets.ts'
import { useAskBeforeUnload } from './use-ask-before-unload.ts'

/** The account of the administrator who is signed in. */
export const AccountContext = createContext('')

export interface FormDraft<Value> {
  /** What was edited before this form was opened; undefined: nothing, or it was dropped. */
  readonly restored: { readonly value: Value; readonly atMs: number } | undefined
  /** Forgets the edits: they were saved, or are given up. */
  readonly drop: () => void
  /** Keeps the edits while they differ from what was dropped. @returns whether a reload finds them. */
  readonly keep: (text: string, isStorable: boolean) => boolean
}

/**
 * @param form names the form and what it edits; it does not change while the form is open.
 * @param read the value that a draft holds; undefined where it is of another kind.
 */
export function useDraft<Value>(
  form: string,
  read: (value: unknown) => Value | undefined,
): FormDraft<Value> {
  const account = useContext(AccountContext)
  const [restored, setRestored] = useState(() => {
    const draft = readDraft(account, form)
    const value = draft === undefined ? undefined : read(draft.value)
    return draft === undefined || value === undefined ? undefined : { value, atMs: draft.atMs }
  })
  const last = useRef<string>(undefined)
  const dropped = useRef<string>(undefined)
  const restoredText = restored === undefined ? undefined : JSON.stringify(restored.value)
  return {
    restored,
    drop: () => {
      dropped.current = last.current
      removeDraft(account, form)
      setRestored(undefined)
    },
    keep: (text, isStorable) => {
      last.current = text
      // The time of a draft is that of its last edit.
      if (text === dropped.current || text === restoredText) return isStorable
      return writeDraft(account, form, { value: JSON.parse(text), atMs: Date.now() }, isStorable)
    },
  }
}

/**
 * Keeps what is edited in a form.
 *
 * @param value JSON; undefined: nothing is unsaved.
 * @param isStorable false where it may hold a secret: then a reload asks.
 */
export function useKeep(
  draft: FormDraft<unknown>,
  value: unknown,
  isStorable: boolean | undefined = undefined,
): void {
  const text = value === undefined ? undefined : JSON.stringify(value)
  const isSafe = isStorable ?? !mayHoldSecret(text ?? '')
  const [isKept, setKept] = useState(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the text changes
  useEffect(() => {
    if (text === undefined) draft.drop()
    setKept(text === undefined || draft.keep(text, isSafe))
  }, [text, isSafe])
  useAskBeforeUnload(!isKept)
}

/** Texts by name, as forms keep them; null is NULL. */
export function isTexts<Text extends string | null = string>(
  value: unknown,
): value is Readonly<Record<string, Text>> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((text) => text === null || typeof text === 'string')
  )
}
