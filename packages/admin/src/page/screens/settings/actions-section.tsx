/** @module Switches of actions: code defines them, an administrator says whether they run, and for whom. */
import type { ShownAction } from '@engine/contract/admin-api'
import { Zap } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMatrix } from '../../api/queries.ts'
import { Badge, Tags } from '../../components/badge.tsx'
import { Card } from '../../components/page.tsx'
import { EmptyState } from '../../components/states.tsx'
import { Switch } from '../../components/switch.tsx'
import { shortText } from '../../components/visible-text.ts'
import { RoleList } from '../permissions/editor/role-list.tsx'
import type { ActionDraft } from './draft.ts'
import css from './settings.module.css'

export function ActionsSection({
  actions,
  draft,
  isChangeable,
  onEdit,
}: {
  readonly actions: readonly ShownAction[]
  readonly draft: ActionDraft
  readonly isChangeable: boolean
  readonly onEdit: (action: ShownAction, edited: Pick<ShownAction, 'isEnabled' | 'roles'>) => void
}): ReactNode {
  const { data: matrix } = useMatrix()
  if (actions.length === 0) {
    return (
      <Card>
        <EmptyState icon={<Zap aria-hidden />} title="No actions">
          Actions are functions under <code>actions</code> in code. Each appears here, to be
          switched off, or given to other roles.
        </EmptyState>
      </Card>
    )
  }
  return (
    <Card isFlush>
      {actions.map((action) => {
        const { name, description, source, codeRoles } = action
        const edited = draft.get(name)
        const { isEnabled, roles } = edited ?? action
        return (
          <div key={name} className={css['action']} data-edited={edited !== undefined}>
            <div className={css['text']}>
              <p className={css['label']}>
                <bdi>{shortText(name, 80)}</bdi>
              </p>
              <p className={css['hint']}>
                {description === null ? 'Without a description.' : shortText(description, 300)}
              </p>
              <p className={css['source']}>
                {edited !== undefined ? (
                  <Badge tone="violet">Edited</Badge>
                ) : (
                  <Badge tone={source === 'stored' ? 'green' : 'blue'}>
                    {source === 'stored' ? 'Stored' : 'As in code'}
                  </Badge>
                )}
                {source === 'stored' && <>In code: {shortText(codeRoles.join(', '), 80)}</>}
              </p>
            </div>
            <div className={css['control']}>
              {isChangeable ? (
                <>
                  <Switch
                    label={
                      <>
                        {isEnabled ? 'On' : 'Off'}{' '}
                        <span className="visually-hidden">{shortText(name, 80)}</span>
                      </>
                    }
                    isOn={isEnabled}
                    onChange={(isOn) => onEdit(action, { isEnabled: isOn, roles })}
                  />
                  <RoleList
                    roles={roles}
                    known={matrix?.roles ?? []}
                    onRoles={(next) =>
                      next.length > 0 && onEdit(action, { isEnabled, roles: next })
                    }
                  />
                </>
              ) : (
                <>
                  <p className={css['value']}>{isEnabled ? 'On' : 'Off'}</p>
                  <Tags names={roles} limit={8} />
                </>
              )}
            </div>
          </div>
        )
      })}
    </Card>
  )
}
