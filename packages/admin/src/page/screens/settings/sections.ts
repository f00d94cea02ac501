/** @module The options of each section, as people read them. */

/** How an option is written: `list` one item in a line, `headers` one `Name: value` in a line. */
export type Kind = 'count' | 'text' | 'secret' | 'switch' | 'list' | 'proxies' | 'headers' | 'long'

export interface OptionText {
  readonly path: string
  readonly kind: Kind
  readonly label: string
  readonly hint: string
  /** Shown behind the input. */
  readonly unit?: string
}

export interface Section {
  readonly id: string
  readonly label: string
  readonly lead: string
  readonly options: readonly OptionText[]
}

const limits: readonly OptionText[] = [
  option('limits.maxRows', 'count', 'Max rows', 'More rows are cut off.', 'rows'),
  option(
    'limits.queryTimeout',
    'count',
    'Statement timeout',
    'A longer one is stopped in the database, and answered 408.',
    'ms',
  ),
  option(
    'limits.maxRequestBodySize',
    'text',
    'Max request size',
    'Such as 512kb or 1mb; a larger one is 413.',
  ),
  option(
    'limits.rateLimitPerUser',
    'count',
    'Rate limit per caller',
    'More are answered 429. Empty: no limit.',
    'a minute',
  ),
  option(
    'limits.rateLimitPerIP',
    'count',
    'Rate limit per IP address',
    'Of IPv6 per /64. Empty: no limit.',
    'a minute',
  ),
  option(
    'limits.rateLimitStore',
    'text',
    'Rate limit store',
    'In the service database where nodes share it, else in memory.',
  ),
  option(
    'limits.maxConcurrentPerCaller',
    'count',
    'Max concurrent statements per caller',
    'Others wait for their turn.',
  ),
  option(
    'limits.maxConcurrentPerConnection',
    'count',
    'Max concurrent statements per connection',
    'Empty: four times its pool.',
  ),
  option('limits.maxQueued', 'count', 'Max queued requests', 'More are answered 503.'),
  option(
    'limits.maxRelationDepth',
    'count',
    'Max depth of tables',
    'Joined, or nested in subqueries: a parent and its children are 2.',
  ),
  option(
    'limits.maxFilterNesting',
    'count',
    'Max depth of conditions',
    'AND, OR and NOT inside of each other.',
  ),
  option('limits.maxFilterConditions', 'count', 'Max conditions', 'A list of values counts once.'),
]

const security: readonly OptionText[] = [
  option(
    'security.adminIpAllowlist',
    'list',
    'Allowed addresses of /admin',
    'Ranges such as 10.0.0.0/8, one in a line. Your own address must stay among them.',
  ),
  option(
    'security.trustProxy',
    'proxies',
    'Trusted proxies',
    'Ranges whose X-Forwarded-For is believed, one in a line; or how many proxies there are.',
  ),
  option(
    'security.cors.origin',
    'list',
    'Allowed origins',
    'Such as https://app.example.com, one in a line; * stands alone. Empty: no CORS headers.',
  ),
  option(
    'security.cors.credentials',
    'switch',
    'Cookies across origins',
    'Not together with the origin *.',
  ),
  option(
    'security.cors.maxAge',
    'count',
    'Max age of a preflight',
    'How long a browser keeps the answer.',
    's',
  ),
  option(
    'security.headers',
    'headers',
    'More headers',
    'Sent with every answer: Strict-Transport-Security: max-age=31536000.',
  ),
  option(
    'security.csp',
    'long',
    'Content-Security-Policy of /admin',
    'The built-in one allows these pages and nothing else.',
  ),
]

const audit: readonly OptionText[] = [
  option('audit.enabled', 'switch', 'Record', 'Who did what, in the service database.'),
  option(
    'audit.retention',
    'text',
    'Retention',
    'Such as 12h, 90d or 1y; older entries are deleted.',
  ),
  option('audit.logQuery', 'switch', 'Statements', 'With their SQL.'),
  option('audit.logParams', 'switch', 'Values of parameters', 'They may be personal data.'),
  option('audit.logDuration', 'switch', 'Durations', 'In milliseconds.'),
  option('audit.logUser', 'switch', 'Callers', 'Who sent a statement.'),
  option('audit.logDenied', 'switch', 'Refusals', 'Statements that were refused, and why.'),
  option(
    'audit.logAdminActions',
    'switch',
    'Changes by administrators',
    'Made here, or by scripts.',
  ),
  option(
    'audit.piiRedaction',
    'switch',
    'Hide personal data',
    'E-mail addresses and phone numbers are replaced before they are written.',
  ),
  option('audit.logSink', 'switch', 'Also into the log', 'Each entry as a line of JSON.'),
]

const schemaEndpoint: readonly OptionText[] = [
  option(
    'schemaEndpoint.enabled',
    'switch',
    'GET /schema',
    'Describes tables and actions, for code generation.',
  ),
  option(
    'schemaEndpoint.token',
    'secret',
    'Token',
    'Needed to read it. Empty: everyone may. *** keeps the stored one.',
  ),
]

export const sections: readonly Section[] = [
  {
    id: 'limits',
    label: 'Limits',
    lead: 'What one request, and one caller, may ask for.',
    options: limits,
  },
  {
    id: 'security',
    label: 'Security',
    lead: 'From where requests come, and what browsers may do with answers.',
    options: security,
  },
  { id: 'audit', label: 'Audit', lead: 'What is written down, and for how long.', options: audit },
  {
    id: 'schema',
    label: 'Schema endpoint',
    lead: 'Whether clients may read the schema.',
    options: schemaEndpoint,
  },
]

export const optionTexts: ReadonlyMap<string, OptionText> = new Map(
  sections.flatMap(({ options }) => options).map((each) => [each.path, each]),
)

function option(path: string, kind: Kind, label: string, hint: string, unit?: string): OptionText {
  return { path, kind, label, hint, ...(unit === undefined ? {} : { unit }) }
}
