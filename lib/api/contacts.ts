import { queryOptions } from '@tanstack/react-query'
import type { Contact } from '@/lib/contract/contact'
import { ApiError } from './api-error'
import { isRecord, isSnapshot } from './lead-page'
import { request } from './request'

const STALE_MS = 10_000
/** What became of the other leads; a hidden tab asks for nothing. */
const EVERY_MS = 20_000

const contactKey = (id: string) => ['contacts', id] as const

/** Every lead of a person within reach. */
export function contact(id: string) {
  return queryOptions({
    queryKey: contactKey(id),
    queryFn: ({ signal }) => request(`/api/contacts/${encodeURIComponent(id)}`, { read: readContact, signal }),
    staleTime: STALE_MS,
    refetchInterval: EVERY_MS,
    refetchIntervalInBackground: false,
    refetchOnWindowFocus: true,
  })
}

function readContact(body: unknown): Contact {
  if (!isContact(body)) throw new ApiError('unreadable', 200)
  return body
}

/** The outer shape only: both ends are one build. */
function isContact(body: unknown): body is Contact {
  return (
    isRecord(body) && Array.isArray(body['leads']) && typeof body['total'] === 'number' && isSnapshot(body['snapshot'])
  )
}
