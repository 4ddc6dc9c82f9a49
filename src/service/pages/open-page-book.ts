import type { ServiceContext } from '../context.ts'
import type { PageBook } from './page-book.ts'

/**
 * The pages of a service, loaded when the first is asked for: the addresses are known by then, and most runs never show
 * one.
 */
export function pageBookOf({ settings, addresses }: ServiceContext): () => Promise<PageBook> {
  let book: Promise<PageBook> | null = null
  return () => {
    const { version, claims, rateLimits, clientRate, addressRate } = settings
    const foreignIssuer = settings.identityProvider?.issuer ?? null
    book ??= import('./page-book.ts').then(
      ({ PageBook }) =>
        new PageBook({ ...addresses, foreignIssuer, version, claims, rateLimits, clientRate, addressRate }),
    )
    return book
  }
}
