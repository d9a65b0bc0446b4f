import type { ContactReason, Lead } from '@/lib/contract/lead'
import { groupBy } from '@/lib/group-by'
import { foldText } from '@/lib/leads/comparable-text'
import { comparableEmail, comparablePhone } from './contact-key'

/**
 * Finds the anchors' contact: the leads that share an e-mail or phone with them, directly or through others. Keys can be
 * forged, so the text of the oldest anchor decides.
 */
export function leadsOfContact(
  candidates: readonly Traces[],
  { by, anchors }: { by: By; anchors: readonly number[] },
): Map<number, ContactReason> {
  const places = [...candidates.keys()]
  const sharing = {
    email: groupBy(places, (place) => candidates[place]?.email ?? null),
    phone: groupBy(places, (place) => candidates[place]?.phone ?? null),
  }
  const withText = (trace: By, text: string | null) => (text === null ? [] : (sharing[trace].get(text) ?? []))
  const [oldest] = anchors
    .flatMap((place) => candidates[place] ?? [])
    .filter((one) => one[by] !== null)
    .toSorted((a, b) => a.createdAt - b.createdAt)
  let nearest: readonly number[] = withText(by, oldest?.[by] ?? null)
  const [newestNamed] = nearest
    .flatMap((place) => candidates[place] ?? [])
    .filter((one) => one.name !== null)
    .toSorted((a, b) => b.createdAt - a.createdAt)
  const found = new Map<number, ContactReason['by']>(nearest.map((place) => [place, 'anchor']))
  for (let isFirst = true; nearest.length > 0; isFirst = false) {
    const next = new Map<number, ContactReason['by']>()
    for (const trace of BOTH) {
      const texts = new Set(nearest.map((place) => candidates[place]?.[trace] ?? null))
      for (const other of [...texts].flatMap((text) => withText(trace, text))) {
        if (found.has(other)) continue
        next.set(other, next.get(other) === 'same-email' ? 'same-email-and-phone' : `same-${trace}`)
      }
    }
    for (const [place, reason] of next) found.set(place, isFirst ? reason : 'through-others')
    nearest = [...next.keys()]
  }
  const name = newestNamed?.name ?? null
  const isSameName = (other: string | null | undefined) => (name === null || other == null ? null : other === name)
  return new Map(
    Array.from(found, ([place, reason]) => [place, { by: reason, sameName: isSameName(candidates[place]?.name) }]),
  )
}

const BOTH = ['email', 'phone'] as const
type By = (typeof BOTH)[number]
export type Traces = { email: string | null; phone: string | null; name: string | null; createdAt: number }

/** More leads are not one person's: a phone such as "-" may be that of thousands. */
export const MAX_LEADS_OF_PERSON = 200

export function tracesOf(lead: Lead): Traces {
  const { email, phone } = 'user' in lead ? lead.user : lead.sender
  const name = 'user' in lead ? foldText(`${lead.user.firstName ?? ''} ${lead.user.lastName ?? ''}`).trim() : ''
  return {
    email: comparableEmail(email),
    phone: comparablePhone(phone),
    name: name === '' ? null : name,
    createdAt: Date.parse(lead.createdAt),
  }
}
