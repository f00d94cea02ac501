/** @module What the names of tables and columns suggest. Guesses: a person reads what is made of them. */

/** Words of a name: `apiKey`, `api_key` and `API-Key` are `api key`. */
export function wordsOf(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .toLowerCase()
}

const secretWords =
  /\b(?:pass(?:wd|word|words|phrase|code)?|pwd|pw|secrets?|tokens?|credentials?|salt|hash(?:ed)?|digest|signature|otp|totp|mfa|2fa|pin|pepper|seed|nonce)\b|\b(?:(?:api|private|secret|access|encryption|signing|activation|license|ssh|pgp|gpg|recovery|reset|session|auth) (?:key|code|hash)s?)\b|\b(?:recovery|backup|verification|reset|confirmation) codes?\b/

const personalWords =
  /\b(?:ssn|social security|national id|tax (?:id|number)|vat number|passport|iban|bic|account number|routing number|card (?:number|no)|credit card|cc number|cvv|cvc|salary|wage|income)\b/

/** What the business pays and earns. The whole name: a `shipping_cost` is for customers to see. */
const internalNames =
  /^(?:(?:unit|product|item|standard|average) )?(?:costs?|cost price|purchase (?:price|cost)|wholesale price|(?:profit |gross )?margin)$/

/** The column looks like a secret: `password_hash`, `apiToken`, `card_number`, `cost`. */
export function looksSecret(column: string): boolean {
  const words = wordsOf(column)
  return secretWords.test(words) || personalWords.test(words) || internalNames.test(words)
}

/** What the column holds opens something: `password_hash`, `apiToken`. */
export function looksCredential(column: string): boolean {
  return secretWords.test(wordsOf(column))
}

const privilegedWords =
  /^can \w|\b(?:roles?|admin|superuser|staff|permissions?|privileges?|scopes?|verified|confirmed|approved|active|enabled|disabled|banned|blocked|allow(?:ed|s)?|den(?:y|ied)|grant(?:s|ed)?|rights?|levels?|ranks?|tiers?|scores?|grades?|points|reputation|karma|balance|credits?|plan|subscription|quota|(?:created|updated|deleted|modified|inserted|registered)(?: at| on| by)?)\b/

/** Not for users to set: `is_admin`, `balance`, `created_at`. */
export function looksPrivileged(column: string): boolean {
  return privilegedWords.test(wordsOf(column))
}

const secretTables =
  /^(?:(?:users?|auth|accounts?|active|login|refresh|access|personal access|oauth|password reset|email verification|csrf) )*(?:sessions?|verifications?|otps?)$|\b(?:tokens?|secrets?|credentials?|(?:api|access|ssh|signing|private|secret) keys?|pass ?keys?|password resets?|magic links?|(?:recovery|backup|verification|device|login) codes?|one time passwords?)$/

/** Rows of the table are credentials. */
export function isSecretTable(table: string): boolean {
  return secretTables.test(wordsOf(table))
}

const toolTables =
  /^(?:schema migrations?|ar internal metadata|(?:knex|prisma|django|alembic|doctrine|drizzle|typeorm|sequelize|goose|gorp|atlas|kysely|sqlx|flyway|liquibase) .*|.* migrations?(?: lock)?|migrations?|flyway schema history|databasechangelog(?:lock)?|spatial ref sys|geometry columns|geography columns|engine .*)$/

/** Belongs to a tool: its migrations, or the engine's service database. */
export function isToolTable(table: string): boolean {
  return toolTables.test(wordsOf(table))
}

const foreignSchemas =
  /^(?:auth|storage|realtime|_realtime|vault|pgsodium|extensions|graphql|graphql_public|supabase_\w+|cron|net|pgbouncer|hdb_\w+|hdb_catalog|keycloak|ory)\./

/** In a schema of another service: the accounts of Supabase, `auth.users`. */
export function isForeignTable(table: string): boolean {
  return foreignSchemas.test(table)
}

/** How much a table's name suggests that its rows are the people who sign in; 0 for a name that does not. */
export function userTableRank(table: string): number {
  const words = wordsOf(table.split('.').at(-1) ?? table).replace(/^(?:app|auth|wp|tbl) /, '')
  return userNames.find(([names]) => names.includes(words))?.[1] ?? 0
}

const userNames: readonly (readonly [names: readonly string[], rank: number])[] = [
  [['users', 'user'], 10],
  [['accounts', 'account', 'members', 'member', 'profiles', 'profile'], 8],
  [['people', 'persons', 'person', 'customers', 'customer', 'clients', 'client'], 6],
  [['employees', 'employee', 'staff', 'authors', 'author', 'students', 'student'], 3],
]

const ownerNames = ['user id', 'owner id', 'owner', 'author id', 'created by', 'customer id']
const moreOwnerNames = [
  'created by id',
  'creator id',
  'account id',
  'member id',
  'profile id',
  'person id',
  'client id',
  'user',
]

/**
 * How much a column's name suggests that it names the owner of a row; 0 for a name that does not.
 *
 * @param userTable whose key it would hold.
 */
export function ownerRank(column: string, userTable: string | undefined): number {
  const words = wordsOf(column)
  if (userTable !== undefined && words === `${singular(wordsOf(userTable))} id`) return 10
  const at = [...ownerNames, ...moreOwnerNames].indexOf(words)
  return at < 0 ? 0 : 9 - Math.min(at, 8)
}

const tenantNames = [
  'tenant',
  'organization',
  'organisation',
  'org',
  'workspace',
  'company',
  'team',
]

/** Names the tenant of a row: `tenant_id`, `organizationId`. */
export function looksLikeTenant(column: string): boolean {
  const words = wordsOf(column)
  return tenantNames.some((name) => words === `${name} id` || words === `${name} uuid`)
}

/** `user roles`: `user role`. */
export function singular(words: string): string {
  if (words.endsWith('ies')) return `${words.slice(0, -3)}y`
  if (/(?:ss|sh|ch|x)es$/.test(words)) return words.slice(0, -2)
  return words.endsWith('s') && !words.endsWith('ss') ? words.slice(0, -1) : words
}
