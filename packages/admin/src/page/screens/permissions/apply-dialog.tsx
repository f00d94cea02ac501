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
import { everything, filterOf, type Group } from './editor/filter-tree.ts'
import { callerFields, columnsIn, type Rule } from './editor/rule.ts'

type Rules = Readonly<Record<string, Rule>>

interface ApplyDialogProps {
  readonly cells: readonly ChosenCell[]
  readonly onClose: () => void
  readonly onDone: () => void
}

/** What is to be done with the chosen cells. */
interface Grant {
  readonly kind: 'grant' | 'revoke'
  readonly operations: readonly Operation[]
  readonly rows: Group
}

export function ApplyDialog({ cells, onClose, onDone }: ApplyDialogProps): ReactNode {
  const { data } = useStored<Rules>('permissions')
  const [grant, setGrant] = useState<Grant>({
    kind: 'grant',
    operations: ['select'],
    rows: everything,
  })
  const [planned, setPlanned] = useState<PlannedChange>()
  const isGrant = grant.kind === 'grant'
  const tables = [...new Set(cells.map(({ table }) => table))]
  if (planned !== undefined && data?.revision !== undefined) {
    return (
      <SaveDialog
        title={isGrant ? 'Grant rights' : 'Revoke rights'}
        change={planned}
        revision={data.revision}
        action={isGrant ? 'Grant' : 'Revoke'}
        isDanger={!isGrant}
        onClose={() => setPlanned(undefined)}
        onSaved={onDone}
        onTakeOver={onClose}
      />
    )
  }
  return (
    <Dialog
      isOpen
      isWide
      onClose={onClose}
      title={`Apply to ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}`}
      description={`${tables.length} ${tables.length === 1 ? 'table' : 'tables'}; one rule for each when rights are granted.`}
      onSubmit={() => setPlanned(planOf(cells, grant, data?.value ?? {}))}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            look="primary"
            disabled={data === undefined || (isGrant && grant.operations.length === 0)}
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
            value={grant.kind}
            onValue={(kind) => setGrant({ ...grant, kind: kind as Grant['kind'] })}
            choices={[
              { value: 'grant', label: 'Grant rights' },
              { value: 'revoke', label: 'Revoke all rights' },
            ]}
          />
        )}
      </Field>
      {isGrant && <GrantFields tables={tables} grant={grant} onGrant={setGrant} />}
    </Dialog>
  )
}

function planOf(cells: readonly ChosenCell[], grant: Grant, rules: Rules): PlannedChange {
  return {
    route: 'PATCH /config/permissions',
    body:
      grant.kind === 'grant'
        ? granting(cells, grant.operations, filterOf(grant.rows), rules)
        : revoking(cells, rules),
    // Rules that somebody else has changed meanwhile keep those changes.
    rebase: async () => {
      const newest = await requestRevised('GET /config/permissions', {})
      return {
        value: planOf(cells, grant, (newest.value ?? {}) as Rules),
        revision: newest.revision,
      }
    },
  }
}

function GrantFields({
  tables,
  grant,
  onGrant,
}: {
  readonly tables: readonly string[]
  readonly grant: Grant
  readonly onGrant: (grant: Grant) => void
}): ReactNode {
  const { data: catalog } = useCatalog()
  const { data: config } = useConfig()
  const columns = commonColumns(tables.map((table) => columnsIn(catalog, table)))
  const isChosen = (operation: Operation) => grant.operations.includes(operation)
  return (
    <>
      {operations.map((operation) => (
        <Switch
          key={operation}
          label={operation}
          isOn={isChosen(operation)}
          onChange={(isOn) =>
            onGrant({
              ...grant,
              operations: operations.filter((each) => (each === operation ? isOn : isChosen(each))),
            })
          }
        />
      ))}
      {catalog === undefined ? (
        <Skeleton lines={2} />
      ) : (
        <FilterBuilder
          label="Rows, in every chosen table"
          group={grant.rows}
          onGroup={(rows) => onGrant({ ...grant, rows })}
          context={{ columns, fields: callerFields(config) }}
          empty="Every row."
        />
      )}
    </>
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
