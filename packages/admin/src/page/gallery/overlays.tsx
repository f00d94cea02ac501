/** @module Menus, toasts, tooltips and what covers the page: each opens from its button. */
import { KeyRound, Trash2, Users } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { Confirm, Dialog } from '../components/dialog.tsx'
import { Field, TextInput } from '../components/field.tsx'
import { Menu } from '../components/menu.tsx'
import { Card, Facts, Toolbar } from '../components/page.tsx'
import { useToasts } from '../components/toast.tsx'
import { Tooltip } from '../components/tooltip.tsx'

export function Overlays(): ReactNode {
  const [open, setOpen] = useState<'dialog' | 'drawer' | 'confirm'>()
  const { done, failed } = useToasts()
  const close = () => setOpen(undefined)
  return (
    <Card title="Overlays">
      <Toolbar>
        <Button onClick={() => setOpen('dialog')}>Dialog</Button>
        <Button onClick={() => setOpen('drawer')}>Drawer</Button>
        <Button onClick={() => setOpen('confirm')}>Confirm</Button>
        <Button onClick={() => done('Key revoked', 'It no longer opens anything.')}>Toast</Button>
        <Button onClick={() => failed('Not saved', 'The audit cannot be written.')}>
          Failed toast
        </Button>
        <Tooltip text="Tables, columns and relations">
          <Button>Tooltip</Button>
        </Tooltip>
        <Menu
          trigger={<Button>Menu</Button>}
          entries={[
            { label: 'Edit roles', icon: <Users aria-hidden />, onSelect: close },
            { label: 'New key', icon: <KeyRound aria-hidden />, detail: 'N', onSelect: close },
            null,
            { label: 'Revoke', icon: <Trash2 aria-hidden />, isDanger: true, onSelect: close },
          ]}
        />
      </Toolbar>
      <Dialog
        isOpen={open === 'dialog'}
        onClose={close}
        title="New API key"
        description="The key is shown once."
        footer={
          <>
            <Button onClick={close}>Cancel</Button>
            <Button look="primary" onClick={close}>
              Create
            </Button>
          </>
        }
      >
        <Field label="Name">{(ids) => <TextInput {...ids} />}</Field>
      </Dialog>
      <Dialog isOpen={open === 'drawer'} onClose={close} place="drawer" title="Order 10404">
        <Facts
          facts={[
            ['Status', <Badge key="s">new</Badge>],
            ['Customer', 'Nordwind'],
          ]}
        />
      </Dialog>
      <Confirm
        isOpen={open === 'confirm'}
        title="End all sessions of Ada?"
        text="Ada signs in again with her next request."
        action="End 3 sessions"
        isBusy={false}
        onConfirm={close}
        onClose={close}
      />
    </Card>
  )
}
