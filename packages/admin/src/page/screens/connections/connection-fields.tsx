import type { ReactNode } from 'react'
import { Field, TextArea, TextInput } from '../../components/field.tsx'
import { Switch } from '../../components/switch.tsx'
import css from './connections.module.css'
import type { ConnectionEdits } from './use-connection-edits.ts'

/** @param isNew asks for a name. */
export function ConnectionFields({
  edits: { form, ownName, change, rename },
  isNew,
  isChangeable,
}: {
  readonly edits: ConnectionEdits
  readonly isNew: boolean
  readonly isChangeable: boolean
}): ReactNode {
  return (
    <fieldset className={css['form']} disabled={!isChangeable}>
      {isNew && (
        <Field label="Name" hint="The first part of table names: main.orders.">
          {(ids) => (
            <TextInput
              {...ids}
              maxLength={63}
              placeholder="main"
              value={ownName}
              onChange={(event) => rename(event.currentTarget.value)}
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
      <Field label="Max connections">
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
  )
}
