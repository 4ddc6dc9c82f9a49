/** What a study declares about a dataset's file. Keys of records are column names of the file; `"*"` of `missing` means every column. */
export interface Declarations {
  readonly weight?: string
  readonly drop?: readonly string[]
  readonly missing?: Readonly<Record<string, readonly (string | number)[]>>
  readonly types?: Readonly<Record<string, 'categorical' | 'ordinal' | 'numeric' | 'datetime' | 'boolean' | 'text'>>
  readonly levels?: Readonly<Record<string, readonly string[]>>
  readonly bands?: Readonly<Record<string, { readonly of: string; readonly at: readonly number[] }>>
  readonly headerRows?: number
  readonly encoding?: string
  readonly dates?: Readonly<Record<string, string>>
}
