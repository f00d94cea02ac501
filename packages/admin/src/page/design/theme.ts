/** @module Light, dark, or as the system is. */
import { useSyncExternalStore } from 'react'

export type Theme = 'light' | 'dark' | 'system'

const key = 'engine-admin.theme'
const listeners = new Set<() => void>()
const system = matchMedia('(prefers-color-scheme: dark)')

function stored(): Theme {
  const value = localStorage.getItem(key)
  return value === 'light' || value === 'dark' ? value : 'system'
}

function apply(): void {
  const theme = stored()
  const isDark = theme === 'dark' || (theme === 'system' && system.matches)
  document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light'
  for (const listener of listeners) listener()
}

/** Shows the theme, and follows the system and other tabs from now on. */
export function startTheme(): void {
  system.addEventListener('change', apply)
  addEventListener('storage', (event) => event.key === key && apply())
  apply()
}

export function setTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(key)
  else localStorage.setItem(key, theme)
  apply()
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, stored)
}
