/** @module Grants or revokes rights for the chosen cells of the matrix. */
import { type ReactNode, useState } from 'react'
import { requestRevised } from '../../api/http.ts'
import { useCatalog, useConfig } from '../../api/queries.ts'
import { type PlannedChange, useStored } from '../../api/stored.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Field } from '../../components/field.tsx'
import { Select } from '../../components/select.tsx'
import { Skeleton } from '../../components/states.tsx'
import { Switch } from '../../components/switch.tsx'
import { SaveDialog } from '../stored/save-dialog.tsx'
import { type Operation, operations } from './access.ts'
import { type ChosenCell, granting, revoking } from './apply-cells.ts'
import { FilterBuilder } from './editor/filter-builder.tsx'
import { everything, filterOf } from './editor/filter-tree.ts'
import { callerFields, columnsIn, type Rule } from './editor/rule.ts'

type Rules = Readonly<Record<string, Rule>>

export function ApplyDialog({
  cells,
  onClose,
  onDone,
}: {
  readonly cells: readonly ChosenCell[]
  readonly onClose: () => void
  readonly onDone: () => void
}): ReactNode {
  const { data } = useStored<Rules>('permissions')
  const { data: catalog } = useCatalog()
  const { data: config } = useConfig()
  const [kind, setKind] = useState('grant')
  const [chosen, setChosen] = useState<readonly Operation[]>(['select'])
  const [filter, setFilter] = useState(everything)
  const [planned, setPlanned] = useState<PlannedChange>()
  const tables = [...new Set(cells.map(({ table }) => table))]
  const columns = commonColumns(tables.map((table) => columnsIn(catalog, table)))
  if (planned !== undefined && data?.revision !== undefined) {
    return (
      <SaveDialog
        title={kind === 'grant' ? 'Grant rights' : 'Revoke rights'}
        change={planned}
        revision={data.revision}
        action={kind === 'grant' ? 'Grant' : 'Revoke'}
        isDanger={kind !== 'grant'}
        onClose={() => setPlanned(undefined)}
        onSaved={onDone}
        onTakeOver={onClose}
      />
    )
  }
  const planFrom = (rules: Rules): PlannedChange => ({
    route: 'PATCH /config/permissions',
    body:
      kind === 'grant' ? granting(cells, chosen, filterOf(filter), rules) : revoking(cells, rules),
    // Rules that somebody else has changed meanwhile keep those changes.
    rebase: async () => {
      const newest = await requestRevised('GET /config/permissions', {})
      return { value: planFrom((newest.value ?? {}) as Rules), revision: newest.revision }
    },
  })
  const plan = () => setPlanned(planFrom(data?.value ?? {}))
  return (
    <Dialog
      isOpen
      isWide
      onClose={onClose}
      title={`Apply to ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}`}
      description={`${tables.length} ${tables.length === 1 ? 'table' : 'tables'}; one rule for each when rights are granted.`}
      onSubmit={plan}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            look="primary"
            disabled={data === undefined || (kind === 'grant' && chosen.length === 0)}
          >
            Review…
          </Button>
        </>
      }
    >
      <Field label="What to do">
        {({ id }) => (
          <Select
            id={id}
            value={kind}
            onValue={setKind}
            choices={[
              { value: 'grant', label: 'Grant rights' },
              { value: 'revoke', label: 'Revoke all rights' },
            ]}
          />
        )}
      </Field>
      {kind === 'grant' && (
        <>
          {operations.map((operation) => (
            <Switch
              key={operation}
              label={operation}
              isOn={chosen.includes(operation)}
              onChange={(isOn) =>
                setChosen(
                  operations.filter((each) => (each === operation ? isOn : chosen.includes(each))),
                )
              }
            />
          ))}
          {catalog === undefined ? (
            <Skeleton lines={2} />
          ) : (
            <FilterBuilder
              label="Rows, in every chosen table"
              group={filter}
              onGroup={setFilter}
              context={{ columns, fields: callerFields(config) }}
              empty="Every row."
            />
          )}
        </>
      )}
    </Dialog>
  )
}

/** Columns that all tables have. */
function commonColumns<Column>(
  all: readonly Readonly<Record<string, Column>>[],
): Readonly<Record<string, Column>> {
  const [first = {}, ...others] = all
  return Object.fromEntries(
    Object.entries(first).filter(([name]) => others.every((each) => Object.hasOwn(each, name))),
  )
}
