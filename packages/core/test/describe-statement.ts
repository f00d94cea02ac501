import type { Client, Connection, Submittable } from 'pg'

/** What PostgreSQL says of a statement before it runs. */
export type Described =
  | {
      readonly ok: true
      readonly columns: readonly { readonly oid: number; readonly typmod: number }[]
      readonly parameterOids: readonly number[]
    }
  | { readonly ok: false; readonly sqlState: string; readonly message: string }

interface RowDescription {
  readonly fields: readonly { readonly dataTypeID: number; readonly dataTypeModifier: number }[]
}

/** Parse and Describe of the extended protocol, without Bind and Execute. */
export function describeStatement(client: Client, text: string): Promise<Described> {
  return new Promise((resolve) => {
    let columns: { readonly oid: number; readonly typmod: number }[] = []
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
        columns = fields.map(({ dataTypeID, dataTypeModifier }) => {
          return { oid: dataTypeID, typmod: dataTypeModifier }
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
