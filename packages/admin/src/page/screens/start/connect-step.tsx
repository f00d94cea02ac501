/** @module The first database: its address, a live test, and saving it. */
import type { ChangeResult, ConnectionTestAnswer } from '@engine/contract/admin-api'
import { ArrowRight, PlugZap } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { request } from '../../api/http.ts'
import { useStatus } from '../../api/queries.ts'
import { storedQueries, useReadAgain, useStored } from '../../api/stored.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { Status } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Field, TextInput } from '../../components/field.tsx'
import { Card } from '../../components/page.tsx'
import { shortText } from '../../components/visible-text.ts'
import { useAskBeforeUnload } from '../../drafts/use-ask-before-unload.ts'
import { TestResult } from '../connections/test-result.tsx'
import { Refusal } from '../stored/save-dialog.tsx'
import { isOffered, withSchemas } from './chosen-schemas.ts'
import { SchemaChoice } from './schema-choice.tsx'
import css from './start.module.css'
import { useStart } from './use-start.ts'

interface Kind {
  readonly id: string
  readonly label: string
  readonly field: string
  readonly placeholder: string
  readonly hint: string
}

const kinds: readonly Kind[] = [
  {
    id: 'postgres',
    label: 'PostgreSQL',
    field: 'URL',
    placeholder: 'postgres://engine:password@host:5432/shop',
    hint: 'Supabase, Neon, RDS and others show it as “connection string”. A user without superuser rights is enough.',
  },
  {
    id: 'mysql',
    label: 'MySQL, MariaDB',
    field: 'URL',
    placeholder: 'mysql://engine:password@host:3306/shop',
    hint: 'The user needs SELECT, and INSERT, UPDATE, DELETE for what rules let callers write.',
  },
  {
    id: 'sqlite',
    label: 'SQLite',
    field: 'File',
    placeholder: './shop.db',
    hint: 'A path on the machine of the server, from the directory where it was started.',
  },
  {
    id: 'libsql',
    label: 'libSQL, Turso',
    field: 'URL',
    placeholder: 'libsql://name.turso.io?authToken=…',
    hint: 'With its token as authToken.',
  },
  {
    id: 'csv',
    label: 'CSV files',
    field: 'Directory',
    placeholder: './exports',
    hint: 'On the machine of the server. Each file is a table; types are found out.',
  },
]

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
                  {isUp ? `${kind}, ${tables.toLocaleString()} tables` : `${kind}, no answer`}
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
      <NewConnection taken={connected.map(([name]) => name)} />
    </>
  )
}

function NewConnection({ taken }: { readonly taken: readonly string[] }): ReactNode {
  const { goTo } = useStart()
  const readAgain = useReadAgain()
  const { data: stored } = useStored('connections')
  const [kind, setKind] = useState(kinds[0] as Kind)
  const [address, setAddress] = useState('')
  const [ownName, setOwnName] = useState('')
  const name = ownName.trim() || freeConnection(taken)
  const connection = kind.id === 'csv' ? { directory: address.trim() } : address.trim()
  const [unwanted, setUnwanted] = useState<readonly string[]>([])
  const test = useSubmit<ConnectionTestAnswer>({
    send: (_, signal) =>
      request('POST /config/connections/:name/test', {
        params: { name },
        body: { connection },
        signal,
      }),
  })
  const found = test.data?.schemas ?? []
  const chosen = found.map((schema) => schema.name).filter((each) => !unwanted.includes(each))
  const choose = (names: readonly string[]) =>
    setUnwanted(found.map((schema) => schema.name).filter((each) => !names.includes(each)))
  const save = useSubmit<ChangeResult>({
    changes: storedQueries,
    send: (_, signal) =>
      request('PUT /config/connections/:name', {
        params: { name },
        signal,
        body: kind.id === 'postgres' ? withSchemas(address.trim(), found, chosen) : connection,
        query: { note: 'First run' },
        ifMatch: stored?.revision,
      }),
    onDone: async () => {
      await readAgain()
      goTo('tables', { connection: name })
    },
    onFailed: () => readAgain(),
  })
  // An address may hold a password: it is not kept.
  useAskBeforeUnload(address.trim() !== '')
  const isTested = test.data?.isUp === true
  const isTaken = taken.includes(name)
  const edited = () => {
    test.reset()
    setUnwanted([])
    save.reset()
  }
  const submit = () => {
    if (isTested) save.run()
    else test.run()
  }
  return (
    <form
      className={css['narrow']}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Card title={taken.length === 0 ? undefined : 'Another database'}>
        <div className={css['form']}>
          <fieldset className={css['kinds']}>
            <legend>Database</legend>
            <div className={css['options']}>
              {kinds.map((each) => (
                <label key={each.id} className={css['option']}>
                  <input
                    type="radio"
                    name="kind"
                    checked={each.id === kind.id}
                    onChange={() => {
                      setKind(each)
                      edited()
                    }}
                  />
                  {each.label}
                </label>
              ))}
            </div>
          </fieldset>
          <Field label={kind.field} hint={kind.hint}>
            {(ids) => (
              <TextInput
                {...ids}
                className="mono"
                required
                autoFocus={taken.length === 0}
                placeholder={kind.placeholder}
                value={address}
                onChange={(event) => {
                  setAddress(event.currentTarget.value)
                  edited()
                }}
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
                onChange={(event) => {
                  setOwnName(event.currentTarget.value)
                  edited()
                }}
              />
            )}
          </Field>
          {test.error !== null && <Refusal title="It was not tested" error={test.error} />}
          {test.data !== undefined && <TestResult test={test.data} />}
          <SchemaChoice found={found} chosen={chosen} onChosen={choose} />
          {save.error !== null && <Refusal error={save.error} />}
        </div>
      </Card>
      <div className={css['actions']}>
        {isTested ? (
          <Button
            type="submit"
            look="primary"
            icon={<ArrowRight aria-hidden />}
            isBusy={save.isPending}
            disabled={stored === undefined || (isOffered(found) && chosen.length === 0)}
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
          {isTested ? 'It becomes revision ' : 'Nothing is saved before it answers.'}
          {isTested && `${(stored?.revision ?? 0) + 1} of the configuration, which can be undone.`}
        </p>
      </div>
    </form>
  )
}

function freeConnection(taken: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? 'main' : `main${number}`
    if (!taken.includes(name)) return name
  }
}
