/** An example request and its successful replies. */
export interface OperationExamples {
  /** The body, in every media type of the request. */
  readonly request?: unknown
  /** The JSON body with status 200. */
  readonly reply?: unknown
  /** JSON bodies for other statuses. */
  readonly responses?: Readonly<Record<number, unknown>>
}
