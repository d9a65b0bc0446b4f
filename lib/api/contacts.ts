import { queryOptions } from '@tanstack/react-query'
import type { Contact } from '@/lib/contract/contact'
import { request } from './send'
import { shape, SNAPSHOT } from './shape'

const CONTACT_STALE_MS = 10_000
/** What became of the other leads; a hidden tab asks for nothing. */
const CONTACT_EVERY_MS = 20_000

/** Every lead of a person within reach. */
export function contact(id: string) {
  return queryOptions({
    queryKey: ['contacts', id],
    queryFn: ({ signal }) =>
      request(`/api/contacts/${encodeURIComponent(id)}`, {
        read: shape<Contact>({ leads: 'array', total: 'number', snapshot: SNAPSHOT }),
        signal,
      }),
    staleTime: CONTACT_STALE_MS,
    refetchInterval: CONTACT_EVERY_MS,
    refetchIntervalInBackground: false,
    refetchOnWindowFocus: true,
  })
}
