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
  const [rule, setRule] = useState(first)
  const [text, setText] = useState(() => written(first))
  const [fault, setFault] = useState<string>()
  const [ownName, setOwnName] = useState('')
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
    setRule(next)
    setText(written(next))
    setFault(undefined)
  }
  const write = (next: string) => {
    setText(next)
    try {
      setRule(ruleFrom(next))
      setFault(undefined)
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error))
    }
  }
  const isNew = name === undefined
  const isDirty = isNew || written(rule) !== written(first)
  const patch = (value: Rule | null): PlannedChange => ({
    method: 'PATCH',
    path: '/config/permissions',
    body: { [finalName]: value },
  })
  return (
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
                <Button disabled={!isDirty} onClick={() => change(first)}>
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
          firstSubject={subjectOf(first.roles)}
        />
      </aside>
      {planned !== undefined && revision !== undefined && (
        <SaveDialog
          title={savingTitle(planned, finalName)}
          change={planned}
          revision={revision}
          action={isRemoval(planned, finalName) ? 'Remove' : 'Save'}
          isDanger={isRemoval(planned, finalName)}
          onClose={() => setPlanned(undefined)}
          onTakeOver={() => {
            setPlanned(undefined)
            onTakeOver()
          }}
          onSaved={() => {
            setPlanned(undefined)
            const isGone = isRemoval(planned, finalName)
            go(isGone ? '/permissions' : `/permissions/${encodeURIComponent(finalName)}`)
            onTakeOver()
          }}
        />
      )}
    </div>
  )
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
