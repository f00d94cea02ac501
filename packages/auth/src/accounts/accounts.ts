/** @module Accounts, wherever their profile is stored: only in the service database, or also in a user table. */
import { randomUUID } from 'node:crypto'
import { type EmailAddress, parseEmail } from '../email-address.ts'
import type { Credentials } from './account.ts'
import type { AccountStore, NewAccount } from './account-store.ts'
import type { Profile, UserProfiles } from './user-profiles.ts'

export interface Accounts {
  /** @returns undefined when the address is taken. */
  signUp(person: Person): Promise<Credentials | undefined>
  /** The hash for comparing a password that was given with this address. */
  candidate(key: string): Promise<Candidate | undefined>
  /** The account of an address; created from the row in the user table when there is none yet. */
  findOrAdopt(key: string): Promise<Credentials | undefined>
}

export interface Person {
  readonly email: EmailAddress
  readonly name: string
  /** undefined: nobody can sign in with a password until one is set. */
  readonly passwordHash: string | undefined
  readonly nowMs: number
  readonly emailVerified?: boolean
  readonly roles?: readonly string[] | undefined
}

export interface Candidate {
  readonly passwordHash: string | undefined
  readonly isDisabled: boolean
  /** The account; created now where only a row in the user table existed. Call it when the password was right. */
  account(): Promise<Credentials | undefined>
}

export interface AccountsOptions {
  readonly store: AccountStore
  /** undefined: no user table. */
  readonly profiles: UserProfiles | undefined
  /** The user table has a password column. */
  readonly hasOldPasswords: boolean
  readonly clock: () => number
}

export function createAccounts({
  store,
  profiles,
  hasOldPasswords,
  clock,
}: AccountsOptions): Accounts {
  const adopt = async (profile: Profile): Promise<Credentials | undefined> => {
    const email = parseEmail(profile.email, true)
    if (email === undefined) return undefined
    const adopted = await store.create({
      ...unknownPerson,
      id: profile.id,
      email,
      name: [...profile.name].slice(0, 200).join(''),
      passwordHash: profile.passwordHash,
      createdAtMs: clock(),
    })
    if (adopted !== undefined) return adopted
    // Another request created it at the same time. An account of that row with another address is a different one.
    const known = await store.credentialsById(profile.id)
    return known?.emailKey === email.key ? known : undefined
  }
  return {
    signUp: async ({ nowMs, ...person }) => {
      const { email, name } = person
      const account = { ...unknownPerson, ...person, createdAtMs: nowMs }
      if ((await store.findByEmail(email.key)) !== undefined) return undefined
      if (profiles === undefined) return store.create({ ...account, id: randomUUID() })
      const id = await profiles.create(email.address, name)
      return id === undefined ? undefined : createOrUndo({ ...account, id }, store, profiles)
    },
    candidate: async (key) => {
      // The user table is queried for every address, so that the time does not reveal which accounts were already
      // adopted.
      const [known, profile] = await Promise.all([
        store.credentialsByEmail(key),
        hasOldPasswords ? profiles?.findByEmail(key) : undefined,
      ])
      if (known !== undefined) {
        const { passwordHash, account } = known
        return { passwordHash, isDisabled: account.isDisabled, account: async () => known }
      }
      if (profile?.passwordHash === undefined) return undefined
      const { passwordHash } = profile
      return { passwordHash, isDisabled: false, account: () => adopt(profile) }
    },
    findOrAdopt: async (key) => {
      const known = await store.credentialsByEmail(key)
      if (known !== undefined || profiles === undefined) return known
      const profile = await profiles.findByEmail(key)
      return profile && adopt(profile)
    },
  }
}

const unknownPerson = { emailVerified: false, roles: undefined }

/** Removes the profile again when the account cannot be created. */
async function createOrUndo(
  account: NewAccount,
  store: AccountStore,
  profiles: UserProfiles,
): Promise<Credentials | undefined> {
  let created: Credentials | undefined
  try {
    created = await store.create(account)
    return created
  } finally {
    if (created === undefined) await profiles.remove(account.id)
  }
}
