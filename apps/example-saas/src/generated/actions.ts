// Made by engine-codegen from GET /schema: changes are lost when it runs again.

/** A row of "organisations" in the connection "main". */
export interface MainOrganisations {
  id: string
  name: string
}

/** A new row of "organisations" in the connection "main". */
export interface MainOrganisationsInsert {
  id?: string
  name: string
}

/** A row of "projects" in the connection "main". */
export interface MainProjects {
  id: string
  organisation_id: string
  created_by: string
  title: string
  done: boolean
}

/** A new row of "projects" in the connection "main". */
export interface MainProjectsInsert {
  organisation_id: string
  created_by: string
  title: string
  done?: boolean
}

/** A row of "users" in the connection "main". */
export interface MainUsers {
  id: string
  email: string
  name: string
  organisation_id: string | null
  role: 'newcomer' | 'member' | 'owner'
}

/** A new row of "users" in the connection "main". */
export interface MainUsersInsert {
  id?: string
  email: string
  name?: string
  organisation_id?: string | null
  role?: 'newcomer' | 'member' | 'owner'
}

/** Rows that are read and rows that are made, by table. */
export interface Tables {
  'main.organisations': { row: MainOrganisations; insert: MainOrganisationsInsert }
  'main.projects': { row: MainProjects; insert: MainProjectsInsert }
  'main.users': { row: MainUsers; insert: MainUsersInsert }
}

/** What the action "createOrganisation" takes and gives. */
export interface CreateOrganisationAction {
  input: {
    name: string
  }
  output: {
    id: string
  }
}

/** What the action "invitations" takes and gives. */
export interface InvitationsAction {
  input: Record<string, never>
  output: {
    id: string
    email: string
    role: string
    expiresAt: string
  }[]
}

/** What the action "invite" takes and gives. */
export interface InviteAction {
  input: {
    email: string
    role: 'member' | 'owner'
  }
  output: unknown
}

/** What the action "revokeInvitation" takes and gives. */
export interface RevokeInvitationAction {
  input: {
    id: string
  }
  output: unknown
}

/** Every action, by name. */
export interface Actions {
  /** Makes an organisation, owned by the caller, who has none yet. */
  createOrganisation: CreateOrganisationAction
  /** Those of the organisation that are not accepted yet. */
  invitations: InvitationsAction
  /** Mails an invitation to the organisation of the caller. */
  invite: InviteAction
  /** Ends an invitation of the organisation. */
  revokeInvitation: RevokeInvitationAction
}
