/** @module The pages of the sidebar, the command palette and the keyboard map. */
import {
  Activity,
  Cable,
  ChartSpline,
  Database,
  FlaskConical,
  History,
  Inbox,
  KeyRound,
  type LucideIcon,
  MonitorSmartphone,
  Rows3,
  ScrollText,
  Settings2,
  ShieldCheck,
  SlidersHorizontal,
  SquareTerminal,
  Table2,
  Users,
  Zap,
} from 'lucide-react'

export interface Place {
  readonly path: string
  readonly label: string
  readonly icon: LucideIcon
  /** After `g`. */
  readonly key: string
}

export const groups: readonly { readonly label: string; readonly places: readonly Place[] }[] = [
  { label: '', places: [{ path: '/', label: 'Overview', icon: Activity, key: 'o' }] },
  {
    label: 'Data',
    places: [
      { path: '/schema', label: 'Schema', icon: Table2, key: 's' },
      { path: '/data', label: 'Browse', icon: Rows3, key: 't' },
      { path: '/actions', label: 'Actions', icon: Zap, key: 'x' },
      { path: '/query', label: 'Query', icon: SquareTerminal, key: 'q' },
    ],
  },
  {
    label: 'Access',
    places: [
      { path: '/permissions', label: 'Permissions', icon: ShieldCheck, key: 'p' },
      { path: '/explain', label: 'Explain', icon: FlaskConical, key: 'e' },
      { path: '/users', label: 'Users', icon: Users, key: 'u' },
      { path: '/sessions', label: 'Sessions', icon: MonitorSmartphone, key: 'n' },
      { path: '/api-keys', label: 'API keys', icon: KeyRound, key: 'k' },
    ],
  },
  {
    label: 'System',
    places: [
      { path: '/metrics', label: 'Metrics', icon: ChartSpline, key: 'm' },
      { path: '/audit', label: 'Audit', icon: ScrollText, key: 'a' },
      { path: '/outbox', label: 'Outbox', icon: Inbox, key: 'b' },
      { path: '/connections', label: 'Connections', icon: Database, key: 'd' },
      { path: '/settings', label: 'Settings', icon: SlidersHorizontal, key: 'l' },
      { path: '/wire-connections', label: 'Wire connections', icon: Cable, key: 'w' },
      { path: '/revisions', label: 'Revisions', icon: History, key: 'r' },
      { path: '/configuration', label: 'Configuration', icon: Settings2, key: 'c' },
    ],
  },
]

export const places: readonly Place[] = groups.flatMap((group) => group.places)
