import type { Client, Connection, Submittable } from 'pg'

/** PostgreSQL's description of a statement before it runs. */
export type Described =
  | {
      readonly ok: true
      readonly columns: readonly DescribedColumn[]
      readonly parameterOids: readonly number[]
    }
  | { readonly ok: false; readonly sqlState: string; readonly message: string }

export interface DescribedColumn {
  readonly name: string
  readonly oid: number
  readonly typmod: number
}

interface RowDescription {
  readonly fields: readonly {
    readonly name: string
    readonly dataTypeID: number
    readonly dataTypeModifier: number
  }[]
}

/** Parse and Describe of the extended protocol, without Bind and Execute. */
export function describeStatement(client: Client, text: string): Promise<Described> {
  return new Promise((resolve) => {
    let columns: readonly DescribedColumn[] = []
    let parameterOids: readonly number[] = []
    let forget: (() => void) | undefined
    const query: Submittable & Record<string, unknown> = {
      submit: (connection: Connection) => {
        const onParameters = (message: { readonly dataTypeIDs: readonly number[] }) => {
          parameterOids = message.dataTypeIDs
        }
        connection.once('parameterDescription', onParameters)
        forget = () => connection.removeListener('parameterDescription', onParameters)
        connection.parse({ text, name: '', types: [] }, true)
        connection.describe({ type: 'S', name: '' }, true)
        connection.sync()
      },
      handleRowDescription: ({ fields }: RowDescription) => {
        columns = fields.map(({ name, dataTypeID, dataTypeModifier }) => {
          return { name, oid: dataTypeID, typmod: dataTypeModifier }
        })
      },
      handleError: ({ code, message }: { readonly code: string; readonly message: string }) => {
        forget?.()
        resolve({ ok: false, sqlState: code, message })
      },
      handleReadyForQuery: () => {
        forget?.()
        resolve({ ok: true, columns, parameterOids })
      },
    }
    client.query(query)
  })
}
