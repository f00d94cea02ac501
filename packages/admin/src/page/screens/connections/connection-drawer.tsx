/** @module One connection: its settings, a live test, saving and removing. */
import type { ConnectionTestAnswer } from '@engine/contract/admin-api'
import { PlugZap, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { request } from '../../api/http.ts'
import { type PlannedChange, useSource } from '../../api/stored.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Field, TextArea, TextInput } from '../../components/field.tsx'
import { Switch } from '../../components/switch.tsx'
import { shortText } from '../../components/visible-text.ts'
import { Restored } from '../../drafts/restored.tsx'
import { useDraft, useKeep } from '../../drafts/use-draft.ts'
import { Refusal, SaveDialog } from '../stored/save-dialog.tsx'
import {
  type ConnectionForm,
  type ConnectionValue,
  connectionDraftIn,
  connectionOf,
  formOf,
  mayHoldPassword,
} from './connection.ts'
import css from './connections.module.css'
import { RemoveConnection } from './remove-connection.tsx'
import { TestResult } from './test-result.tsx'

export interface ConnectionDrawerProps {
  /** undefined: a new one. */
  readonly name: string | undefined
  readonly value: ConnectionValue | undefined
  readonly revision: number | undefined
  readonly onClose: () => void
  readonly onTakeOver: () => void
}

export function ConnectionDrawer({
  name,
  value,
  revision,
  onClose,
  onTakeOver,
}: ConnectionDrawerProps): ReactNode {
  const source = useSource()
  const isChangeable = source === 'stored' && revision !== undefined
  // The revision that the form began with: the newest one is read again while it is open.
  const draft = useDraft(`connection ${name ?? ''}`, connectionDraftIn)
  const [base, setBase] = useState(draft.restored?.value.revision ?? revision)
  const [first] = useState(() => formOf(value))
  const [form, setForm] = useState(draft.restored?.value.form ?? first)
  const [ownName, setOwnName] = useState(draft.restored?.value.ownName ?? name ?? '')
  const isEdited = ownName !== (name ?? '') || JSON.stringify(form) !== JSON.stringify(first)
  useKeep(
    draft,
    isChangeable && isEdited ? { form, ownName, revision: base } : undefined,
    !mayHoldPassword(form),
  )
  const [fault, setFault] = useState<string>()
  const [planned, setPlanned] = useState<PlannedChange>()
  const [isRemoving, setRemoving] = useState(false)
  const [wanted, setWanted] = useState<string>()
  const params = { name: ownName.trim() }
  const test = useSubmit<ConnectionTestAnswer, ConnectionValue>({
    send: (connection, signal) =>
      request('POST /config/connections/:name/test', { params, body: { connection }, signal }),
  })
  const change = (next: Partial<ConnectionForm>) => {
    setForm({ ...form, ...next })
    setFault(undefined)
    test.reset()
  }
  const withValue = (use: (connection: ConnectionValue) => void) => {
    try {
      if (ownName.trim() === '') throw new Error('Give the connection a name.')
      use(connectionOf(form))
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error))
    }
  }
  if (planned !== undefined && base !== undefined) {
    return (
      <SaveDialog
        title={wanted ?? `Save ${shortText(ownName, 60)}`}
        change={planned}
        revision={base}
        action={planned.route.startsWith('DELETE ') ? 'Remove' : 'Save'}
        isDanger={planned.route.startsWith('DELETE ')}
        onClose={() => setPlanned(undefined)}
        onStored={draft.drop}
        onSaved={onClose}
        onTakeOver={() => {
          draft.drop()
          onTakeOver()
        }}
      />
    )
  }
  if (isRemoving && name !== undefined) {
    return (
      <RemoveConnection
        name={name}
        onClose={() => setRemoving(false)}
        onRemove={(change) => {
          setWanted(`Remove ${shortText(name, 60)}`)
          setPlanned(change)
        }}
      />
    )
  }
  return (
    <Dialog
      isOpen
      keepsEdits
      onClose={onClose}
      place="drawer"
      title={name === undefined ? 'Add a connection' : <bdi>{shortText(name, 80)}</bdi>}
      description={
        isChangeable
          ? 'Test it, then save: the change holds for the next request on every node.'
          : source === 'code'
            ? 'Defined in code: change it there.'
            : 'Read-only.'
      }
      {...(isChangeable
        ? {
            onSubmit: () =>
              withValue((body) =>
                setPlanned({ route: 'PUT /config/connections/:name', params, body }),
              ),
            footer: (
              <>
                {name !== undefined && (
                  <Button
                    className={css['remove']}
                    icon={<Trash2 aria-hidden />}
                    onClick={() => setRemoving(true)}
                  >
                    Remove…
                  </Button>
                )}
                <Button
                  icon={<PlugZap aria-hidden />}
                  isBusy={test.isPending}
                  onClick={() => withValue((connection) => test.run(connection))}
                >
                  Test
                </Button>
                <Button type="submit" look="primary">
                  Save…
                </Button>
              </>
            ),
          }
        : {})}
    >
      <Restored
        draft={draft}
        onDiscard={() => {
          setForm(first)
          setOwnName(name ?? '')
          setBase(revision)
        }}
      />
      <fieldset className={css['form']} disabled={!isChangeable}>
        {name === undefined && (
          <Field label="Name" hint="The first part of table names: main.orders.">
            {(ids) => (
              <TextInput
                {...ids}
                maxLength={63}
                placeholder="main"
                value={ownName}
                onChange={(event) => {
                  setOwnName(event.currentTarget.value)
                  setFault(undefined)
                }}
              />
            )}
          </Field>
        )}
        <Field
          label="URL or path"
          hint={
            form.url.includes('***')
              ? '*** keeps the stored password, for the same server and user.'
              : 'postgres://, mysql://, libsql://, or the path of a SQLite file. The password is encrypted, and never shown again.'
          }
        >
          {(ids) => (
            <TextInput
              {...ids}
              className="mono"
              placeholder="postgres://engine:password@host:5432/shop"
              value={form.url}
              onChange={(event) => change({ url: event.currentTarget.value })}
            />
          )}
        </Field>
        <Switch
          label="Read-only: writes are refused, whatever permissions say"
          isOn={form.isReadOnly}
          isDisabled={!isChangeable}
          onChange={(isReadOnly) => change({ isReadOnly })}
        />
        <Field label="Most connections of the pool">
          {(ids) => (
            <TextInput
              {...ids}
              inputMode="numeric"
              placeholder="as usual for the database"
              value={form.poolMax}
              onChange={(event) => change({ poolMax: event.currentTarget.value })}
            />
          )}
        </Field>
        <Field label="More options" hint="A JSON object: schemas, tables, relationships, types.">
          {(ids) => (
            <TextArea
              {...ids}
              rows={4}
              placeholder={'{ "schemas": ["public", "auth"] }'}
              value={form.more}
              onChange={(event) => change({ more: event.currentTarget.value })}
            />
          )}
        </Field>
      </fieldset>
      {fault !== undefined && (
        <p role="alert" className={css['fault']}>
          {fault}
        </p>
      )}
      {test.error !== null && <Refusal title="It was not tested" error={test.error} />}
      {test.data !== undefined && <TestResult test={test.data} />}
    </Dialog>
  )
}
