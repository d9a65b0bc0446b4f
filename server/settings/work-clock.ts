import 'server-only'
import { LEAD_KINDS } from '@/lib/contract/lists'
import type { Announcer } from '@/server/events/announcer'
import type { Work } from './work'

type Parts = { work: Pick<Work, 'rules'>; announcer: Pick<Announcer, 'workLocally'> }

/**
 * Each look tells the browsers of this instance when the day has turned, or seven in the morning has come: what was put aside is
 * back, and other leads are late. By looking, not by waiting for that moment: a machine may have slept, and its clock may be set.
 */
export function createWorkClock({ work, announcer }: Parts): () => Promise<void> {
  let known: string | null = null
  return async () => {
    const rules = await Promise.all(LEAD_KINDS.map((kind) => work.rules(kind)))
    const now = JSON.stringify(rules.map(({ key }) => key))
    if (known !== null && known !== now) announcer.workLocally()
    known = now
  }
}
