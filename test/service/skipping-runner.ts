import { TestRunner } from 'vitest'

/** A pattern that no text matches. */
const NOTHING = /(?!)/

/** Skips every test of its project, hooks included, and still names and counts them: a pattern of tests for one project. */
export default class SkippingRunner extends TestRunner {
  constructor(config: ConstructorParameters<typeof TestRunner>[0]) {
    super({ ...config, testNamePattern: NOTHING })
  }
}
