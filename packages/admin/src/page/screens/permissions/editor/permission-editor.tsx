/** @module One rule: built or written as JSON, previewed for a caller, saved as a revision. */
import { Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import { tableNames, useCatalog, useConfig, useMatrix } from '../../../api/queries.ts'
import { type PlannedChange, useSource } from '../../../api/stored.ts'
import { Button } from '../../../components/button.tsx'
import { Combobox } from '../../../components/combobox.tsx'
import { Field, TextArea, TextInput } from '../../../components/field.tsx'
import { Card } from '../../../components/page.tsx'
import { Tabs } from '../../../components/tabs.tsx'
import { Restored } from '../../../drafts/restored.tsx'
import { useDraft, useKeep } from '../../../drafts/use-draft.ts'
import { SaveDialog } from '../../stored/save-dialog.tsx'
import { anonymousSubject, type Subject } from '../../subject/subject.ts'
import type { BuilderContext } from './builder-context.ts'
import css from './editor.module.css'
import { FilterBuilder } from './filter-builder.tsx'
import { treeOf } from './filter-tree.ts'
import { OperationForm } from './operation-form.tsx'
import { Preview } from './preview.tsx'
import { RoleList } from './role-list.tsx'
import {
  type Block,
  blockOf,
  callerFields,
  columnsIn,
  freeName,
  type Rule,
  ruleFrom,
  withBlock,
  withFilter,
} from './rule.ts'

const operations: readonly (readonly [Block, string])[] = [
  ['select', 'Select'],
  ['insert', 'Insert'],
  ['update', 'Update'],
  ['delete', 'Delete'],
]

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
  const source = useSource()
  const isChangeable = source === 'stored' && revision !== undefined
  const draft = useDraft(`rule ${name ?? `new ${written(first)}`}`, ruleDraftIn)
  const [text, setText] = useState(draft.restored?.value.text ?? written(first))
  const [{ rule, fault }, setRead] = useState(() => readRule(text, first))
  const [ownName, setOwnName] = useState(draft.restored?.value.ownName ?? '')
  // Edits that were restored began with the revision of then: what others have saved since is shown before it is saved.
  const [base, setBase] = useState(draft.restored?.value.revision ?? revision)
  const [tab, setTab] = useState<string>('select')
  const [planned, setPlanned] = useState<PlannedChange>()
  const { data: catalog } = useCatalog()
  const { data: config } = useConfig()
  const { data: matrix } = useMatrix()
  const finalName = name ?? (ownName.trim() || freeName(rule.table, rule.roles, taken))
  const context: BuilderContext = {
    columns: columnsIn(catalog, rule.table),
    fields: callerFields(config, rule),
  }
  const change = (next: Rule) => {
    setRead({ rule: next, fault: undefined })
    setText(written(next))
  }
  const write = (next: string) => {
    setText(next)
    setRead((now) => readRule(next, now.rule))
  }
  const isNew = name === undefined
  const isEdited = text !== written(first) || ownName !== ''
  const isDirty = isNew || written(rule) !== written(first)
  useKeep(draft, isEdited ? { text, ownName, revision: base } : undefined)
  const putBack = () => {
    change(first)
    setOwnName('')
    setBase(revision)
  }
  const patch = (value: Rule | null): PlannedChange => ({
    route: 'PATCH /config/permissions',
    body: { [finalName]: value },
  })
  return (
    <>
      <Restored draft={draft} onDiscard={putBack} />
      <div className={css['work']}>
        <fieldset className={css['frame']} disabled={!isChangeable}>
          <Card title="Who and what">
            <div className={css['stack']}>
              <div className={css['pair']}>
                <Field label="Table">
                  {({ id }) => (
                    <Combobox
                      id={id}
                      value={rule.table === '' ? null : rule.table}
                      choices={tableNames(catalog)}
                      placeholder="connection.table"
                      onValue={(table) => change({ ...rule, table: table ?? '' })}
                    />
                  )}
                </Field>
                {isNew && (
                  <Field label="Name of the rule">
                    {(ids) => (
                      <TextInput
                        {...ids}
                        maxLength={200}
                        placeholder={finalName}
                        value={ownName}
                        onChange={(event) => setOwnName(event.currentTarget.value)}
                      />
                    )}
                  </Field>
                )}
              </div>
              <RoleList
                roles={rule.roles}
                known={(matrix?.roles ?? []).filter((role) => role !== '')}
                onRoles={(roles) => change({ ...rule, roles })}
              />
            </div>
          </Card>
          <Card title="Rights">
            <Tabs
              value={tab}
              onValue={setTab}
              tabs={[
                ...operations.map(([operation, label]) => ({
                  id: operation,
                  label: (
                    <>
                      {label}
                      <span
                        className={css['mark']}
                        data-on={blockOf(rule, operation) !== undefined}
                        aria-hidden
                      />
                    </>
                  ),
                  content: (
                    <OperationForm
                      operation={operation}
                      block={blockOf(rule, operation)}
                      onBlock={(block) => change(withBlock(rule, operation, block))}
                      context={context}
                    />
                  ),
                })),
                {
                  id: 'restrict',
                  label: 'Restrict',
                  content: (
                    <FilterBuilder
                      label="Always, whatever other rules grant"
                      group={treeOf(rule['restrict'])}
                      onGroup={(group) => change(withFilter(rule, 'restrict', group))}
                      context={context}
                      empty="No restriction: rules add up."
                    />
                  ),
                },
              ]}
            />
          </Card>
          <Card title="The same as JSON">
            <Field
              label="Rule"
              hint="Both sides are one rule: what is changed here shows above, and the other way round."
              error={fault}
            >
              {(ids) => (
                <TextArea
                  {...ids}
                  className={css['json']}
                  rows={Math.min(30, text.split('\n').length + 1)}
                  value={text}
                  onChange={(event) => write(event.currentTarget.value)}
                />
              )}
            </Field>
          </Card>
          {isChangeable && (
            <div className={css['adding']}>
              <Button
                look="primary"
                disabled={
                  !isDirty || fault !== undefined || rule.table === '' || rule.roles.length === 0
                }
                onClick={() => setPlanned(patch(rule))}
              >
                Save…
              </Button>
              {!isNew && (
                <>
                  <Button disabled={!isEdited} onClick={putBack}>
                    Reset
                  </Button>
                  <Button icon={<Trash2 aria-hidden />} onClick={() => setPlanned(patch(null))}>
                    Remove…
                  </Button>
                </>
              )}
            </div>
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
        {planned !== undefined && base !== undefined && (
          <SaveDialog
            title={savingTitle(planned, finalName)}
            change={planned}
            revision={base}
            action={isRemoval(planned, finalName) ? 'Remove' : 'Save'}
            isDanger={isRemoval(planned, finalName)}
            onClose={() => setPlanned(undefined)}
            onTakeOver={() => {
              draft.drop()
              setPlanned(undefined)
              onTakeOver()
            }}
            onStored={draft.drop}
            onSaved={() => {
              setPlanned(undefined)
              const isGone = isRemoval(planned, finalName)
              go(isGone ? '/permissions' : `/permissions/${encodeURIComponent(finalName)}`)
              onTakeOver()
            }}
          />
        )}
      </div>
    </>
  )
}

interface RuleDraft {
  readonly text: string
  readonly ownName: string
  readonly revision?: number
}

function ruleDraftIn(value: unknown): RuleDraft | undefined {
  const { text, ownName, revision } = value as Partial<RuleDraft>
  if (typeof text !== 'string' || typeof ownName !== 'string') return undefined
  return { text, ownName, ...(typeof revision === 'number' ? { revision } : {}) }
}

/** @param last the rule that stays while the text is none. */
function readRule(
  text: string,
  last: Rule,
): { readonly rule: Rule; readonly fault: string | undefined } {
  try {
    return { rule: ruleFrom(text), fault: undefined }
  } catch (error) {
    return { rule: last, fault: error instanceof Error ? error.message : String(error) }
  }
}

function written(rule: Rule): string {
  return JSON.stringify(rule, null, 2)
}

function isRemoval({ body }: PlannedChange, name: string): boolean {
  return (body as Readonly<Record<string, unknown>>)[name] === null
}

function savingTitle(planned: PlannedChange, name: string): string {
  return isRemoval(planned, name) ? `Remove ${name}` : `Save ${name}`
}

function subjectOf(roles: readonly string[]): Subject {
  const named = roles.filter((role) => role !== '*')
  if (named.includes('anonymous')) return anonymousSubject
  return { ...anonymousSubject, kind: 'described', roles: named.slice(0, 1) }
}
