import type { CarryOut } from '../runner/interface/run-options.ts'

/**
 * Carries out the declarations of a study on a seed file, for `RunEnvironment.carryOut`. Its readers of files are loaded
 * when it is first called.
 */
export const carryOutDeclarations: CarryOut = async (path, declarations, options) => {
  const { carryOut } = await import('../data/declare/carry-out.ts')
  const { DeclarationError } = await import('../data/declare/declaration-error.ts')
  try {
    return { file: await carryOut(path, declarations, options), faults: [] }
  } catch (error) {
    if (!(error instanceof DeclarationError)) throw error
    return { file: null, faults: error.texts }
  }
}
