/** @module Builds a row filter from groups and conditions. */
import { Plus, X } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Button } from '../../../components/button.tsx'
import { Code } from '../../../components/code.tsx'
import { Select } from '../../../components/select.tsx'
import { shortText } from '../../../components/visible-text.ts'
import type { BuilderContext } from './builder-context.ts'
import { ConditionRow } from './condition-row.tsx'
import css from './editor.module.css'
import type { Condition, Group, Join, Node } from './filter-tree.ts'
import { emptyOperand, operatorsFor } from './operators.ts'

const joins: readonly { readonly value: Join; readonly label: string }[] = [
  { value: '$and', label: 'all of' },
  { value: '$or', label: 'any of' },
  { value: '$nor', label: 'none of' },
  { value: '$not', label: 'not all of' },
]

/** @param label what the filter is for: `Rows to read`. */
export function FilterBuilder({
  label,
  group,
  onGroup,
  context,
  empty,
}: {
  readonly label: string
  readonly group: Group
  readonly onGroup: (group: Group) => void
  readonly context: BuilderContext
  /** What no condition means. */
  readonly empty: string
}): ReactNode {
  const id = useId()
  return (
    <div className={css['builder']} role="group" aria-labelledby={id}>
      <h3 id={id} className={css['label']}>
        {label}
      </h3>
      <GroupPart group={group} onGroup={onGroup} context={context} empty={empty} />
    </div>
  )
}

function GroupPart({
  group,
  onGroup,
  onRemove,
  context,
  empty,
}: {
  readonly group: Group
  readonly onGroup: (group: Group) => void
  readonly onRemove?: () => void
  readonly context: BuilderContext
  readonly empty: string
}): ReactNode {
  const { join, items } = group
  const withItem = (index: number, node: Node | undefined) =>
    onGroup({ ...group, items: items.flatMap((item, at) => (at === index ? (node ?? []) : item)) })
  const add = (node: Node) => onGroup({ ...group, items: [...items, node] })
  const isPlain = items.length === 0 && join === '$and' && onRemove === undefined
  return (
    <div className={css['group']}>
      {isPlain ? (
        <p className={css['hint']}>{empty}</p>
      ) : (
        <div className={css['join']}>
          <Select
            label="How conditions combine"
            value={join}
            onValue={(value) => onGroup({ ...group, join: value as Join })}
            choices={joins}
          />
          {onRemove !== undefined && (
            <Button
              look="ghost"
              size="small"
              icon={<X aria-hidden />}
              aria-label="Remove group"
              onClick={onRemove}
            />
          )}
        </div>
      )}
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no other key
        <div key={index} className={css['item']}>
          {item.kind === 'group' ? (
            <GroupPart
              group={item}
              onGroup={(next) => withItem(index, next)}
              onRemove={() => withItem(index, undefined)}
              context={context}
              empty={empty}
            />
          ) : item.kind === 'condition' ? (
            <ConditionRow
              condition={item}
              onCondition={(next) => withItem(index, next)}
              onRemove={() => withItem(index, undefined)}
              context={context}
            />
          ) : (
            <div className={css['row']}>
              <code className={css['written']} title="Change it in the JSON beside">
                <Code language="json" text={shortText(JSON.stringify(item.filter), 400)} />
              </code>
              <Button
                look="ghost"
                size="small"
                icon={<X aria-hidden />}
                aria-label="Remove condition"
                onClick={() => withItem(index, undefined)}
              />
            </div>
          )}
        </div>
      ))}
      <div className={css['adding']}>
        <Button
          size="small"
          icon={<Plus aria-hidden />}
          onClick={() => add(firstCondition(context))}
        >
          Condition
        </Button>
        <Button
          size="small"
          look="ghost"
          icon={<Plus aria-hidden />}
          onClick={() => add({ kind: 'group', join: '$or', items: [firstCondition(context)] })}
        >
          Group
        </Button>
      </div>
    </div>
  )
}

function firstCondition({ columns }: BuilderContext): Condition {
  const [left = '', column] = Object.entries(columns)[0] ?? []
  const { type = '' } = column ?? {}
  const [operator = '$eq'] = operatorsFor(type)
  return { kind: 'condition', left, operator, operand: emptyOperand(operator, type) }
}
