/** @module Messages that a client sends after its startup packet. Bodies are checked for form, not for meaning. */

/** 0 is text, 1 is binary. */
export type Format = 0 | 1

export type FrontendMessage =
  | { readonly type: 'query'; readonly sql: string }
  | {
      readonly type: 'parse'
      readonly name: string
      readonly sql: string
      readonly parameterOids: readonly number[]
    }
  | {
      readonly type: 'bind'
      readonly portal: string
      readonly statement: string
      /** No format, one for all, or one for each. */
      readonly parameterFormats: readonly Format[]
      /** Copies of the bytes: they stay valid after the packet. */
      readonly parameters: readonly (Uint8Array | null)[]
      readonly resultFormats: readonly Format[]
    }
  | { readonly type: 'describe'; readonly of: 'statement' | 'portal'; readonly name: string }
  /** `maxRows` 0 is no limit. */
  | { readonly type: 'execute'; readonly portal: string; readonly maxRows: number }
  | { readonly type: 'close'; readonly of: 'statement' | 'portal'; readonly name: string }
  | { readonly type: 'flush' }
  | { readonly type: 'sync' }
  | { readonly type: 'copyData'; readonly data: Uint8Array }
  | { readonly type: 'copyDone' }
  | { readonly type: 'copyFail'; readonly message: string }
  | { readonly type: 'terminate' }
  /** Fastpath function call: refused, but what follows is still understood. */
  | { readonly type: 'functionCall' }
  /** Larger than `limits.maxRequestBodySize`: its bytes were skipped. */
  | {
      readonly type: 'tooLarge'
      readonly of: MessageGroup
      readonly size: number
      readonly limit: number
    }
  /** The body does not fit the type of the message. */
  | {
      readonly type: 'malformed'
      readonly of: MessageGroup
      /** 08P01; 22021 for invalid UTF-8; 22023 for a format code that does not exist. */
      readonly sqlState: string
      readonly reason: string
    }

/**
 * What follows an error in such a message: `extended` skips everything up to the next Sync; `simple` is answered with
 * ReadyForQuery; `copy` matters during COPY FROM STDIN alone.
 */
export type MessageGroup = 'simple' | 'extended' | 'copy'
