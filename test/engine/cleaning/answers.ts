/** Evenly spread numbers in [0, 1), the same for the same seed (a linear congruential generator, Numerical Recipes' constants). */
export function uniforms(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
