import { MAX_SEED_FILE_BYTES } from '../contract/limits.ts'
import type { CallScope } from './call-scope.ts'
import { callForJson } from './call-service.ts'
import { multipartUpload } from './multipart-upload.ts'
import { isBrokenConnection } from './network-fault.ts'
import { DatasetReceipt } from './replies.ts'
import type { DatasetUpload, Reply } from './service-client.ts'
import { ServiceError } from './service-error.ts'
import type { Transport } from './transport.ts'
import { PARTS_FROM_BYTES, type UploadTarget, uploadInParts } from './upload-in-parts.ts'

/** Above this size, a connection that breaks during sending suggests a size limit on the way. */
const NOTABLE_BYTES = 1024 * 1024

const PATH = '/v1/datasets'

/** createDataset with the file streamed: bounded memory, exact content-length, the same bytes on every try. */
export async function uploadDataset(
  transport: Transport,
  scope: CallScope,
  to: UploadTarget,
  upload: DatasetUpload,
): Promise<Reply<DatasetReceipt>> {
  const asked = `POST ${PATH}`
  // Checked first: a service that refuses during the upload often cannot deliver its 413.
  if (upload.sizeBytes > MAX_SEED_FILE_BYTES) throw tooLarge(asked, upload.sizeBytes)
  const fields = {
    display_name: upload.displayName,
    weight_column: upload.weightColumn ?? '',
    design: upload.design ?? '',
  }
  for (const [name, value] of Object.entries(fields)) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what the contract refuses
    if (!/[\u0000-\u001f\u007f-\u009f]/.test(value)) continue
    throw new ServiceError({
      kind: 'rejected',
      message: `${asked} was not sent: ${name} has control characters`,
      hint: 'Remove them',
    })
  }
  if (upload.sizeBytes > PARTS_FROM_BYTES && (await to.takesParts())) {
    const made = await uploadInParts(transport, scope, to, upload)
    if (made !== null) return made
  }
  let progress = () => {}
  const multipart = multipartUpload({
    ...upload,
    onProgress: (sentBytes) => {
      progress()
      upload.onProgress?.(sentBytes)
    },
  })
  try {
    return await callForJson(transport, scope, {
      asked,
      repetition: 'keyed',
      target: to.target,
      bearer: to.bearer,
      secrets: to.secrets ?? [],
      schema: DatasetReceipt,
      request: (context) => {
        progress = context.progress
        return {
          method: 'POST',
          url: to.addressOf(PATH),
          headers: {
            'content-type': multipart.contentType,
            'content-length': String(multipart.contentLength),
            'idempotency-key': upload.idempotencyKey,
          },
          body: multipart.stream(),
          headersMs: transport.timeouts.uploadHeadersMs,
        }
      },
    })
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'network' && isBrokenConnection(error.cause)) {
      throw brokenUpload(error, upload.sizeBytes)
    }
    throw error
  }
}

function tooLarge(asked: string, sizeBytes: number): ServiceError {
  return new ServiceError({
    kind: 'too_large',
    message: `${asked} was not sent: the seed file has ${sizeBytes} bytes, the service takes at most ${MAX_SEED_FILE_BYTES} (500 MB)`,
    hint: 'Drop columns that are not needed, take a sample of the rows, or write Parquet',
  })
}

function brokenUpload(error: ServiceError, sizeBytes: number): ServiceError {
  if (sizeBytes < NOTABLE_BYTES) return error
  const text = (place: string) =>
    `The upload of ${sizeBytes} bytes${place} failed on each of ${error.attempts} tries: the connection was closed while the file was being sent`
  return new ServiceError({
    kind: 'network',
    message: text(''),
    located: text(error.trouble === null ? '' : ` to ${error.trouble.origin}`),
    attempts: error.attempts,
    cause: error,
    trouble: error.trouble,
    hint: 'Check the network; if smaller files pass, the service or a proxy before it has a lower limit on size',
  })
}
