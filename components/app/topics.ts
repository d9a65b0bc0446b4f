import { useLocale, useTranslations } from 'next-intl'
import { NO_TOPIC, TOPICS } from '@/lib/topics/topic-list'

/** Returns the topics to choose from. The label of a chosen topic that is not in the list is its id. */
export function useTopicChoices(chosenIds: readonly string[]) {
  const t = useTranslations('inbox.filter')
  const locale = useLocale()
  const allChoices: { value: string; label: string }[] = [
    ...TOPICS.map(({ id, name }) => ({ value: id, label: name[locale] })),
    { value: NO_TOPIC, label: t('noTopic') },
  ]
  const unknownIds = chosenIds.filter((id) => allChoices.every(({ value }) => value !== id))
  return [...allChoices, ...unknownIds.map((id) => ({ value: id, label: id }))]
}
