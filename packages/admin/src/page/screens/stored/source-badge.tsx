import type { ReactNode } from 'react'
import { type Source, useSource } from '../../api/stored.ts'
import { Badge } from '../../components/badge.tsx'

const texts: Readonly<Record<Source, string>> = {
  code: 'Defined in code',
  'read-only': 'Stored, read-only',
  stored: 'Stored',
}

/** Where the shown configuration comes from. */
export function SourceBadge(): ReactNode {
  const source = useSource()
  if (source === undefined) return null
  return <Badge tone={source === 'stored' ? 'green' : 'blue'}>{texts[source]}</Badge>
}
