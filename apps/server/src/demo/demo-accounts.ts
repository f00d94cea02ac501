/** @module Accounts of the demo, created by sign-up, like those of real users. */
import type { SessionResponse } from '@engine/contract'
import Database from 'better-sqlite3'

/** A user who can sign in. */
export interface DemoAccount {
  readonly name: string
  readonly email: string
  readonly role: string
  /** The rights of the role, in a few words. */
  readonly can: string
  /** Token of the session that sign-up created. */
  readonly token: string
}

/** The password of all accounts; the demo listens only on this machine. */
export const demoPassword = 'correct horse battery'

interface Profile {
  readonly name: string
  readonly role: string
  readonly customerId: number | null
  readonly employeeId: number | null
  readonly can: string
}

const profiles: readonly Profile[] = [
  {
    name: 'maria',
    role: 'manager',
    customerId: null,
    employeeId: 1,
    can: 'reads and changes everything',
  },
  {
    name: 'jonas',
    role: 'support',
    customerId: null,
    employeeId: 4,
    can: 'reads orders and customers (no credit limits, no salaries), moves open orders along',
  },
  {
    name: 'nordwind',
    role: 'customer',
    customerId: 7,
    employeeId: null,
    can: 'reads products, and its own orders; places new ones',
  },
]

/**
 * Creates the accounts and sets their roles in the shop's own table, as the operator of a shop would.
 *
 * @param shop path of the demo's database
 */
export async function openAccounts(url: string, shop: string): Promise<readonly DemoAccount[]> {
  const accounts: DemoAccount[] = []
  const database = new Database(shop)
  try {
    const grant = database.prepare(
      'update accounts set role = ?, customer_id = ?, employee_id = ? where id = ?',
    )
    for (const { name, role, customerId, employeeId, can } of profiles) {
      const email = `${name}@example.com`
      const { user, session } = await signUp(url, { email, name })
      grant.run(role, customerId, employeeId, user.id)
      accounts.push({ name, email, role, can, token: session.token })
    }
  } finally {
    database.close()
  }
  return accounts
}

async function signUp(
  url: string,
  account: { readonly email: string; readonly name: string },
): Promise<SessionResponse> {
  const response = await fetch(`${url}/auth/sign-up`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...account, password: demoPassword }),
  })
  if (response.status !== 201) throw new Error(`signing up answered ${response.status}`)
  return (await response.json()) as SessionResponse
}
