import { Dialog } from '@base-ui/react/dialog'
import { Compass, LogOut, Menu as MenuIcon, Monitor, Moon, Search, Sun } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useStatus } from '../api/queries.ts'
import { Button } from '../components/button.tsx'
import { classes } from '../components/classes.ts'
import { Menu } from '../components/menu.tsx'
import { setTheme, type Theme, useTheme } from '../design/theme.ts'
import { accountOfTour } from '../screens/demo/tour-state.ts'
import { useTour } from '../screens/demo/tour-store.ts'
import { isUnfinished } from '../screens/start/start-address.ts'
import { KeyboardMap, useKeys } from './keyboard.tsx'
import { Mark } from './mark.tsx'
import { NoConnection } from './no-connection.tsx'
import { Palette } from './palette.tsx'
import { groups, places } from './places.ts'
import css from './shell.module.css'

const Tour = lazy(() => import('../screens/demo/tour.tsx'))

export function Shell({
  children,
  onSignOut,
}: {
  readonly children: ReactNode
  readonly onSignOut: () => void
}): ReactNode {
  const [open, setOpen] = useState<'palette' | 'keys' | 'menu'>()
  const onPalette = useCallback(() => setOpen('palette'), [])
  const onHelp = useCallback(() => setOpen('keys'), [])
  const close = useCallback(() => setOpen(undefined), [])
  useKeys({ onPalette, onHelp })
  const [path] = useLocation()
  const label = labelOf(path)
  useEffect(() => {
    const title = labelOf(path)
    document.title = title === undefined ? 'Engine' : `${title} · Engine`
    setOpen(undefined)
  }, [path])
  const side = <Sidebar onPalette={onPalette} onHelp={onHelp} onSignOut={onSignOut} />
  return (
    <div className={css['frame']}>
      <a className={css['skip']} href="#content">
        Skip to the content
      </a>
      <NoConnection />
      <div className={css['side']}>{side}</div>
      <div className={css['bar']}>
        <Button
          look="ghost"
          icon={<MenuIcon aria-hidden />}
          aria-label="Menu"
          onClick={() => setOpen('menu')}
        />
        <Mark size={20} />
        <span className={css['name']}>{label ?? 'Engine'}</span>
        <Button look="ghost" icon={<Search aria-hidden />} aria-label="Find" onClick={onPalette} />
      </div>
      <TourOfDemo />
      <main id="content" className={css['content']} tabIndex={-1}>
        {children}
      </main>
      <Dialog.Root open={open === 'menu'} onOpenChange={(isOpen) => !isOpen && close()}>
        <Dialog.Portal>
          <Dialog.Backdrop className={css['backdrop']} />
          <Dialog.Popup className={css['sheet']} aria-label="Menu">
            {side}
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
      <Palette isOpen={open === 'palette'} onClose={close} onSignOut={onSignOut} />
      <KeyboardMap isOpen={open === 'keys'} onClose={close} />
    </div>
  )
}

/** The open card of the tour, on a server that serves the demo. */
function TourOfDemo(): ReactNode {
  const { data: status } = useStatus()
  const { card, isTurnedTo } = useTour()
  const account = accountOfTour(status?.demo?.accounts ?? [])
  if (card === undefined || account === undefined) return null
  return (
    <Suspense fallback={null}>
      <Tour card={card} isTurnedTo={isTurnedTo} account={account} />
    </Suspense>
  )
}

/** The name of a page; undefined where there is none. */
function labelOf(path: string): string | undefined {
  if (path.startsWith('/start')) return 'Get started'
  const place = path === '/new-permission' ? '/permissions' : path
  return places.find((each) => each.path === place || place.startsWith(`${each.path}/`))?.label
}

interface SidebarProps {
  readonly onPalette: () => void
  readonly onHelp: () => void
  readonly onSignOut: () => void
}

function Sidebar(props: SidebarProps): ReactNode {
  const { data: status } = useStatus()
  return (
    <div className={css['inner']}>
      <div className={css['brand']}>
        <Mark />
        <span className={css['name']}>Engine</span>
        {status !== undefined && (
          <span className={classes(css['mode'], !status.isDevelopment && css['production'])}>
            {status.isDevelopment ? 'development' : 'production'}
          </span>
        )}
      </div>
      <button type="button" className={css['find']} onClick={props.onPalette}>
        <Search aria-hidden />
        <span>Find…</span>
        <kbd>Ctrl K</kbd>
      </button>
      <Places />
      <Foot {...props} />
    </div>
  )
}

/** Links to all pages, by group. */
function Places(): ReactNode {
  const [path] = useLocation()
  const { data: status } = useStatus()
  const isStart = path.startsWith('/start')
  return (
    <nav className={css['nav']} aria-label="Pages">
      {(isUnfinished(status) || isStart) && (
        <div className={css['group']}>
          <Link href="/start" className={css['link']} aria-current={isStart ? 'page' : undefined}>
            <Compass aria-hidden />
            Get started
          </Link>
        </div>
      )}
      {groups.map(({ label, places: inGroup }) => (
        <div key={label} className={css['group']}>
          {label !== '' && <div className={css['groupLabel']}>{label}</div>}
          {inGroup.map(({ path: to, label: text, icon: Icon }) => {
            const isHere = to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`)
            return (
              <Link
                key={to}
                href={to}
                className={css['link']}
                aria-current={isHere ? 'page' : undefined}
              >
                <Icon aria-hidden />
                {text}
              </Link>
            )
          })}
        </div>
      ))}
    </nav>
  )
}

function Foot({ onHelp, onSignOut }: SidebarProps): ReactNode {
  const { data: status } = useStatus()
  const theme = useTheme()
  const icons = {
    light: <Sun aria-hidden />,
    dark: <Moon aria-hidden />,
    system: <Monitor aria-hidden />,
  }
  const select = (next: Theme, label: string) => ({
    label,
    icon: icons[next],
    detail: theme === next ? 'on' : '',
    onSelect: () => setTheme(next),
  })
  return (
    <div className={css['foot']}>
      <Menu
        align="start"
        trigger={
          <Button look="ghost" size="small" icon={icons[theme]} aria-label="Theme" title="Theme" />
        }
        entries={[
          select('system', 'As the system'),
          select('light', 'Light'),
          select('dark', 'Dark'),
        ]}
      />
      <Button look="ghost" size="small" onClick={onHelp} aria-label="Keyboard">
        ?
      </Button>
      <span className={css['version']}>{status?.version ?? ''}</span>
      <Button look="ghost" size="small" icon={<LogOut aria-hidden />} onClick={onSignOut}>
        Sign out
      </Button>
    </div>
  )
}
