import type { SessionResponse } from '@engine/contract'
import type { ClientInfo } from '@engine/core/server'
import type { AuthContext } from '../auth-context.ts'
import { readBodyObject, readText } from '../input/read-input.ts'
import { readPassword } from '../passwords/password.ts'
import { checkPassword } from './check-password.ts'
import { openSession } from './open-session.ts'

/** `POST /auth/sign-in`. An invalid address is answered like an unknown one. */
export async function signIn(
  body: unknown,
  client: ClientInfo,
  context: AuthContext,
): Promise<SessionResponse> {
  const input = readBodyObject(body)
  const email = readText(input, 'email')
  const password = readPassword(input, 'password')
  const credentials = await checkPassword(email, password, client, context)
  const { answer, sessionId } = await openSession(credentials, client, context)
  await context.record(client, 'sign-in', { account: credentials.account, sessionId })
  return answer
}
