/** @module The choice of a user or an API key: searched on the server while it is typed. */

import { Combobox as Base } from '@base-ui/react/combobox'
import type { FoundCaller } from '@engine/contract/admin-api'
import { Check } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Badge } from '../../components/badge.tsx'
import field from '../../components/field.module.css'
import popup from '../../components/popup.module.css'
import { shortText } from '../../components/visible-text.ts'
import { useRested } from '../permissions/editor/use-rested.ts'
import css from './caller-search.module.css'
import { type ChosenCaller, idOf } from './subject.ts'
import { labelOf, useFoundCallers } from './use-found-callers.ts'

const kinds = { account: undefined, row: 'no account', apiKey: 'API key' } as const

export function CallerSearch({
  id,
  chosen,
  onChosen,
}: {
  readonly id: string
  readonly chosen: ChosenCaller | null
  readonly onChosen: (caller: ChosenCaller | null) => void
}): ReactNode {
  const [typed, setTyped] = useState('')
  const search = useRested(typed.trim().slice(0, 200))
  const { data, error } = useFoundCallers(search)
  const items = (data?.callers ?? []).map((caller) => ({ ...caller, label: labelOf(caller) }))
  return (
    <Base.Root
      items={items}
      filter={null}
      value={chosen}
      itemToStringLabel={({ label }: ChosenCaller) => label}
      isItemEqualToValue={(a: ChosenCaller, b: ChosenCaller) => idOf(a.as) === idOf(b.as)}
      onValueChange={(next: ChosenCaller | null) =>
        onChosen(next === null ? null : { as: next.as, label: next.label })
      }
      onInputValueChange={setTyped}
    >
      <Base.Input
        id={id}
        className={field['input']}
        placeholder="Address, name or id"
        spellCheck={false}
      />
      <Base.Portal>
        <Base.Positioner className={popup['positioner']} sideOffset={4} align="start">
          <Base.Popup className={popup['popup']}>
            <Base.Empty className={popup['nothing']}>
              {error !== null
                ? shortText(error.message)
                : data === undefined || search !== typed.trim()
                  ? 'Searching…'
                  : 'Nothing matches.'}
            </Base.Empty>
            <Base.List>
              {(item: (typeof items)[number]) => (
                <Base.Item key={`${item.kind} ${item.id}`} value={item} className={popup['item']}>
                  <span className={popup['check']}>
                    <Base.ItemIndicator>
                      <Check aria-hidden />
                    </Base.ItemIndicator>
                  </span>
                  <Found caller={item} />
                </Base.Item>
              )}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

function Found({ caller }: { readonly caller: FoundCaller }): ReactNode {
  const { kind, name, id, isOver } = caller
  const label = labelOf(caller)
  const more = [name, id].filter((text) => text !== null && text !== '' && text !== label)
  return (
    <span className={css['found']}>
      <bdi className={css['label']}>{shortText(label, 80)}</bdi>
      <bdi className={css['more']}>{shortText(more.join(' · '), 120)}</bdi>
      {kinds[kind] !== undefined && <Badge>{kinds[kind]}</Badge>}
      {isOver && <Badge tone="red">{kind === 'apiKey' ? 'over' : 'disabled'}</Badge>}
    </span>
  )
}
