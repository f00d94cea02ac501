/** @module The first database: its address, a live test, and saving it. */
import { ArrowRight, PlugZap } from 'lucide-react'
import type { ReactNode } from 'react'
import { useStatus } from '../../api/queries.ts'
import { Status } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Field, TextInput } from '../../components/field.tsx'
import { Card } from '../../components/page.tsx'
import { shortText } from '../../components/visible-text.ts'
import { TestResult } from '../connections/test-result.tsx'
import { Refusal } from '../stored/save-dialog.tsx'
import { isOffered } from './chosen-schemas.ts'
import { type Kind, kinds } from './kinds.ts'
import { SchemaChoice } from './schema-choice.tsx'
import css from './start.module.css'
import { type NewConnection, useNewConnection } from './use-new-connection.ts'
import { useStart } from './use-start.ts'

export function ConnectStep(): ReactNode {
  const { goTo } = useStart()
  const { data: status } = useStatus()
  const connected = Object.entries(status?.connections ?? {})
  return (
    <>
      {connected.length > 0 && (
        <Card title="Connected already" isFlush>
          <ul className={css['connected']}>
            {connected.map(([name, { kind, isUp, tables }]) => (
              <li key={name}>
                <span className={css['name']}>
                  <bdi>{shortText(name, 80)}</bdi>
                </span>
                <Status tone={isUp ? 'green' : 'red'}>
                  {isUp ? `${kind}, ${tables.toLocaleString()} tables` : `${kind}, not connected`}
                </Status>
                <Button
                  size="small"
                  icon={<ArrowRight aria-hidden />}
                  onClick={() => goTo('tables', { connection: name })}
                  aria-label={`Continue with ${shortText(name, 60)}`}
                >
                  Continue
                </Button>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <ConnectionForm taken={connected.map(([name]) => name)} />
    </>
  )
}

function ConnectionForm({ taken }: { readonly taken: readonly string[] }): ReactNode {
  const form = useNewConnection(taken)
  const { kind, test, save } = form
  return (
    <form
      className={css['narrow']}
      onSubmit={(event) => {
        event.preventDefault()
        form.submit()
      }}
    >
      <Card title={taken.length === 0 ? undefined : 'Another database'}>
        <div className={css['form']}>
          <KindChoice kind={kind} onKind={form.setKind} />
          <AddressFields form={form} isFirst={taken.length === 0} />
          {test.error !== null && <Refusal title="It was not tested" error={test.error} />}
          {test.data !== undefined && <TestResult test={test.data} />}
          <SchemaChoice found={form.found} chosen={form.chosen} onChosen={form.choose} />
          {save.error !== null && <Refusal error={save.error} />}
        </div>
      </Card>
      <FormActions form={form} />
    </form>
  )
}

function KindChoice({
  kind,
  onKind,
}: {
  readonly kind: Kind
  readonly onKind: (kind: Kind) => void
}): ReactNode {
  return (
    <fieldset className={css['kinds']}>
      <legend>Database</legend>
      <div className={css['options']}>
        {kinds.map((each) => (
          <label key={each.id} className={css['option']}>
            <input
              type="radio"
              name="kind"
              checked={each.id === kind.id}
              onChange={() => onKind(each)}
            />
            {each.label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** @param isFirst no other database is connected: the address has the focus. */
function AddressFields({
  form: { kind, address, setAddress, name, ownName, setOwnName, isTaken },
  isFirst,
}: {
  readonly form: NewConnection
  readonly isFirst: boolean
}): ReactNode {
  return (
    <>
      <Field label={kind.field} hint={kind.hint}>
        {(ids) => (
          <TextInput
            {...ids}
            className="mono"
            required
            autoFocus={isFirst}
            placeholder={kind.placeholder}
            value={address}
            onChange={(event) => setAddress(event.currentTarget.value)}
          />
        )}
      </Field>
      <Field
        label="Name"
        hint={`The first part of the names of its tables: ${shortText(name, 60)}.orders.`}
        error={isTaken ? 'There is a connection of this name.' : undefined}
      >
        {(ids) => (
          <TextInput
            {...ids}
            maxLength={63}
            pattern="[a-z0-9_]+"
            title="Lower-case letters, digits and _"
            placeholder={name}
            value={ownName}
            onChange={(event) => setOwnName(event.currentTarget.value)}
          />
        )}
      </Field>
    </>
  )
}

function FormActions({
  form: { address, isTaken, isTested, found, chosen, revision, test, save },
}: {
  readonly form: NewConnection
}): ReactNode {
  return (
    <div className={css['actions']}>
      {isTested ? (
        <Button
          type="submit"
          look="primary"
          icon={<ArrowRight aria-hidden />}
          isBusy={save.isPending}
          disabled={revision === undefined || (isOffered(found) && chosen.length === 0)}
        >
          Save and continue
        </Button>
      ) : (
        <Button
          type="submit"
          look="primary"
          icon={<PlugZap aria-hidden />}
          isBusy={test.isPending}
          disabled={address.trim() === '' || isTaken}
        >
          Test the connection
        </Button>
      )}
      <p className={css['aside']}>
        {isTested
          ? `It becomes revision ${(revision ?? 0) + 1} of the configuration, which can be undone.`
          : 'Nothing is saved before it is connected.'}
      </p>
    </div>
  )
}
