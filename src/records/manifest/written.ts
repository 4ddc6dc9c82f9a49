/**
 * A record as it is written: readonly in all its depth but for the entries of objects whose keys are data, which are filled one
 * by one. What is absent is no field, because JSON has no `undefined`.
 */
export type Written<T> = T extends object
  ? string extends keyof T
    ? Record<string, Written<T[keyof T]>>
    : { readonly [Key in keyof T]: Written<Exclude<T[Key], undefined>> }
  : T
