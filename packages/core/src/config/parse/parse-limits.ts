import { z } from 'zod'
import type { Faults } from '../../foundation/faults.ts'
import { type DescribedOption, describeOptions } from '../describe/describe-options.ts'
import { type OptionDefault, optionDefaults } from '../describe/option-defaults.ts'
import type { Limits } from '../settings/settings.ts'
import { checked } from './config-issues.ts'
import { urlOf } from './config-values.ts'
import { parseSize } from './units.ts'

const size = z.string().refine((text) => (parseSize(text) ?? 0) > 0, {
  error: 'expects a size such as "1mb" or "512kb"',
})

const count = z.int().positive()

const limitsInput = z
  .strictObject({
    maxRows: count.default(10_000),
    maxRelationDepth: count.default(5),
    maxFilterNesting: count.default(10),
    maxFilterConditions: count.default(100),
    maxRequestBodySize: size.default('1mb'),
    queryTimeout: count.max(2_147_483_647).default(30_000),
    rateLimitPerUser: count.max(1_000_000_000).optional(),
    rateLimitPerIP: count.max(1_000_000_000).optional(),
    rateLimitStore: urlOf(/^rediss?$/).optional(),
    maxConcurrentPerCaller: count.default(20),
    maxConcurrentPerConnection: count.optional(),
    maxQueued: z.int().nonnegative().default(500),
  })
  .prefault({})

/** All limits. */
export function limitOptions(): readonly DescribedOption[] {
  return describeOptions(limitsInput, 'limits')
}

/** All limits with their defaults, as a configuration file has them. */
export function limitDefaults(): readonly OptionDefault[] {
  return optionDefaults(limitsInput, 'limits')
}

/** The options of `limits`, with defaults for missing ones. */
export function parseLimits(input: unknown, faults: Faults): Limits | undefined {
  const parsed = checked(limitsInput, input, 'limits', faults)
  if (parsed === undefined) return undefined
  return {
    maxRows: parsed.maxRows,
    maxRelationDepth: parsed.maxRelationDepth,
    maxFilterNesting: parsed.maxFilterNesting,
    maxFilterConditions: parsed.maxFilterConditions,
    maxRequestBodyBytes: parseSize(parsed.maxRequestBodySize) ?? 0,
    queryTimeoutMs: parsed.queryTimeout,
    rateLimitPerUser: parsed.rateLimitPerUser,
    rateLimitPerIp: parsed.rateLimitPerIP,
    rateLimitStore: parsed.rateLimitStore,
    maxConcurrentPerCaller: parsed.maxConcurrentPerCaller,
    maxConcurrentPerConnection: parsed.maxConcurrentPerConnection,
    maxQueued: parsed.maxQueued,
  }
}
