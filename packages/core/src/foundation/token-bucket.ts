/** A token bucket: holds at most `most` tokens, and gains `perSecond` tokens a second. */
export interface TokenBucket {
  /** Takes a token. @returns false when the bucket is empty. */
  take(): boolean
}

export interface TokenBucketOptions {
  readonly most: number
  readonly perSecond: number
  /** In milliseconds, of any origin. */
  readonly clock: () => number
}

export function createTokenBucket({ most, perSecond, clock }: TokenBucketOptions): TokenBucket {
  let left = most
  let countedAt = clock()
  return {
    take: () => {
      const now = clock()
      left = Math.min(most, left + ((now - countedAt) / 1_000) * perSecond)
      countedAt = now
      if (left < 1) return false
      left -= 1
      return true
    },
  }
}
