// Types of mixed-csv.js for sections in TypeScript; the description is there.
export function writeMixedCsv(path: string, size: { rows: number; columns: number }): Promise<number>
