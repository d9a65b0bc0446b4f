import { useLocale, useTranslations } from 'next-intl'
import { NO_TOPIC, TOPICS } from '@/lib/topics/topic-list'

/** Returns the topics to choose from. A chosen topic that is not in the list is shown by its id. */
export function useTopicChoices(chosen: readonly string[]) {
  const t = useTranslations('inbox.filter')
  const locale = useLocale()
  const allChoices: { value: string; label: string }[] = [
    ...TOPICS.map(({ id, name }) => ({ value: id, label: name[locale] })),
    { value: NO_TOPIC, label: t('noTopic') },
  ]
  const unknownIds = chosen.filter((id) => allChoices.every(({ value }) => value !== id))
  return [...allChoices, ...unknownIds.map((id) => ({ value: id, label: id }))]
}
