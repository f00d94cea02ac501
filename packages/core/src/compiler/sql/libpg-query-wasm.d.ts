/** The part of the WebAssembly module inside `libpg-query` that this package uses; the module's own types do not describe it. */
declare module 'libpg-query/wasm/libpg-query.js' {
  export interface PgQueryModule {
    /** Address of a new piece of memory; 0 when there is none left. */
    _malloc(bytes: number): number
    _free(address: number): void
    /** Address of a result: addresses of the tree (JSON text), of what went to stderr and of the error. */
    _wasm_parse_query_raw(text: number): number
    _wasm_free_parse_result(result: number): void
    lengthBytesUTF8(text: string): number
    stringToUTF8(text: string, address: number, maxBytes: number): void
    UTF8ToString(address: number): string
    getValue(address: number, type: 'i32'): number
  }
  export default function createModule(): Promise<PgQueryModule>
}
