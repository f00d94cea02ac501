/** @module The parts of a rule's form: its table and roles, its rights, and the same as JSON. */
import { type ReactNode, useState } from 'react'
import { tableNames, useCatalog, useConfig, useMatrix } from '../../../api/queries.ts'
import { Combobox } from '../../../components/combobox.tsx'
import { Field, TextArea, TextInput } from '../../../components/field.tsx'
import { Card } from '../../../components/page.tsx'
import { type Tab, Tabs } from '../../../components/tabs.tsx'
import type { BuilderContext } from './builder-context.ts'
import css from './editor.module.css'
import { FilterBuilder } from './filter-builder.tsx'
import { treeOf } from './filter-tree.ts'
import { OperationForm } from './operation-form.tsx'
import { RoleList } from './role-list.tsx'
import {
  type Block,
  blockOf,
  callerFields,
  columnsIn,
  type Rule,
  withBlock,
  withFilter,
} from './rule.ts'
import type { RuleEdits } from './use-rule-edits.ts'

const operations: readonly (readonly [Block, string])[] = [
  ['select', 'Select'],
  ['insert', 'Insert'],
  ['update', 'Update'],
  ['delete', 'Delete'],
]

/** @param isNew asks for a name; without one, the rule is called `name`. */
export function WhoAndWhat({
  edits: { rule, ownName, change, setOwnName },
  isNew,
  name,
}: {
  readonly edits: RuleEdits
  readonly isNew: boolean
  readonly name: string
}): ReactNode {
  const { data: catalog } = useCatalog()
  const { data: matrix } = useMatrix()
  return (
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
                  placeholder={name}
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
  )
}

export function Rights({ edits: { rule, change } }: { readonly edits: RuleEdits }): ReactNode {
  const [tab, setTab] = useState<string>('select')
  const { data: catalog } = useCatalog()
  const { data: config } = useConfig()
  const context: BuilderContext = {
    columns: columnsIn(catalog, rule.table),
    fields: callerFields(config, rule),
  }
  const tabs = [
    ...operations.map(([operation, label]) =>
      operationTab(rule, [operation, label], context, change),
    ),
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
  ]
  return (
    <Card title="Rights">
      <Tabs value={tab} onValue={setTab} tabs={tabs} />
    </Card>
  )
}

function operationTab(
  rule: Rule,
  [operation, label]: readonly [Block, string],
  context: BuilderContext,
  onRule: (rule: Rule) => void,
): Tab {
  const block = blockOf(rule, operation)
  return {
    id: operation,
    label: (
      <>
        {label}
        <span className={css['mark']} data-on={block !== undefined} aria-hidden />
      </>
    ),
    content: (
      <OperationForm
        operation={operation}
        block={block}
        onBlock={(next) => onRule(withBlock(rule, operation, next))}
        context={context}
      />
    ),
  }
}

export function RuleAsJson({
  edits: { text, fault, write },
}: {
  readonly edits: RuleEdits
}): ReactNode {
  return (
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
  )
}
