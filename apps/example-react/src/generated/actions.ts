// Made by engine-codegen from GET /schema: changes are lost when it runs again.

/** A row of "notes" in the connection "main". */
export interface MainNotes {
  id: number
  owner: string
  text: string
  done: boolean
}

/** A new row of "notes" in the connection "main". */
export interface MainNotesInsert {
  id?: number
  owner?: string
  text: string
  done?: boolean
}

/** Rows that are read and rows that are made, by table. */
export interface Tables {
  'main.notes': { row: MainNotes; insert: MainNotesInsert }
}

/** What the action "tidyUp" takes and gives. */
export interface TidyUpAction {
  input: {
    keep: number[]
  }
  output: {
    deleted: number
  }
}

/** Every action, by name. */
export interface Actions {
  /** Deletes what is done. */
  tidyUp: TidyUpAction
}
