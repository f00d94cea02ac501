/** @module Limits, security, audit, actions and roles: values, where they come from, and changing them. */
import type { ShownOption, ShownSettings } from '@engine/contract/admin-api'
import { type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import { type PlannedChange, useShown, useSource } from '../../api/stored.ts'
import { Button } from '../../components/button.tsx'
import { Card, Page } from '../../components/page.tsx'
import { ErrorState, Skeleton } from '../../components/states.tsx'
import { type Tab, Tabs } from '../../components/tabs.tsx'
import { Restored } from '../../drafts/restored.tsx'
import { usePathParts } from '../../shell/address.ts'
import { SaveDialog } from '../stored/save-dialog.tsx'
import { SourceBadge } from '../stored/source-badge.tsx'
import { ActionsSection } from './actions-section.tsx'
import { withAction, withText } from './draft.ts'
import { OptionRow } from './option-row.tsx'
import { RolesSection } from './roles-section.tsx'
import { optionTexts, type Section, sections } from './sections.ts'
import css from './settings.module.css'
import { type SettingsEdits, useSettingsEdits } from './use-settings-edits.ts'

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

interface BodyProps {
  readonly settings: ShownSettings
  readonly revision: number | undefined
}

function Body({ settings, revision }: BodyProps): ReactNode {
  const [, go] = useLocation()
  const [, part] = usePathParts()
  const isChangeable = useSource() === 'stored' && revision !== undefined
  const edits = useSettingsEdits(settings)
  const [planned, setPlanned] = useState<PlannedChange>()
  const discard = () => {
    edits.discard()
    setPlanned(undefined)
  }
  const tabs = tabsOf(settings, edits, isChangeable)
  const value = tabs.some(({ id }) => id === part) ? (part ?? 'limits') : 'limits'
  return (
    <>
      <Restored draft={edits.draft} onDiscard={discard} />
      <Tabs value={value} onValue={(id) => go(`/settings/${id}`, { replace: true })} tabs={tabs} />
      {edits.count > 0 && (
        <section className={css['bar']} aria-label="Edited settings">
          <p className={css['count']}>
            {edits.count} {edits.count === 1 ? 'edited value' : 'edited values'}
          </p>
          <Button onClick={discard}>Discard</Button>
          <Button look="primary" onClick={() => setPlanned(edits.plan())}>
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
          onStored={edits.draft.drop}
          onSaved={discard}
          onTakeOver={discard}
        />
      )}
    </>
  )
}

function tabsOf(
  { options, actions }: ShownSettings,
  edits: SettingsEdits,
  isChangeable: boolean,
): readonly Tab[] {
  const countOf = (count: number) => (count === 0 ? {} : { count })
  return [
    ...[...sections, ...otherSections(options)].map((section) => ({
      id: section.id,
      label: section.label,
      ...countOf(section.options.filter(({ path }) => edits.options.has(path)).length),
      content: (
        <OptionSection
          section={section}
          options={options}
          edits={edits}
          isChangeable={isChangeable}
        />
      ),
    })),
    {
      id: 'actions',
      label: 'Actions',
      ...countOf(edits.actions.size),
      content: (
        <ActionsSection
          actions={actions}
          draft={edits.actions}
          isChangeable={isChangeable}
          onEdit={(action, next) => edits.setActions((now) => withAction(now, action, next))}
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
}

function OptionSection({
  section,
  options,
  edits,
  isChangeable,
}: {
  readonly section: Section
  readonly options: readonly ShownOption[]
  readonly edits: SettingsEdits
  readonly isChangeable: boolean
}): ReactNode {
  return (
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
              edited={edits.options.get(text.path)}
              fault={edits.faults.get(text.path)}
              isChangeable={isChangeable}
              onText={(next) => edits.setOptions((now) => withText(now, option, next))}
            />
          )
        })}
      </Card>
    </div>
  )
}

/** Options of a newer server that this page has no words for. */
function otherSections(options: readonly ShownOption[]): readonly Section[] {
  const unknown = options.filter(({ path }) => !optionTexts.has(path))
  if (unknown.length === 0) return []
  const texts = unknown.map(({ path }) => ({ path, kind: 'text', label: path, hint: '' }) as const)
  return [{ id: 'others', label: 'Others', lead: 'Options without a description.', options: texts }]
}
