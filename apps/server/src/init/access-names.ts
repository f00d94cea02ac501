/** @module Names of tables and columns that suggest: what is in it decides what a person may do. */
// cspell:ignore lment colou ation ations authori categor countr currenc capabilit compan favou identit ings invit licen lments organi shar
import { wordsOf } from './column-names.ts'

const invitations =
  /\binvit(?:e|es|ation|ations|ee|ees)\b|\b(?:join|access|membership|member) requests?\b|\breferrals?\b|\b(?:join|access|registration|activation|enrol?lment|referral|class) (?:codes?|links?|keys?)\b|\bpending (?:members?|users?)\b/

/** Rows of the table admit a person to something. */
export function isInvitationTable(table: string): boolean {
  return invitations.test(plainWords(table))
}

const members =
  /\b(?:members?|memberships?|collaborators?|participants?|enrol?lments?|affiliations?|employments?)\b|\b(?:users?|people|persons?|staff|profiles?|accounts?) ?(?:teams?|organi[sz]ations?|orgs?|workspaces?|tenants?|compan(?:y|ies)|groups?|projects?)$|\b(?:teams?|organi[sz]ations?|orgs?|workspaces?|tenants?|compan(?:y|ies)|groups?|projects?|accounts?|clubs?|stores?|sites?|schools?|clinics?) ?(?:users?|people|persons?|staff|profiles?)$/

/** `shop staff`, but not `auth user`. */
const people =
  /^(?!(?:app|auth|wp|tbl) )\w+ (?:\w+ )*(?:users?|staff|people|crew|employees?|workers?)$/

/** Rows of the table say who belongs to what. */
export function isMemberTable(table: string): boolean {
  const words = plainWords(table)
  return (members.test(words) || people.test(words)) && !isInvitationTable(table)
}

const decisive =
  /\b(?:roles?|permissions?|privileges?|capabilit(?:y|ies)|acls?|access|admins?|administrators?|moderators?|grants?|grantees?|entitlements?|authori[sz]ations?|policies|claims|identit(?:y|ies)|shar(?:es?|ings?)|delegations?|delegates?|approvals?|licen[cs]es?|subscriptions?|plans?|quotas?|impersonations?|overwrites?|overrides?|friends?|friendships?|guardians?|bans?|block(?:s|ed users?)|feature flags?|audits?|audit (?:logs?|entries|events|trail))\b|\b(?:teams?|groups?|organi[sz]ations?|orgs?|workspaces?|tenants?)$/

/** Returns whether the table stores rights, or groups of users. */
export function decidesAccess(table: string): boolean {
  return decisive.test(plainWords(table))
}

const lookups =
  /\b(?:countr(?:y|ies)|currenc(?:y|ies)|languages?|locales?|time ?zones?|states?|provinces?|regions?|cit(?:y|ies)|genders?|titles?|salutations?|types?|status(?:es)?|categor(?:y|ies)|colou?rs?|units?)$/

/** The same rows for everybody: countries, currencies. */
export function isLookupTable(table: string): boolean {
  return lookups.test(plainWords(table))
}

const harmless =
  /\b(?:likes?|favou?rites?|bookmarks?|stars?|votes?|reactions?|wish ?lists?|ratings?|reads|views|carts?|cart items?)$/

/** Links a person with a thing, and says no more than that it pleases. */
export function isHarmlessLink(table: string): boolean {
  return harmless.test(plainWords(table))
}

const keyNames =
  /(?:^| )(?:key|attribute|property|setting|option|preference|pref|field)(?: (?:key|name|id))?$/
const looseKeyNames = /^(?:name|code|slug|type|kind)$/
const valueNames = /(?:^| )(?:values?|val)$/
const looseValueNames = /^(?:data|content|text|json)$/

/** Rows are a key and its value. */
export function isKeyValue(columns: readonly string[]): boolean {
  const words = columns.map(wordsOf)
  const some = (names: RegExp) => words.some((each) => names.test(each))
  return (
    (some(keyNames) && (some(valueNames) || some(looseValueNames))) ||
    (some(looseKeyNames) && some(valueNames))
  )
}

const profile =
  /^(?:(?:first|last|middle|given|family|full|display|nick|sur|preferred|company|contact|billing|shipping|home|work|street|mailing|postal|legal|public) ?)*(?:name|names|forename|surname|nickname|nicename|title|salutation|bio|biography|about|about me|description|headline|tagline|summary|avatar|avatar url|avatar path|image|image url|picture|picture url|photo|photo url|profile (?:image|picture|photo)(?: url)?|phone|phone number|mobile|mobile number|cell|tel|telephone|fax|address(?: ?(?:line )?\d)?|address line|street|city|town|region|county|district|zip|zip code|post code|postal ?code|country|country code|locale|language|lang|time ?zone|currency|birth ?da(?:y|te)|date of birth|dob|gender|pronouns|website|homepage|web site|url|blog|twitter|github|linkedin|facebook|instagram|theme|interests|hobbies|occupation|job title|newsletter)$/

/** A person may set it about oneself: a name, an address, a picture. Anything else may be a right. */
export function isProfileColumn(column: string): boolean {
  const words = wordsOf(column).replace(/^(?:user|contact|customer|person|profile) /, '')
  return profile.test(words)
}

/** `auth.user_roles`: `user roles`. */
function plainWords(table: string): string {
  return wordsOf(table.split('.').at(-1) ?? table)
}
