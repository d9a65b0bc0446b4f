'use client'

import { useLocale, useTranslations } from 'next-intl'
import { useUrlState } from '@/components/app/url-state'
import { useSchoolFilter } from '@/components/app/schools'
import { useDay } from '@/components/app/use-triage'
import { lazyContent, lazyPart } from '@/components/app/lazy-part'
import { Popover } from '@/components/ui/popover'
import { Segments } from '@/components/ui/segments'
import { LEAD_KINDS, type QueueName } from '@/lib/contract/lists'
import { isQuestion } from '@/lib/inbox/lead-text'
import { toQueueQuery } from '@/lib/inbox/queue-query'
import { otherYear, rowStrip, shortName } from '@/lib/inbox/row-words'
import { Inbox } from './inbox'
import type { InboxState } from './inbox-state'
import { type LeadRowProps, type Matched, Question, type QueueParts, WaysMet } from './lead-row'
import { FilterButton } from './list-header'
import { useInbox } from './use-inbox'

export function QueueInbox({ queue }: { queue: QueueName }) {
  return <Inbox place={queue} queue={PARTS} />
}

/** The number that the menu has, and how many of them are shown where that is a part. */
function QueueTotal() {
  const { place, isFiltered, count } = useInbox(queueIn)
  const queue = place as QueueName
  const t = useTranslations('inbox')
  const [schools] = useSchoolFilter()
  const { data: day } = useDay(schools)
  if (!isFiltered) return t('total', { count: day?.[queue] ?? count })
  return t('queue.part', { count, total: day?.[queue] ?? count })
}

const queueIn = ({ place, filters, rows }: InboxState) => ({
  place,
  isFiltered: filters.isFiltered,
  count: rows.count + rows.waiting,
})

const kindIn = ({ filters }: InboxState) => filters.query.kind ?? 'all'

function KindSwitch() {
  const t = useTranslations('inbox.queue')
  const { write } = useUrlState()
  return (
    <div className="flex max-w-full flex-wrap items-center gap-1.5 [&>fieldset]:max-w-full [&>fieldset]:shrink-0 [&>fieldset_label]:px-2.5 max-[16rem]:[&>fieldset>div]:auto-cols-auto max-[16rem]:[&>fieldset_label]:px-0.5 max-[16rem]:[&>fieldset_label]:text-2xs">
      <Segments
        look="switch"
        label={t('kinds')}
        value={useInbox(kindIn)}
        options={(['all', ...LEAD_KINDS] as const).map((value) => ({ value, text: t(value) }))}
        onChange={(kind) => write({ kind: kind === 'all' ? [] : [kind] }, 'push')}
      />
      <QueueFilter />
    </div>
  )
}

const QueueTopics = lazyContent(async () => (await import('./filter-panel')).QueueTopics)
const QueueTopicChip = lazyPart(async () => (await import('./filter-panel')).QueueTopicChip)

const hasTopicIn = ({ filters }: InboxState) => filters.params.topic.length > 0

function QueueFilter() {
  const t = useTranslations('inbox')
  const hasTopic = useInbox(hasTopicIn)
  return (
    <>
      <Popover
        label={t('filters')}
        className="floating-sheet p-1 desk:w-72"
        onNear={QueueTopics.load}
        trigger={(trigger) => <FilterButton {...trigger} />}
      >
        {() => <QueueTopics />}
      </Popover>
      {hasTopic && <QueueTopicChip />}
    </>
  )
}

function Words({ item, schoolOf, today, cohort }: LeadRowProps) {
  const t = useTranslations('inbox.row')
  const locale = useLocale()
  const words = rowStrip(item, { t, today, locale, schoolOf, cohort })
  if (words.length === 0) return null
  return (
    <span suppressHydrationWarning className="ml-2 min-w-0 flex-1 basis-0 truncate text-xs text-mute">
      {words.join(' · ')}
    </span>
  )
}

function About({ item, school, cohort, matched }: Pick<LeadRowProps, 'item' | 'school' | 'cohort'> & Matched) {
  const t = useTranslations('inbox.queue')
  const year = otherYear(item, cohort)
  return (
    <span dir="auto" className="truncate text-left">
      <span className="mr-1.5 text-ink">{shortName(school)}</span>
      <WaysMet matched={matched} />
      {isQuestion(item) ? (
        <Question item={item} matched={matched} />
      ) : (
        <span>{t(year === null ? 'declaration' : 'declarationYear', { year: String(year) })}</span>
      )}
    </span>
  )
}

const PARTS: QueueParts = { Total: QueueTotal, Kinds: KindSwitch, Words, About, queryOf: toQueueQuery }
