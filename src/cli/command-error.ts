/** A command that cannot go on. The message is written for the person who typed it. */
export { SetupError as CommandError } from '../local/setup-error.ts'
