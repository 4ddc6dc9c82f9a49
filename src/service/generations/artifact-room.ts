import { sizeText } from '../../base/text/amount-text.ts'
import { capital } from '../../base/text/capital.ts'
import type { WriteAllowance } from '../../formats/writing/table-writer.ts'
import { freeSpace } from '../disk/disk-space.ts'
import { JobFailedError } from '../jobs/processes/job-failed-error.ts'
import { type LeftToStore, leftText } from '../records/tenant-limits.ts'

/** Size limits of an artifact, in bytes; null: no limit. */
export interface ArtifactLimits {
  /** Limit of one artifact. */
  readonly artifactBytes: number | null
  /** Limit of the tenant's storage, and what remains of it. */
  readonly stored: LeftToStore | null
}

/** An estimate may exceed the limit by this factor before it refuses the artifact. */
const ESTIMATE_TOLERANCE = 1.1

/**
 * Space for one artifact: within its tenant's limits, and without using the disk space that must stay free.
 *
 * @throws {JobFailedError} from every member but `leftBytes`: `svc_quota_exceeded` for the limits, `svc_unavailable`
 * for the disk, whose free space is not shown to tenants.
 */
export class ArtifactRoom implements WriteAllowance {
  readonly #folder: string
  readonly #reserveBytes: number
  readonly #limits: ArtifactLimits
  #takenBytes: number

  /** `earlierBytes`: of other files that belong to the artifact and exist already. */
  constructor(folder: string, reserveBytes: number, limits: ArtifactLimits, earlierBytes = 0) {
    this.#folder = folder
    this.#reserveBytes = reserveBytes
    this.#limits = limits
    this.#takenBytes = earlierBytes
  }

  /** Bytes written so far. */
  get takenBytes(): number {
    return this.#takenBytes
  }

  take(bytes: number): void {
    this.#takenBytes += bytes
    this.#require(this.#takenBytes, bytes, `takes more than ${sizeText(this.#takenBytes - bytes)}`)
  }

  /** Checks whether there is space for anything at all. */
  begin(): void {
    // What exists already may be too much.
    this.take(0)
    if (this.leftBytes() > 0) return
    const { stored } = this.#limits
    if (stored !== null && stored.leftBytes <= 0) throw refusedByLimit(`${capital(leftText(stored))}.`)
    throw new JobFailedError(
      'svc_unavailable',
      'The service has no room for an artifact at the moment. Ask again later.',
    )
  }

  /** Checks, before writing, whether an artifact of about `bytes` in all fits. */
  expect(bytes: number): void {
    const least = bytes / ESTIMATE_TOLERANCE
    this.#require(least, least - this.#takenBytes, `would take about ${sizeText(bytes)}`)
  }

  /** Checks, before writing, whether the disk has space for `bytes` of a file that is removed when the artifact exists. */
  besides(bytes: number): void {
    if (freeSpace(this.#folder) - bytes < this.#reserveBytes) throw noRoom(`needs ${sizeText(bytes)} meanwhile`)
  }

  leftBytes(): number {
    const { artifactBytes, stored } = this.#limits
    const ofLimits = Math.min(artifactBytes ?? Infinity, stored?.leftBytes ?? Infinity) - this.#takenBytes
    return Math.max(0, Math.min(ofLimits, freeSpace(this.#folder) - this.#reserveBytes))
  }

  /** Reports that the disk was full after all. */
  diskFull(): JobFailedError {
    return noRoom(`takes more than ${sizeText(this.#takenBytes)}`)
  }

  #require(wholeBytes: number, moreBytes: number, finding: string): void {
    const { artifactBytes, stored } = this.#limits
    if (artifactBytes !== null && wholeBytes > artifactBytes) {
      throw refusedByLimit(`The artifact ${finding}; one artifact may have ${sizeText(artifactBytes)}.`)
    }
    if (stored !== null && wholeBytes > stored.leftBytes) {
      throw refusedByLimit(`The artifact ${finding}; ${leftText(stored)}.`)
    }
    if (freeSpace(this.#folder) - moreBytes < this.#reserveBytes) throw noRoom(finding)
  }
}

function refusedByLimit(finding: string): JobFailedError {
  const advice = 'Ask for fewer rows, or for Parquet, which is the smallest format.'
  return new JobFailedError('svc_quota_exceeded', `${finding} ${advice}`)
}

function noRoom(finding: string): JobFailedError {
  const what = `The artifact ${finding}, more than the service has room for at the moment.`
  return new JobFailedError('svc_unavailable', `${what} Ask for fewer rows, for Parquet, or again later.`)
}
