/** @module Accounts, wherever their profile is stored: only in the service database, or also in a user table. */
import { randomUUID } from 'node:crypto'
import { GatewayError } from '@engine/core'
import { type EmailAddress, parseEmail } from '../input/email-address.ts'
import type { Account, Credentials } from './account.ts'
import type { AccountStore, NewAccount } from './account-store.ts'
import type { Fields, Profile, UserProfiles } from './user-profiles.ts'

export interface Accounts {
  /** @returns undefined when the address is taken. */
  signUp(person: Person): Promise<Credentials | undefined>
  /** The hash for comparing a password that was given with this address. */
  candidate(key: string): Promise<Candidate | undefined>
  /** The account of an address; created from the row in the user table when there is none yet. */
  findOrAdopt(key: string): Promise<Credentials | undefined>
  /** The account of a row that has the address and no account yet; it has no password but that of the row. */
  adoptRow(key: string): Promise<Credentials | undefined>
  /**
   * Prepares the account of an invited address: the row of the user table is made, or found and changed.
   *
   * @returns undefined when no account can be that of the address: it is disabled, its row is gone, several rows have the
   *   address, or a row with it is that of an account with another address.
   * @throws {GatewayError} `emailExists` where only a new account may be that of the address; errors of the database, and
   *   `conflict`, when the row does not fit the table.
   */
  place(person: Invited): Promise<Place | undefined>
  /**
   * Checks that `place` could use these columns. Throws like `UserProfiles.check`.
   *
   * @param key undefined: of an address that is taken to be new.
   */
  checkRow(key: string | undefined, fields: Fields): Promise<void>
}

/** A person whose mailbox is known to be theirs. */
export interface Invited {
  readonly email: EmailAddress
  /** Of a new row. */
  readonly name: string
  /** Columns of the row in the user table. */
  readonly fields: Fields
  /** Accounts and rows that the address has already are left alone. */
  readonly isOnlyNew: boolean
}

/** Where an account is, or will be. */
export interface Place {
  /** The key of its row where there is a user table. */
  readonly id: string
  /** As in the user table, or as given. */
  readonly email: EmailAddress
  /** undefined: the account is yet to be created. */
  readonly known: Credentials | undefined
  /** Removes a row that was made for it. */
  undo(): Promise<void>
}

export interface Person {
  readonly email: EmailAddress
  readonly name: string
  /** undefined: nobody can sign in with a password until one is set. */
  readonly passwordHash: string | undefined
  readonly nowMs: number
  readonly emailVerified?: boolean
  readonly roles?: readonly string[] | undefined
  /** Columns of the row in the user table, by an administrator; undefined: a sign-up. */
  readonly fields?: Fields | undefined
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
  /** Returns whether the row of an account still exists. */
  readonly isUser: (account: Account) => Promise<boolean>
  readonly clock: () => number
}

export function createAccounts({
  store,
  profiles,
  hasOldPasswords,
  isUser,
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
  const updateRow = async (id: string, fields: Fields): Promise<void> => {
    if (Object.keys(fields).length === 0) return
    if (profiles === undefined) throw noUserTable()
    await profiles.update(id, fields)
  }
  return {
    signUp: async ({ nowMs, fields, ...person }) => {
      const { email, name } = person
      const account = { ...unknownPerson, ...person, createdAtMs: nowMs }
      if ((await store.findByEmail(email.key)) !== undefined) return undefined
      if (profiles === undefined) return store.create({ ...account, id: randomUUID() })
      const row = profiles.create(email.address, name, fields)
      const id = await (fields === undefined ? row.catch(undefinedIfTaken) : row)
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
    adoptRow: async (key) => {
      if ((await store.findByEmail(key)) !== undefined) return undefined
      const profile = await profiles?.findByEmail(key)
      return profile && adopt(profile)
    },
    place: async ({ email, name, fields, isOnlyNew }) => {
      const known = await store.credentialsByEmail(email.key)
      if (known !== undefined) {
        if (isOnlyNew) throw addressTaken()
        if (known.account.isDisabled || !(await isUser(known.account))) return undefined
        await updateRow(known.account.id, fields)
        return { id: known.account.id, email, known, undo: nothing }
      }
      if (profiles === undefined && Object.keys(fields).length > 0) throw noUserTable()
      if (profiles === undefined) return { id: randomUUID(), email, known, undo: nothing }
      if (isOnlyNew && (await profiles.hasEmail(email.key))) throw addressTaken()
      const row = await profiles.findByEmail(email.key)
      if (row === undefined) {
        const id = await profiles.create(email.address, name, fields)
        if (id === undefined) return undefined
        return { id, email, known, undo: () => removeUnused(id, store, profiles) }
      }
      // The account of that row has another address: it is a different one.
      if ((await store.credentialsById(row.id)) !== undefined) return undefined
      await updateRow(row.id, fields)
      return { id: row.id, email, known, undo: nothing }
    },
    checkRow: async (key, fields) => {
      if (profiles === undefined) return
      const isKnown =
        key !== undefined &&
        ((await store.findByEmail(key)) !== undefined || (await profiles.hasEmail(key)))
      await profiles.check(fields, !isKnown)
    },
  }
}

const nothing = async (): Promise<void> => undefined

function addressTaken(): GatewayError {
  return new GatewayError('emailExists', 'There is an account with this e-mail address already.')
}

function noUserTable(): GatewayError {
  return new GatewayError('conflict', 'There is no user table for fields.')
}

/** Sign-up answers every taken key like a taken address. */
function undefinedIfTaken(error: unknown): undefined {
  if (error instanceof GatewayError && error.problem === 'conflict') return undefined
  throw error
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
    if (created === undefined) await removeUnused(account.id, store, profiles)
  }
}

/** Another request may have found the row, and created the account of it. */
async function removeUnused(
  id: string,
  store: AccountStore,
  profiles: UserProfiles,
): Promise<void> {
  if ((await store.findById(id)) === undefined) await profiles.remove(id)
}
