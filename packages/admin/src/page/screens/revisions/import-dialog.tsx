/** @module Makes a file the stored configuration: the changes are shown before anything is saved. */
import { type ReactNode, useState } from 'react'
import type { PlannedChange } from '../../api/stored.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Field, FileInput, TextArea } from '../../components/field.tsx'
import { SaveDialog } from '../stored/save-dialog.tsx'

export function ImportDialog({
  revision,
  onClose,
}: {
  readonly revision: number
  readonly onClose: () => void
}): ReactNode {
  const [text, setText] = useState('')
  const [fault, setFault] = useState<string>()
  const [planned, setPlanned] = useState<PlannedChange>()
  if (planned !== undefined) {
    return (
      <SaveDialog
        title="Import a configuration"
        change={planned}
        revision={revision}
        action="Import"
        onClose={() => setPlanned(undefined)}
        onSaved={onClose}
        onTakeOver={onClose}
      />
    )
  }
  const plan = () => {
    try {
      setPlanned({ route: 'POST /config/import', body: JSON.parse(text) })
    } catch {
      setFault('This is no JSON. Paste a file that "Export" or engine-server config pull wrote.')
    }
  }
  const read = async (file: File) => {
    setText(await file.text())
    setFault(undefined)
  }
  return (
    <Dialog
      isOpen
      isWide
      onClose={onClose}
      title="Import a configuration"
      description="It replaces the stored one. *** keeps a stored secret. The next step shows what changes."
      onSubmit={plan}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={text.trim() === ''}>
            Review…
          </Button>
        </>
      }
    >
      <Field label="File" hint="Such as engine.stored.json; or paste its content below.">
        {(ids) => (
          <FileInput {...ids} accept="application/json,.json" onFile={(file) => void read(file)} />
        )}
      </Field>
      <Field label="Configuration" hint="JSON." error={fault}>
        {(ids) => (
          <TextArea
            {...ids}
            rows={14}
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value)
              setFault(undefined)
            }}
          />
        )}
      </Field>
    </Dialog>
  )
}
