import type { Declarations } from '../../study/declarations.ts'
import type { DeclaredFile } from './carry-out.ts'
import type { LeftOutRows } from './leave-out-rows.ts'

/**
 * Makes the file that is sent of a seed file and what a study declares about it: the same bytes for the same file and
 * declarations. `faults` says where the data contradict the declarations; `file` is null then. The readers of files are
 * loaded when this is first called.
 */
export async function declaredSeed(
  path: string,
  declarations: Declarations,
  options: { readonly signal?: AbortSignal; readonly leftOut?: LeftOutRows | undefined },
): Promise<
  | { readonly file: DeclaredFile; readonly faults: readonly [] }
  | { readonly file: null; readonly faults: readonly string[] }
> {
  const { carryOut } = await import('./carry-out.ts')
  const { DeclarationError } = await import('./declaration-error.ts')
  try {
    return { file: await carryOut(path, declarations, options), faults: [] }
  } catch (error) {
    if (!(error instanceof DeclarationError)) throw error
    return { file: null, faults: error.texts }
  }
}
