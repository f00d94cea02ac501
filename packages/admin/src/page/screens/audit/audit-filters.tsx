/** @module The filters of the audit. */
import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { SearchInput } from '../../components/field.tsx'
import { Toolbar } from '../../components/page.tsx'
import { Select } from '../../components/select.tsx'
import { shortText } from '../../components/visible-text.ts'
import { kinds } from './kinds.ts'
import type { AuditFilterControl } from './use-audit.ts'

/** Whose entries: the value sets the filters `caller` and `includeSystem`. */
const whose = [
  { value: '', label: 'Everybody' },
  { value: 'admin', label: 'Administrators' },
  { value: 'system', label: 'The engine itself' },
  { value: 'all', label: 'Everybody and the engine' },
]

const spans = [
  { value: '', label: 'Any time' },
  { value: '1h', label: 'Last hour' },
  { value: '24h', label: 'Last day' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
]

export function AuditFilters({ filter, set }: AuditFilterControl): ReactNode {
  const chosen = filter['includeSystem'] === 'true' ? 'all' : (filter['caller'] ?? '')
  const isOffered = whose.some(({ value }) => value === chosen)
  const inView = ['kind', 'since', 'text', 'includeSystem', ...(isOffered ? ['caller'] : [])]
  const others = Object.entries(filter).filter(([name]) => !inView.includes(name))
  return (
    <Toolbar>
      <SearchInput
        label="Search in statements and messages"
        keyHint="/"
        value={filter['text'] ?? ''}
        onValue={(text) => set({ text })}
      />
      <Select
        label="Kind"
        value={filter['kind'] ?? ''}
        onValue={(kind) => set({ kind })}
        choices={[
          { value: '', label: 'Everything' },
          ...kinds.map(([value, label]) => ({ value, label })),
        ]}
      />
      <Select
        label="Whose"
        value={isOffered ? chosen : ''}
        onValue={(value) =>
          set(
            value === 'all'
              ? { caller: '', includeSystem: 'true' }
              : { caller: value, includeSystem: '' },
          )
        }
        choices={whose}
      />
      <Select
        label="Time"
        value={filter['since'] ?? ''}
        onValue={(since) => set({ since })}
        choices={spans}
      />
      {others.map(([name, value]) => (
        <Button
          key={name}
          size="small"
          title="Remove this filter"
          onClick={() => set({ [name]: '' })}
        >
          {name}: {shortText(value, 30)} ×
        </Button>
      ))}
    </Toolbar>
  )
}
