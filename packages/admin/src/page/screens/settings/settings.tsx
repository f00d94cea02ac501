/** @module Limits, security, audit, actions and roles: values, where they come from, and changing them. */
import type { ShownOption, ShownSettings } from '@engine/contract/admin-api'
import { type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import { type PlannedChange, useShown, useSource } from '../../api/stored.ts'
import { Button } from '../../components/button.tsx'
import { Card, Page } from '../../components/page.tsx'
import { ErrorState, Skeleton } from '../../components/states.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { Restored } from '../../drafts/restored.tsx'
import { mayHoldSecrets } from '../../drafts/secrets.ts'
import { useDraft, useKeep } from '../../drafts/use-draft.ts'
import { usePathParts } from '../../shell/address.ts'
import { SaveDialog } from '../stored/save-dialog.tsx'
import { SourceBadge } from '../stored/source-badge.tsx'
import { ActionsSection } from './actions-section.tsx'
import {
  type ActionDraft,
  type OptionDraft,
  patchOf,
  settingsDraftIn,
  withAction,
  withText,
} from './draft.ts'
import { OptionRow } from './option-row.tsx'
import { RolesSection } from './roles-section.tsx'
import { optionTexts, type Section, sections } from './sections.ts'
import css from './settings.module.css'

const none: ReadonlyMap<string, never> = new Map<string, never>()

export default function SettingsPage(): ReactNode {
  const { data, error, refetch } = useShown('settings')
  return (
    <Page
      title="Settings"
      lead="Limits, security and switches, each with the place that its value comes from."
      actions={<SourceBadge />}
    >
      {error !== null && data === undefined ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton lines={12} />
      ) : (
        <Body settings={data.value} revision={data.revision} />
      )}
    </Page>
  )
}

function Body({
  settings: { options, actions },
  revision,
}: {
  readonly settings: ShownSettings
  readonly revision: number | undefined
}): ReactNode {
  const [, go] = useLocation()
  const [, part] = usePathParts()
  const source = useSource()
  const kept = useDraft('settings', settingsDraftIn)
  const [draft, setDraft] = useState<OptionDraft>(kept.restored?.value.options ?? none)
  const [actionDraft, setActionDraft] = useState<ActionDraft>(kept.restored?.value.actions ?? none)
  const [planned, setPlanned] = useState<PlannedChange>()
  const [shownFaults, setShownFaults] = useState<ReadonlyMap<string, string>>(none)
  const isChangeable = source === 'stored' && revision !== undefined
  const count = draft.size + actionDraft.size
  useKeep(
    kept,
    count === 0 ? undefined : { options: [...draft], actions: [...actionDraft] },
    !mayHoldSecrets(Object.fromEntries(draft)),
  )
  const discard = () => {
    kept.drop()
    setDraft(none)
    setActionDraft(none)
    setShownFaults(none)
    setPlanned(undefined)
  }
  const plan = () => {
    const { patch, faults } = patchOf(options, draft, actions, actionDraft)
    setShownFaults(faults)
    if (faults.size === 0) setPlanned({ route: 'PATCH /config', body: patch })
  }
  const optionsOf = (section: Section) => (
    <div className={css['section']}>
      <p className={css['lead']}>{section.lead}</p>
      <Card isFlush>
        {section.options.map((text) => {
          const option = options.find(({ path }) => path === text.path)
          if (option === undefined) return null
          return (
            <OptionRow
              key={text.path}
              text={text}
              option={option}
              edited={draft.get(text.path)}
              fault={shownFaults.get(text.path)}
              isChangeable={isChangeable}
              onText={(next) => setDraft((now) => withText(now, option, next))}
            />
          )
        })}
      </Card>
    </div>
  )
  const edited = (paths: readonly string[]) => {
    const found = paths.filter((path) => draft.has(path)).length
    return found === 0 ? {} : { count: found }
  }
  const tabs = [
    ...[...sections, ...otherSections(options)].map((section) => ({
      id: section.id,
      label: section.label,
      ...edited(section.options.map(({ path }) => path)),
      content: optionsOf(section),
    })),
    {
      id: 'actions',
      label: 'Actions',
      ...(actionDraft.size === 0 ? {} : { count: actionDraft.size }),
      content: (
        <ActionsSection
          actions={actions}
          draft={actionDraft}
          isChangeable={isChangeable}
          onEdit={(action, next) => setActionDraft((now) => withAction(now, action, next))}
        />
      ),
    },
    {
      id: 'roles',
      label: 'Roles',
      content: (
        <div className={css['section']}>
          <RolesSection isChangeable={isChangeable} />
        </div>
      ),
    },
  ]
  const value = tabs.some(({ id }) => id === part) ? (part ?? 'limits') : 'limits'
  return (
    <>
      <Restored draft={kept} onDiscard={discard} />
      <Tabs value={value} onValue={(id) => go(`/settings/${id}`, { replace: true })} tabs={tabs} />
      {count > 0 && (
        <section className={css['bar']} aria-label="Edited settings">
          <p className={css['count']}>
            {count} {count === 1 ? 'edited value' : 'edited values'}
          </p>
          <Button onClick={discard}>Discard</Button>
          <Button look="primary" onClick={plan}>
            Save…
          </Button>
        </section>
      )}
      {planned !== undefined && revision !== undefined && (
        <SaveDialog
          title="Save settings"
          change={planned}
          revision={revision}
          onClose={() => setPlanned(undefined)}
          onStored={kept.drop}
          onSaved={discard}
          onTakeOver={discard}
        />
      )}
    </>
  )
}

/** Options of a newer server that this page has no words for. */
function otherSections(options: readonly ShownOption[]): readonly Section[] {
  const unknown = options.filter(({ path }) => !optionTexts.has(path))
  if (unknown.length === 0) return []
  const texts = unknown.map(({ path }) => ({ path, kind: 'text', label: path, hint: '' }) as const)
  return [{ id: 'others', label: 'Others', lead: 'Options without a description.', options: texts }]
}
