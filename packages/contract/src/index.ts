/** @module The shapes that cross the wire between Engine and its clients. No dependencies. */
export {
  type BatchRequest,
  type BatchResponse,
  type DataRequest,
  type DataResponse,
  type Method,
  methods,
  type ResultColumn,
} from './data.ts'
export type { ErrorBody, ErrorCode } from './error.ts'
