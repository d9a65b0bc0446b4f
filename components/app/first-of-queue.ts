import { hashKey, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { type LeadPage, requestPage } from '@/lib/api/leads'
import type { DayNumbers } from '@/lib/contract/day'
import type { QueueName } from '@/lib/contract/lists'
import { findDisplayName, isQuestion, toLeadKey } from '@/lib/inbox/lead-text'
import { toQueueHref } from '@/lib/inbox/queues'
import { useSchoolNames } from './schools'

/** Returns the link to a queue's first lead, or to the queue until it is known. `leadLabel` names person and lead. */
export function useFirstInQueue(queue: QueueName, schools: readonly string[], day: DayNumbers) {
  const t = useTranslations('day')
  const names = useSchoolNames()
  const scope = ['first-of-queue', queue, schools] as const
  const { data } = useQuery<LeadPage>({
    queryKey: [...scope, day[queue]],
    // A changed count of the queue is a new key; until its answer arrives the previous link stays.
    placeholderData: (before, query) =>
      hashKey(query?.queryKey.slice(0, scope.length) ?? []) === hashKey(scope) ? before : undefined,
    queryFn: ({ signal }) => requestPage(queue, { school: [...schools], limit: 1 }, signal),
    refetchOnWindowFocus: false,
  })
  const item = data?.items[0]
  if (item === undefined) return { href: toQueueHref(queue, schools), leadLabel: null }
  const kindText = t(isQuestion(item) ? 'oldestQuestion' : 'oldestDeclaration', { school: names.nameForLead(item) })
  const leadLabel = [item.protected ? '' : findDisplayName(item), kindText].filter(Boolean).join(', ')
  return { href: toQueueHref(queue, schools, toLeadKey(item)), leadLabel }
}
