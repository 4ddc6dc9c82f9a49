import { z } from 'zod'
import { ErrorDescription, ErrorIndex } from './errors.ts'
import { type Content, HTML, json, type Operation, type Parameter, pathId, type Response } from './operation.ts'
import { ETAG } from './response-headers.ts'

export const IF_NONE_MATCH: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The `ETag` of a copy.',
  schema: z.string(),
}

const TEXT: Content = { 'text/plain': z.string() }

const BY_ACCEPT = 'A page where `Accept` prefers `text/html`, else JSON.'

/** The replies of a documentation route: the document, or 304. */
function document(description: string, content: Content): Readonly<Record<number, Response>> {
  return {
    200: { description, content, headers: [ETAG] },
    304: { description: 'The copy is current.', headers: [ETAG] },
  }
}

/** A page, a text or a file of pages. */
const page = (operationId: string, path: string, summary: string, responses: Operation['responses']) =>
  ({ operationId, method: 'GET', path, summary, isPage: true, responses }) as const

const DOCUMENTS: readonly Omit<Operation, 'tag' | 'security'>[] = [
  page('getGuidePage', '/docs', 'The guide, a page for people', document('The page.', HTML)),
  {
    operationId: 'getDashboardPage',
    method: 'GET',
    path: '/dashboard',
    summary: 'The dashboard of the operator, a page for people',
    description:
      'Available only if the operator routes are on. It asks for the operator token and contains no data itself.',
    isPage: true,
    responses: document('The page.', HTML),
  },
  page(
    'getReferencePage',
    '/__docs__/',
    'The reference, a page on which operations can be tried',
    document('The page.', HTML),
  ),
  {
    operationId: 'getExplorePage',
    method: 'GET',
    path: '/explore',
    summary: 'A page of levers and answers, for people',
    description:
      'It asks for the access token of a client and contains no data itself. The answers are those of the estimates operation.',
    isPage: true,
    responses: document('The page.', HTML),
  },
  {
    operationId: 'getPageAsset',
    method: 'GET',
    path: '/__docs__/{file}',
    summary: 'A style sheet, script, image or licence that the pages refer to',
    isPage: true,
    parameters: [pathId('file', 'A file name.')],
    responses: document('The file.', {
      'text/css': z.string(),
      'text/javascript': z.string(),
      'image/svg+xml': z.string(),
      ...TEXT,
    }),
  },
  page(
    'getFavicon',
    '/favicon.ico',
    'The icon, at the address where browsers look for it on replies that are not pages',
    document('The icon.', { 'image/svg+xml': z.string() }),
  ),
  {
    operationId: 'getOpenApi',
    method: 'GET',
    path: '/openapi.json',
    summary: 'This document',
    description: 'The contract of the service in OpenAPI 3.1, with the addresses of this service.',
    responses: document('OpenAPI 3.1.0.', json(z.looseObject({ openapi: z.string() }))),
  },
  {
    operationId: 'listErrors',
    method: 'GET',
    path: '/errors',
    summary: 'The error catalogue',
    description: BY_ACCEPT,
    responses: document('Every code.', { ...json(ErrorIndex), ...HTML }),
  },
  {
    operationId: 'getError',
    method: 'GET',
    path: '/errors/{code}',
    summary: 'Cause, fix, retryability and support guidance of one error code',
    description: `${BY_ACCEPT} The \`type\` of a problem record is the address of its code here.`,
    parameters: [pathId('code', 'As in a problem record.')],
    responses: document('The code.', { ...json(ErrorDescription), ...HTML }),
  },
  page(
    'getShortGuide',
    '/llms.txt',
    'A description of this service with links to its documents, for programs that read text',
    document('The text, in Markdown.', TEXT),
  ),
  page(
    'getFullGuide',
    '/llms-full.txt',
    'The guide, every operation, field, error and limit in one text',
    document('The text, in Markdown.', TEXT),
  ),
]

/** The documentation routes, made from the same contract. A client can check a copy by its `ETag`. */
export const DOCUMENTATION_OPERATIONS: readonly Operation[] = DOCUMENTS.map((operation) => ({
  ...operation,
  tag: 'documentation',
  security: 'none',
  parameters: [...(operation.parameters ?? []), IF_NONE_MATCH],
}))
