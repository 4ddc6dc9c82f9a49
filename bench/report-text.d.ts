// Types of report-text.js for sections in TypeScript; the descriptions are there.
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[]
export function prose(text: string): string[]
export function seconds(value: number): string
export function milliseconds(value: number): string
export function megabytes(bytes: number): string
