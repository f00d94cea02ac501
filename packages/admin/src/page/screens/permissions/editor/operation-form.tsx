/** @module What one operation may do: columns, rows, checks, values that Engine sets. */
import { Plus, X } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Button } from '../../../components/button.tsx'
import { Field, TextInput } from '../../../components/field.tsx'
import { Select } from '../../../components/select.tsx'
import { Switch } from '../../../components/switch.tsx'
import { shortText } from '../../../components/visible-text.ts'
import type { BuilderContext } from './builder-context.ts'
import { ColumnList } from './column-list.tsx'
import { Operand } from './condition-row.tsx'
import css from './editor.module.css'
import { FilterBuilder } from './filter-builder.tsx'
import { treeOf } from './filter-tree.ts'
import { type Block, type Json, withFilter, withOption } from './rule.ts'

const verbs = { select: 'read', insert: 'insert', update: 'change', delete: 'delete' }

export function OperationForm({
  operation,
  block,
  onBlock,
  context,
}: {
  readonly operation: Block
  /** undefined: the operation is refused. */
  readonly block: Json | undefined
  readonly onBlock: (block: Json | undefined) => void
  readonly context: BuilderContext
}): ReactNode {
  const verb = verbs[operation]
  const { columns } = block ?? {}
  const filter = (option: string, label: string, empty: string) =>
    block !== undefined && (
      <FilterBuilder
        label={label}
        group={treeOf(block[option])}
        onGroup={(group) => onBlock(withFilter(block, option, group))}
        context={context}
        empty={empty}
      />
    )
  return (
    <div className={css['operation']}>
      <Switch
        label={`These roles may ${verb} rows`}
        isOn={block !== undefined}
        onChange={(isOn) => onBlock(isOn ? {} : undefined)}
      />
      {block !== undefined && (
        <>
          {operation !== 'delete' && (
            <ColumnList
              label={`Columns to ${verb}`}
              columns={context.columns}
              chosen={Array.isArray(columns) ? columns : undefined}
              onChosen={(chosen) => onBlock(withOption(block, 'columns', chosen))}
            />
          )}
          {operation !== 'insert' && filter('where', `Rows to ${verb}`, 'Every row.')}
          {(operation === 'insert' || operation === 'update') && (
            <>
              {filter(
                'check',
                'Check of stored rows',
                operation === 'insert' ? 'Every row may be stored.' : 'The row filter, again.',
              )}
              <Presets block={block} onBlock={onBlock} context={context} />
            </>
          )}
          {operation === 'select' && <Reading block={block} onBlock={onBlock} />}
        </>
      )}
    </div>
  )
}

function Reading({
  block,
  onBlock,
}: {
  readonly block: Json
  readonly onBlock: (block: Json) => void
}): ReactNode {
  const { limit } = block
  return (
    <div className={css['pair']}>
      <Field label="Max rows">
        {(ids) => (
          <TextInput
            {...ids}
            inputMode="numeric"
            placeholder="no limit of its own"
            value={limit === undefined ? '' : String(limit)}
            onChange={(event) => {
              const text = event.currentTarget.value.trim()
              const number = /^\d{1,15}$/.test(text) ? Number(text) : text
              onBlock(withOption(block, 'limit', text === '' ? undefined : number))
            }}
          />
        )}
      </Field>
      <Switch
        label="Aggregates are allowed"
        isOn={block['aggregate'] !== false}
        onChange={(isOn) => onBlock(withOption(block, 'aggregate', isOn ? undefined : false))}
      />
    </div>
  )
}

/** Columns that Engine sets, whatever the client sends. */
function Presets({
  block,
  onBlock,
  context,
}: {
  readonly block: Json
  readonly onBlock: (block: Json) => void
  readonly context: BuilderContext
}): ReactNode {
  const id = useId()
  const preset = (block['preset'] ?? {}) as Json
  const entries = Object.entries(preset)
  const set = (next: readonly (readonly [string, unknown])[]) =>
    onBlock(withOption(block, 'preset', next.length === 0 ? undefined : Object.fromEntries(next)))
  const free = Object.keys(context.columns).filter((name) => !Object.hasOwn(preset, name))
  return (
    <div className={css['builder']} role="group" aria-labelledby={id}>
      <h3 id={id} className={css['label']}>
        Values that are set
      </h3>
      {entries.length === 0 && (
        <p className={css['hint']}>None: the client sends every value itself.</p>
      )}
      {entries.map(([column, value], index) => (
        <div key={column} className={css['row']}>
          <Select
            label="Column to set"
            value={column}
            onValue={(name) => set(entries.with(index, [name, value]))}
            choices={[column, ...free].map((name) => ({ value: name, label: shortText(name, 60) }))}
          />
          <Operand
            key={column}
            operand={value}
            operator="$eq"
            type={context.columns[column]?.type ?? ''}
            fields={context.fields}
            onOperand={(next) => set(entries.with(index, [column, next]))}
          />
          <Button
            look="ghost"
            size="small"
            icon={<X aria-hidden />}
            aria-label={`Do not set ${shortText(column, 60)}`}
            onClick={() => set(entries.toSpliced(index, 1))}
          />
        </div>
      ))}
      <div className={css['adding']}>
        <Button
          size="small"
          icon={<Plus aria-hidden />}
          disabled={free.length === 0}
          onClick={() => set([...entries, [free[0] ?? '', `$user.${context.fields[0] ?? 'id'}`]])}
        >
          Value
        </Button>
      </div>
    </div>
  )
}
