'use client'

import { ListFilter } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { Fragment, useEffect, useEffectEvent } from 'react'
import { useUrlState } from '@/components/browser/url-state'
import { useSchoolFilter } from '@/components/desk/schools'
import { useDay } from '@/components/triage/use-day'
import { lazyPart } from '@/components/desk/lazy-part'
import { Spinner } from '@/components/ui/loading'
import { Popover } from '@/components/ui/popover'
import { Segments } from '@/components/ui/segments'
import type { LeadPage } from '@/lib/api/leads'
import { LEAD_KINDS, type QueueName } from '@/lib/contract/lists'
import { isQuestion } from '@/lib/inbox/lead-text'
import { toQueueQuery } from '@/lib/inbox/queue-query'
import { otherYear, rowStrip, shortName } from '@/lib/inbox/row-words'
import { Inbox } from './inbox'
import type { InboxState } from './inbox-state'
import { Dot, type LeadRowProps, type Matched, Parts, Question, type QueueParts, textOf } from './lead-row'
import { useInbox } from './use-inbox'

export function QueueInbox({ queue }: { queue: QueueName }) {
  return <Inbox place={queue} queue={PARTS} />
}

/** The number that the menu has, and how many of them are shown where that is a part. */
function QueueTotal() {
  const { place, isFiltered, data, count } = useInbox(queueIn)
  const queue = place as QueueName
  const t = useTranslations('inbox')
  const [schools] = useSchoolFilter()
  const { data: day, refetch } = useDay(schools)
  const follow = useEffectEvent((rows: LeadPage | undefined) => {
    const isOther = rows !== undefined && day !== undefined && day[queue] !== count
    if (isOther && !isFiltered) void refetch()
  })
  // The rows are here before the numbers of the menu, which are to say the same: those are asked for again.
  useEffect(() => follow(data), [data])
  if (!isFiltered) return t('total', { count: day?.[queue] ?? count })
  return t('queue.part', { count, total: day?.[queue] ?? count })
}

const queueIn = ({ place, filters, rows }: InboxState) => ({
  place,
  isFiltered: filters.isFiltered,
  data: rows.data,
  count: rows.count + rows.waiting,
})

const kindIn = ({ filters }: InboxState) => filters.query.kind ?? 'all'

function KindSwitch() {
  const t = useTranslations('inbox.queue')
  const { write } = useUrlState()
  return (
    <div className="flex max-w-full flex-wrap items-center gap-1.5 [&>fieldset]:max-w-full [&>fieldset]:shrink-0 [&>fieldset_label]:px-2.5 max-[16rem]:[&_label]:px-1">
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

const QueueTopics = lazyPart(
  async () => (await import('./topic-filter')).QueueTopics,
  <Spinner className="m-4 size-4 text-faint" />,
)
const QueueTopicChip = lazyPart(async () => (await import('./topic-filter')).QueueTopicChip)

const hasTopicIn = ({ filters }: InboxState) => filters.params.topic.length > 0

function QueueFilter() {
  const t = useTranslations('inbox')
  const hasTopic = useInbox(hasTopicIn)
  const load = () => void QueueTopics.load()
  return (
    <>
      <Popover
        label={t('filters')}
        className="floating-sheet p-1 desk:w-72"
        trigger={(trigger) => (
          <button
            {...trigger}
            type="button"
            aria-label={t('filters')}
            onPointerEnter={load}
            onFocus={load}
            className="filter-button"
          >
            <ListFilter aria-hidden className="size-3.5 text-mute touch:size-4.5" />
          </button>
        )}
      >
        {() => (
          <div>
            <QueueTopics />
          </div>
        )}
      </Popover>
      {hasTopic && <QueueTopicChip />}
    </>
  )
}

/** Beside the name: what was done, and who else the person is. */
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

/** The school, and the question or that it is a declaration. */
function About({ item, school, cohort, matched }: Pick<LeadRowProps, 'item' | 'school' | 'cohort'> & Matched) {
  const t = useTranslations('inbox.queue')
  const year = otherYear(item, cohort)
  return (
    <span dir="auto" className="truncate text-left">
      <span className="mr-1.5 text-ink">{shortName(school)}</span>
      {matched?.ways.map((parts) => (
        <Fragment key={textOf(parts)}>
          <bdi>
            <Parts parts={parts} />
          </bdi>
          <Dot />
        </Fragment>
      ))}
      {isQuestion(item) ? (
        <Question item={item} matched={matched} />
      ) : (
        t(year === null ? 'declaration' : 'declarationYear', { year: String(year) })
      )}
    </span>
  )
}

const PARTS: QueueParts = { Total: QueueTotal, Kinds: KindSwitch, Words, About, queryOf: toQueueQuery }
