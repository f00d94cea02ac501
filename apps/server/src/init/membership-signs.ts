/** @module What the name of a column of memberships suggests: does the row count, or is the person invited, removed or expired? */
// cspell:ignore activ anonymi approv invit thru unenrolled waitlist
import { wordsOf } from './column-names.ts'

/**
 * `status`: a value says it. `counts` and `over`: the row counts where it is set, or where it is not. `ends` and `begins`: a moment.
 * `asked`: set while a person is invited, and perhaps afterwards.
 */
export type MembershipSign = 'status' | 'counts' | 'over' | 'ends' | 'begins' | 'asked'

const good =
  'active|activated|enabled|accepted|approved|confirmed|verified|joined|admitted|enrolled'
const bad =
  'deleted|removed|revoked|disabled|inactive|inactivated|deactivated|suspended|blocked|banned|left|expired|declined|rejected|denied|refused|cancelled|canceled|archived|terminated|withdrawn|dropped|trashed|discarded|destroyed|ended|kicked|dismissed|fired|retired|resigned|exited|quit|closed|locked|frozen|paused|voided|anonymi[sz]ed|unenrolled|unsubscribed|detached|finished|completed|lapsed'
const moment = 'at|on|date|time|ts|timestamp|datetime|utc'
const flag = '(?:(?:is|has|was|been|currently|member|membership) )*'

const signs: readonly (readonly [names: RegExp, sign: MembershipSign])[] = [
  [
    /\b(?:status|state|stage|phase|lifecycle)(?: (?:id|code|cd|type|name))?$|^membership$/,
    'status',
  ],
  [
    /\b(?:expires?|expiry|expiration|valid (?:until|till?|to|thru)|until|(?:to|end|leave|leaving|exit|expiration|expiry|termination|deletion|revocation|removal|last) (?:date|day|time|ts)|(?:effective|active|access) to|ends?)(?: (?:at|on|date|time|ts))?$/,
    'ends',
  ],
  [new RegExp(`\\b(?:ended|expired|terminated|left|lapsed) (?:${moment})$`), 'ends'],
  [
    /\b(?:starts?|started|begins?|began|(?:valid|effective|active) from|effective|(?:from|start|effective|begin) (?:date|day|time|ts))(?: (?:at|on|date|time|ts))?$/,
    'begins',
  ],
  [
    new RegExp(
      `^${flag}(?:${bad}|invited|pending|ex member|former|no longer active|opted out|deletion|trash)$`,
    ),
    'over',
  ],
  [new RegExp(`\\b(?:${bad}|deletion|deactivation|revocation) (?:${moment}|by(?: id)?)$`), 'over'],
  [new RegExp(`^date (?:${bad})$`), 'over'],
  [new RegExp(`^${flag}(?:${good}|current|live|valid|in use)$`), 'counts'],
  [
    new RegExp(
      `\\b(?:${good}|approval|acceptance|activation|confirmation|join|joining) (?:${moment}|by(?: (?:user )?id)?)$`,
    ),
    'counts',
  ],
  [/^date (?:joined|accepted|approved|confirmed|activated|enrolled)$/, 'counts'],
  [
    /\b(?:invit\w*|requested|requests?|applied|asked|join|activation|confirmation|approval|verification) (?:at|on|date|token|code|key|hash|digest|link)$/,
    'asked',
  ],
]

/** @returns undefined for a column that says nothing about it. */
export function membershipSign(column: string): MembershipSign | undefined {
  const words = wordsOf(column)
  if (/^last (?:active|activated|enabled|verified|confirmed)\b/.test(words)) return undefined
  return signs.find(([names]) => names.test(words))?.[1]
}

/** Of a table of users: the column says that the user left the tenant, or was never admitted. */
export function saysUserLeft(column: string): boolean {
  const words = wordsOf(column)
  if (/^(?:(?:user|account|member|employment|employee) )?status$/.test(words)) return true
  const sign = membershipSign(column)
  if (sign === 'over')
    return !/\b(?:locked|paused|invited|pending|completed|finished)\b/.test(words)
  if (sign === 'ends') return !/\b(?:token|code|password|trial|plan|subscription|otp)\b/.test(words)
  return /^(?:is )?(?:active|enabled|activated|approved)$/.test(words)
}

/** Once it is set, an invitation was accepted: what remains of it says nothing. */
export function settlesInvitation(column: string): boolean {
  return /\b(?:accept\w*|approv\w*|join\w*|activ\w*|admitted|enrolled)\b/.test(wordsOf(column))
}

/** Values of a status that counts. */
export const countingWords: readonly string[] = [
  'active',
  'accepted',
  'approved',
  'confirmed',
  'joined',
]

const counting = new RegExp(`^(?:${good}|join|member|current|live|valid|granted|ok)$`)
const over = new RegExp(
  `\\b(?:${bad}|invited|pending|invite|leave|leaving|ban|kick|knock|none|former|waiting|waitlist(?:ed)?|awaiting|applied|applicant|requested|requesting|unconfirmed|unverified|unapproved|unaccepted|draft|hold|ex)\\b`,
)

/** `ACTIVE`, `accepted`. */
export function isCountingValue(value: string): boolean {
  return counting.test(wordsOf(value))
}

/** `PENDING`, `on_hold`. */
export function isOverValue(value: string): boolean {
  return over.test(wordsOf(value))
}
