// The Python that the shared scoring tools run under.
import { runProgram } from './child-process.js'

export const PYTHON = '/usr/bin/python3'

/**
 * What is not there of Python and these modules, in words; null where all are.
 *
 * @param {readonly string[]} modules At least two.
 */
export async function missingPython(modules) {
  try {
    await runProgram(PYTHON, ['-c', `import ${modules.join(', ')}`])
    return null
  } catch {
    return `${PYTHON} is not there, or lacks ${modules.slice(0, -1).join(', ')} or ${modules.at(-1)}`
  }
}
