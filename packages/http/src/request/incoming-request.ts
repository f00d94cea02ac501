/** What is used of a request. A Fetch `Request` is one; `node-request.ts` makes one of a request of `node:http`. */
export interface IncomingRequest {
  readonly method: string
  readonly headers: IncomingHeaders
  /** Chunks of the body; null without one. */
  readonly body: AsyncIterable<Uint8Array> | null
  /** The whole body where it has arrived already. Can be called once. */
  wholeBody?(): Uint8Array | undefined
  /** The whole body; `ArrayBuffer` as Fetch declares it. Can be called once. */
  arrayBuffer(): Promise<ArrayBuffer | Uint8Array>
}

/** Headers as Fetch has them: names are not case-sensitive. */
export interface IncomingHeaders {
  /** The value; several values of a name are joined by `, `. null: there is none. */
  get(name: string): string | null
  keys(): Iterable<string>
}
