import { queryOptions } from '@tanstack/react-query'
import type {
  ContactRights,
  ErasureAnswer,
  ErasureRequest,
  ExtractRequest,
  NewProtection,
  ProtectionChange,
  ProtectionsAnswer,
} from '@/lib/contract/rights'
import { ApiError, nothing, reached, request, send } from './send'
import { shape } from './shape'

const PROTECTIONS = '/api/protections'

/** Whose identity is protected, for administrators, as is all of this. */
export const protections = queryOptions({
  queryKey: ['protections'],
  queryFn: ({ signal }) =>
    request(PROTECTIONS, { read: shape<ProtectionsAnswer>({ protections: 'array', people: 'array' }), signal }),
  refetchOnWindowFocus: true,
})

export function protectPerson(body: NewProtection): Promise<{ id: string }> {
  return request(PROTECTIONS, { method: 'POST', body, read: shape<{ id: string }>({ id: 'string' }) })
}

export function changeProtection(id: string, body: ProtectionChange): Promise<void> {
  return request(`${PROTECTIONS}/${encodeURIComponent(id)}`, { method: 'PATCH', body, read: nothing })
}

export function liftProtection(id: string): Promise<void> {
  return request(`${PROTECTIONS}/${encodeURIComponent(id)}`, { method: 'DELETE', read: nothing })
}

const ofContact = (contact: string, what: string) => `/api/contacts/${encodeURIComponent(contact)}/${what}`

/** What is kept of a person's leads, and whether their identity is protected. */
export function contactRights(contact: string) {
  return queryOptions({
    queryKey: ['contact-rights', contact],
    queryFn: ({ signal }) =>
      request(ofContact(contact, 'rights'), {
        read: shape<ContactRights>({
          leads: 'array',
          emails: 'array',
          phones: 'array',
          people: 'array',
          naming: 'array',
          namingMore: 'array',
        }),
        signal,
      }),
  })
}

/** The extract as a file. Every failure is an `ApiError`. */
export async function fetchExtract(contact: string, body: ExtractRequest): Promise<{ name: string; blob: Blob }> {
  const { signal } = new AbortController()
  const response = await send(ofContact(contact, 'extract'), { method: 'POST', body, signal, accept: '*/*' })
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  if (name === undefined) throw new ApiError('unreadable', response.status)
  return { name, blob: await reached(signal, () => response.blob()) }
}

export function eraseData(contact: string, body: ErasureRequest): Promise<ErasureAnswer> {
  return request(ofContact(contact, 'erasure'), {
    method: 'POST',
    body,
    read: shape<ErasureAnswer>({ leads: 'number' }),
  })
}
