import type { SignedIn } from '@engine/client/auth'
import { useSyncExternalStore } from 'react'
import { auth } from './engine.ts'

/** Who is signed in, in this tab or another. */
export function useUser(): SignedIn['user'] | undefined {
  return useSyncExternalStore(auth.onChange, auth.current)?.user
}
