import type { RevisionSummary } from '@engine/contract/admin-api'
import { Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Facts } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'
import { shortText } from '../../components/visible-text.ts'
import { Changes } from '../stored/changes.tsx'

/** One revision, and what it changed. @param onUndo undefined: it cannot be undone. */
export function RevisionDrawer({
  revision: { revision, author, via, at, note, changes },
  onUndo,
  onClose,
}: {
  readonly revision: RevisionSummary
  readonly onUndo: (() => void) | undefined
  readonly onClose: () => void
}): ReactNode {
  return (
    <Dialog
      isOpen
      isWide
      place="drawer"
      onClose={onClose}
      title={`Revision ${revision}`}
      description={note === null ? 'Without a note.' : shortText(note, 2_000)}
      footer={
        onUndo === undefined ? undefined : (
          <Button icon={<Undo2 aria-hidden />} onClick={onUndo}>
            Undo…
          </Button>
        )
      }
    >
      <Facts
        facts={[
          ['Author', <bdi key="author">{shortText(author, 120)}</bdi>],
          ['Via', <Badge key="via">{shortText(via, 40)}</Badge>],
          ['When', <Time key="at" at={at} />],
        ]}
      />
      <Changes changes={changes} />
    </Dialog>
  )
}
