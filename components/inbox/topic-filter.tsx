import { X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useTopicChoices } from '@/components/desk/topics'
import { ChoiceList } from '@/components/ui/choice-list'
import type { InboxState } from './inbox-state'
import { useActs, useInbox } from './use-inbox'

const topicIn = ({ filters }: InboxState) => filters.params.topic

/** The filter of a queue, which has no other. */
export function QueueTopics() {
  const t = useTranslations('inbox.filter')
  const topic = useInbox(topicIn)
  const { setFilters } = useActs()
  const choices = useTopicChoices(topic)
  return (
    <>
      <p className="px-2.5 py-1.5 text-sm font-medium">{t('topic')}</p>
      <ChoiceList
        name={t('topic')}
        choices={choices}
        chosen={topic}
        onChange={(next) => setFilters({ topic: next.length === 0 ? null : next })}
        words={{ find: t('find'), none: t('notFound') }}
        searchableFrom={Infinity}
      />
    </>
  )
}

export function QueueTopicChip() {
  const t = useTranslations('inbox.filter')
  const topic = useInbox(topicIn)
  const { setFilters } = useActs()
  const names = useTopicChoices(topic).flatMap(({ value, label }) => (topic.includes(value) ? [label] : []))
  const [first = '', ...others] = names
  const text = others.length === 0 ? first : t('more', { first, count: String(others.length) })
  return (
    <button
      type="button"
      data-on
      data-prints=""
      aria-label={t('remove', { name: `${t('topic')}: ${text}` })}
      onClick={() => setFilters({ topic: null })}
      className="chip min-w-0 gap-1 rounded-md! pr-1.5 pl-2.5"
    >
      <span className="truncate">{text}</span>
      <X aria-hidden className="size-3 shrink-0 text-mute print:hidden" />
    </button>
  )
}
