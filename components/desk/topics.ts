import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { apiQuery } from '@/lib/api/call'
import { NO_TOPIC } from '@/lib/topics/topic-list'
import { NAME_TO_COME } from './schools'

const STALE_MS = 5 * 60_000

export const topicsQuery = { ...apiQuery('GET /api/settings'), staleTime: STALE_MS }

/** The topics to choose from, with their names; what an address has beside them is shown as it is. */
export function useTopicChoices(chosen: readonly string[]) {
  const t = useTranslations('inbox.filter')
  const locale = useLocale()
  const { data } = useQuery(topicsQuery)
  const known = (data?.topics ?? []).map(({ id, name }) => ({ value: id, label: name[locale] }))
  const all = [...known, { value: NO_TOPIC, label: t('noTopic') }]
  const unknown = chosen.filter((id) => all.every(({ value }) => value !== id))
  return [...all, ...unknown.map((id) => ({ value: id, label: data === undefined ? NAME_TO_COME : id }))]
}
