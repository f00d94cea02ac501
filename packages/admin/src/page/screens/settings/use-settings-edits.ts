/** @module Edits of settings and actions: kept as a draft until they are saved or given up. */
import type { ShownSettings } from '@engine/contract/admin-api'
import { useState } from 'react'
import type { PlannedChange } from '../../api/stored.ts'
import { mayHoldSecrets } from '../../drafts/secrets.ts'
import { type FormDraft, useDraft, useKeep } from '../../drafts/use-draft.ts'
import { type ActionDraft, type OptionDraft, patchOf, settingsDraftIn } from './draft.ts'

const none: ReadonlyMap<string, never> = new Map<string, never>()

export interface SettingsEdits {
  readonly options: OptionDraft
  readonly actions: ActionDraft
  /** How many values are edited. */
  readonly count: number
  /** By path, as they were found when the change was planned. */
  readonly faults: ReadonlyMap<string, string>
  readonly draft: FormDraft<unknown>
  readonly setOptions: (next: (now: OptionDraft) => OptionDraft) => void
  readonly setActions: (next: (now: ActionDraft) => ActionDraft) => void
  /** The change that saves the edits; undefined where they have faults. */
  readonly plan: () => PlannedChange | undefined
  readonly discard: () => void
}

export function useSettingsEdits(shown: ShownSettings): SettingsEdits {
  const draft = useDraft('settings', settingsDraftIn)
  const [options, setOptions] = useState<OptionDraft>(draft.restored?.value.options ?? none)
  const [actions, setActions] = useState<ActionDraft>(draft.restored?.value.actions ?? none)
  const [faults, setFaults] = useState<ReadonlyMap<string, string>>(none)
  const count = options.size + actions.size
  useKeep(
    draft,
    count === 0 ? undefined : { options: [...options], actions: [...actions] },
    !mayHoldSecrets(Object.fromEntries(options)),
  )
  return {
    options,
    actions,
    count,
    faults,
    draft,
    setOptions,
    setActions,
    plan: () => {
      const planned = patchOf(shown.options, options, shown.actions, actions)
      setFaults(planned.faults)
      return planned.faults.size === 0 ? { route: 'PATCH /config', body: planned.patch } : undefined
    },
    discard: () => {
      draft.drop()
      setOptions(none)
      setActions(none)
      setFaults(none)
    },
  }
}
