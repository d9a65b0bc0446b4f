import type { LeadItem } from '@/lib/api/leads'
import { isClosed } from '@/lib/contract/lists'

type ReplyConflict = 'mailed' | 'talked' | 'mine' | 'handled' | 'dismissed'

/** Finds what the writer must know before sending. `seenAttempt` is when the last attempt known to the writer was. */
export function findReplyConflict(
  { attempts: { last }, triage: { status } }: Pick<LeadItem, 'attempts' | 'triage'>,
  seenAttempt: string | null,
  userId: string | undefined,
): ReplyConflict | null {
  const isByColleague = last !== null && last.at !== seenAttempt && last.by?.id !== userId
  if (isByColleague) return last.channel === 'phone' ? 'talked' : 'mailed'
  // The reply was sent from another tab, or it was sent and the server's answer never came.
  if (last?.outcome === 'sent' && seenAttempt === null) return 'mine'
  return isClosed(status) ? status : null
}
