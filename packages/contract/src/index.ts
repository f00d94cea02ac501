/** @module The shapes that cross the wire between Engine and its clients. No dependencies. */
export type {
  CurrentSessionResponse,
  InvitationResponse,
  Session,
  SessionDescription,
  SessionResponse,
  SessionsResponse,
  SuccessResponse,
  TokenUser,
  User,
} from './auth.ts'
export {
  type BatchRequest,
  type BatchResponse,
  type DataRequest,
  type DataResponse,
  type Method,
  methods,
  type ResultColumn,
} from './data.ts'
export { type ErrorAnswer, type ErrorBody, type ErrorCode, errorStatuses } from './error.ts'
export {
  type FilterOperandForm,
  type FilterOperatorDescription,
  type FilterOperatorName,
  type FilterTypeClass,
  filterOperatorNames,
  filterOperatorTable,
  filterTypes,
  typesWithoutEquality,
} from './filter-operators.ts'
export {
  type ActionDescription,
  type ColumnDescription,
  type ConnectionDescription,
  type DatabaseKind,
  type JsonSchema,
  type RelationshipDescription,
  type SchemaDocument,
  schemaIncompleteHeader,
  type TableDescription,
} from './schema.ts'
export { type ScalarWireKind, wireKinds } from './wire-kinds.ts'
