/** @module One rule: built or written as JSON, previewed for a caller, saved as a revision. */
import { Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import { type PlannedChange, useSource } from '../../../api/stored.ts'
import { Button } from '../../../components/button.tsx'
import { Restored } from '../../../drafts/restored.tsx'
import { SaveDialog } from '../../stored/save-dialog.tsx'
import { anonymousSubject, type Subject } from '../../subject/subject.ts'
import css from './editor.module.css'
import { Preview } from './preview.tsx'
import { freeName, type Rule } from './rule.ts'
import { Rights, RuleAsJson, WhoAndWhat } from './rule-cards.tsx'
import { type RuleEdits, useRuleEdits } from './use-rule-edits.ts'

export interface PermissionEditorProps {
  /** undefined: a new rule. */
  readonly name: string | undefined
  readonly rule: Rule
  readonly taken: readonly string[]
  /** undefined where code defines the configuration. */
  readonly revision: number | undefined
  /** The newest rule is read again. */
  readonly onTakeOver: () => void
}

export function PermissionEditor({
  name,
  rule: first,
  taken,
  revision,
  onTakeOver,
}: PermissionEditorProps): ReactNode {
  const [, go] = useLocation()
  const isChangeable = useSource() === 'stored' && revision !== undefined
  const edits = useRuleEdits(name, first, revision)
  const [wanted, setWanted] = useState<'save' | 'remove'>()
  const { rule, base, draft } = edits
  const finalName = name ?? (edits.ownName.trim() || freeName(rule.table, rule.roles, taken))
  return (
    <>
      <Restored draft={draft} onDiscard={edits.reset} />
      <div className={css['work']}>
        <fieldset className={css['frame']} disabled={!isChangeable}>
          <WhoAndWhat edits={edits} isNew={name === undefined} name={finalName} />
          <Rights edits={edits} />
          <RuleAsJson edits={edits} />
          {isChangeable && (
            <EditorButtons edits={edits} isNew={name === undefined} onWanted={setWanted} />
          )}
        </fieldset>
        <aside className={css['side']} aria-label="Preview for a caller">
          <Preview
            permissions={{ [finalName]: rule }}
            table={rule.table}
            isComplete={rule.table !== '' && rule.roles.length > 0}
            firstSubject={subjectOf(rule.roles)}
            offeredRoles={rule.roles}
          />
        </aside>
        {wanted !== undefined && base !== undefined && (
          <SaveDialog
            {...(wanted === 'remove'
              ? { title: `Remove ${finalName}`, action: 'Remove', isDanger: true }
              : { title: `Save ${finalName}` })}
            change={patchOf(finalName, wanted === 'remove' ? null : rule)}
            revision={base}
            onClose={() => setWanted(undefined)}
            onTakeOver={() => {
              draft.drop()
              setWanted(undefined)
              onTakeOver()
            }}
            onStored={draft.drop}
            onSaved={() => {
              setWanted(undefined)
              const isGone = wanted === 'remove'
              go(isGone ? '/permissions' : `/permissions/${encodeURIComponent(finalName)}`)
              onTakeOver()
            }}
          />
        )}
      </div>
    </>
  )
}

function EditorButtons({
  edits: { rule, fault, isEdited, isChanged, reset },
  isNew,
  onWanted,
}: {
  readonly edits: RuleEdits
  readonly isNew: boolean
  readonly onWanted: (wanted: 'save' | 'remove') => void
}): ReactNode {
  const isComplete = fault === undefined && rule.table !== '' && rule.roles.length > 0
  return (
    <div className={css['adding']}>
      <Button
        look="primary"
        disabled={!isComplete || !(isNew || isChanged)}
        onClick={() => onWanted('save')}
      >
        Save…
      </Button>
      {!isNew && (
        <>
          <Button disabled={!isEdited} onClick={reset}>
            Reset
          </Button>
          <Button icon={<Trash2 aria-hidden />} onClick={() => onWanted('remove')}>
            Remove…
          </Button>
        </>
      )}
    </div>
  )
}

function patchOf(name: string, rule: Rule | null): PlannedChange {
  return { route: 'PATCH /config/permissions', body: { [name]: rule } }
}

function subjectOf(roles: readonly string[]): Subject {
  const named = roles.filter((role) => role !== '*')
  if (named.includes('anonymous')) return anonymousSubject
  return { ...anonymousSubject, kind: 'described', roles: named.slice(0, 1) }
}
