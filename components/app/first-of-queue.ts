import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { requestPage } from '@/lib/api/leads'
import { pollUnlessLive } from '@/lib/api/polling'
import type { QueueName } from '@/lib/contract/lists'
import { findDisplayName, isQuestion, toLeadKey } from '@/lib/inbox/lead-text'
import { toQueueHref } from '@/lib/inbox/queues'
import { useIsLive } from './live'
import { useSchoolNames } from './schools'

/** Returns the link to a queue's first lead, or to the queue if none is known. `leadLabel` omits protected names. */
export function useFirstOfQueue(queue: QueueName, schools: readonly string[]) {
  const t = useTranslations('day')
  const schoolNames = useSchoolNames()
  const { data } = useQuery({
    // Under `leads` it is refetched with the queue's first page, because a decision or a new lead changes both.
    queryKey: ['leads', queue, 'first', schools],
    queryFn: ({ signal }) => requestPage(queue, { school: [...schools], limit: 1 }, signal),
    refetchInterval: pollUnlessLive(useIsLive()),
  })
  const item = data?.items[0]
  if (item === undefined) return { href: toQueueHref(queue, schools), leadLabel: null }
  const kindText = t(isQuestion(item) ? 'firstQuestion' : 'firstDeclaration', {
    school: schoolNames.nameForLead(item),
  })
  const leadLabel = [item.protected ? '' : findDisplayName(item), kindText].filter(Boolean).join(', ')
  return { href: toQueueHref(queue, schools, toLeadKey(item)), leadLabel }
}
