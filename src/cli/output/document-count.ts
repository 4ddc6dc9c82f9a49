let made = 0

/** JSON documents made by this process so far: a command prints one, and a fault that comes after it none. */
export const documentsMade = (): number => made

export function countDocument(): void {
  made += 1
}
