import type { ReactNode } from 'react'
import { Toolbar } from '../../components/page.tsx'
import { Select } from '../../components/select.tsx'
import { shortText } from '../../components/visible-text.ts'

/** Which of several databases; nothing where there is one. */
export function ConnectionChoice({
  found: { connection, connections },
  onChoice,
}: {
  readonly found: { readonly connection: string; readonly connections: readonly string[] }
  readonly onChoice: (connection: string) => void
}): ReactNode {
  if (connections.length < 2) return null
  return (
    <Toolbar>
      <Select
        label="Connection"
        value={connection}
        onValue={onChoice}
        choices={connections.map((value) => ({ value, label: shortText(value, 60) }))}
      />
    </Toolbar>
  )
}
