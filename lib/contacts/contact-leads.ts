import type { ContactReason, Lead } from '@/lib/contract/lead'
import { groupBy } from '@/lib/group-by'
import { foldText } from '@/lib/leads/comparable-text'
import { comparableEmail, comparablePhone } from './contact-key'

/** With those that share an e-mail or phone. Keys can be forged, so the text of the oldest anchor decides. */
export function leadsOfContact(
  candidates: readonly Traces[],
  { by, anchors }: { by: By; anchors: readonly number[] },
): Map<number, ContactReason> {
  const places = [...candidates.keys()]
  const sharing = {
    email: groupBy(places, (at) => candidates[at]?.email ?? null),
    phone: groupBy(places, (at) => candidates[at]?.phone ?? null),
  }
  const withText = (trace: By, text: string | null) => (text === null ? [] : (sharing[trace].get(text) ?? []))
  const oldest = anchors
    .flatMap((at) => candidates[at] ?? [])
    .filter((one) => one[by] !== null)
    .reduce<Traces | null>((first, one) => (first && first.createdAt <= one.createdAt ? first : one), null)
  let nearest: readonly number[] = withText(by, oldest?.[by] ?? null)
  const newestNamed = nearest
    .flatMap((at) => candidates[at] ?? [])
    .filter((one) => one.name !== null)
    .reduce<Traces | null>((newest, one) => (newest && newest.createdAt >= one.createdAt ? newest : one), null)
  const found = new Map<number, ContactReason['by']>(nearest.map((at) => [at, 'anchor']))
  for (let isFirst = true; nearest.length > 0; isFirst = false) {
    const next = new Map<number, ContactReason['by']>()
    for (const trace of BOTH) {
      const texts = new Set(nearest.map((at) => candidates[at]?.[trace] ?? null))
      for (const other of [...texts].flatMap((text) => withText(trace, text))) {
        if (found.has(other)) continue
        next.set(other, next.get(other) === 'same-email' ? 'same-email-and-phone' : `same-${trace}`)
      }
    }
    for (const [at, reason] of next) found.set(at, isFirst ? reason : 'through-others')
    nearest = [...next.keys()]
  }
  const name = newestNamed?.name ?? null
  const isSameName = (other: string | null | undefined) => (name === null || other == null ? null : other === name)
  return new Map(Array.from(found, ([at, reason]) => [at, { by: reason, sameName: isSameName(candidates[at]?.name) }]))
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
