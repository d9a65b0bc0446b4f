import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useSchoolNames } from '@/components/desk/schools'
import { leadPage } from '@/lib/api/leads'
import type { QueueName } from '@/lib/contract/lists'
import { isQuestion, keyOf, nameOf } from '@/lib/inbox/lead-text'
import { toQueueQuery } from '@/lib/inbox/queue-query'
import { queueHref } from '@/lib/inbox/queues'

/** Leads to the first lead of a queue, once it is known which it is. `who`: whose, and what they sent. */
export function useFirstOf(queue: QueueName, schools: readonly string[]) {
  const t = useTranslations('day')
  const names = useSchoolNames()
  const query = toQueueQuery(new URLSearchParams(schools.map((id) => ['school', id])))
  const { data } = useQuery(leadPage(queue, query, 0))
  const item = data?.items[0]
  if (item === undefined) return { href: queueHref(queue, schools), who: null }
  const what = t(isQuestion(item) ? 'oldestQuestion' : 'oldestDeclaration', { school: names.of(item) })
  const who = [item.protected ? '' : nameOf(item), what].filter(Boolean).join(', ')
  return { href: queueHref(queue, schools, keyOf(item)), who }
}
