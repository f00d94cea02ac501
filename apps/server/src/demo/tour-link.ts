import type { RunningServer } from '../serve.ts'

/** An address that opens the pages signed in, with their tour; undefined where they are not built. */
export function tourLink({
  createAdminLink,
}: Pick<RunningServer, 'createAdminLink'>): string | undefined {
  return createAdminLink()?.replace('/admin#', '/admin?tour=1#')
}
