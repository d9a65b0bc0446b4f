'use client'

import { useLocale, useTranslations } from 'next-intl'
import { Fragment, useEffect, useEffectEvent } from 'react'
import { useUrlState } from '@/components/browser/url-state'
import { useSchoolFilter } from '@/components/desk/schools'
import { useDay } from '@/components/triage/use-day'
import { Segments } from '@/components/ui/segments'
import { LEAD_KINDS, type QueueName } from '@/lib/contract/lists'
import type { ListRows } from './list-rows'
import type { InboxState } from './use-inbox'
import type { shapes } from '@/components/triage/status-dot'
import { leadKeys, type LeadPage } from '@/lib/api/leads'
import { isQuestion } from '@/lib/inbox/lead-text'
import { toQueueQuery } from '@/lib/inbox/queue-query'
import { rowStrip, shortName } from '@/lib/inbox/row-words'
import { Inbox } from './inbox'
import { Dot, type LeadRowProps, type Matched, Parts, Question, textOf } from './lead-row'
import { type QueueParts, QueuePartsContext } from './queue-parts'

export function QueueInbox({ queue }: { queue: QueueName }) {
  return (
    <QueuePartsContext value={PARTS}>
      <Inbox place={queue} />
    </QueuePartsContext>
  )
}

/** The number that the menu has, and how many of them are shown where that is a part. */
function QueueTotal({ inbox: { place, filters, rows } }: { inbox: InboxState }) {
  const queue = place as QueueName
  const t = useTranslations('inbox')
  const [schools] = useSchoolFilter()
  const { data: day, refetch } = useDay(schools)
  const count = rows.count + rows.waiting
  const follow = useEffectEvent((data: ListRows['data']) => {
    const isOther = data !== undefined && day !== undefined && day[queue] !== count
    if (isOther && !filters.isFiltered) void refetch()
  })
  // The rows are here before the numbers of the menu, which are to say the same.
  useEffect(() => follow(rows.data), [rows.data])
  if (!filters.isFiltered) return t('total', { count: day?.[queue] ?? count })
  return t('queue.part', { count, total: day?.[queue] ?? count })
}

function KindSwitch({ inbox: { filters } }: { inbox: InboxState }) {
  const t = useTranslations('inbox.queue')
  const { write } = useUrlState()
  return (
    <div className="w-fit max-w-full [&_label]:px-2.5 max-[16rem]:[&_label]:px-1 print:hidden">
      <Segments
        look="switch"
        label={t('kinds')}
        value={filters.query.kind ?? 'all'}
        options={(['all', ...LEAD_KINDS] as const).map((value) => ({ value, text: t(value) }))}
        onChange={(kind) => write({ kind: kind === 'all' ? [] : [kind] }, 'push')}
      />
    </div>
  )
}

/** Beside the name: what was done, and who else the person is. */
function Words({ item, schoolOf, today }: LeadRowProps) {
  const t = useTranslations('inbox.row')
  const locale = useLocale()
  const words = rowStrip(item, { t, today, locale, schoolOf })
  if (words.length === 0) return null
  return (
    <span suppressHydrationWarning className="ml-2 min-w-0 flex-1 basis-0 truncate text-xs text-mute">
      {words.join(' · ')}
    </span>
  )
}

/** The school, and the question or that it is a declaration. */
function About({ item, school, matched }: Pick<LeadRowProps, 'item' | 'school'> & Matched) {
  const t = useTranslations('inbox.queue')
  const year = isQuestion(item) ? null : item.user.highSchoolEnrollmentYear
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

const square = { x: 1.25, y: 1.25, width: 11.5, height: 11.5, rx: 2.5 }
const full = <rect {...square} fill="currentColor" stroke="currentColor" />
const ring = <rect {...square} fill="none" stroke="currentColor" strokeWidth="1.75" />
const stroke = { fill: 'none', strokeWidth: 1.6, strokeLinecap: 'round', strokeLinejoin: 'round' } as const

/** The shape says the kind: round for a question, square for a declaration. */
const squares: typeof shapes = {
  new: full,
  'in-progress': (
    <>
      {ring}
      <path d="M7 3.6h3v6.8H7z" fill="currentColor" />
    </>
  ),
  handled: (
    <>
      {full}
      <path d="m4.2 7.3 1.9 1.9 3.7-4.3" className="stroke-panel" {...stroke} />
    </>
  ),
  dismissed: (
    <>
      {ring}
      <path d="m4.4 4.4 5.2 5.2" stroke="currentColor" {...stroke} />
    </>
  ),
}

/** New leads may belong anywhere in a queue: the server leaves them out until then. */
const showWaiting: QueueParts['showWaiting'] = (client, place, query) => {
  const queryKey = leadKeys.page(place, query, 0)
  client.setQueryData<LeadPage>(queryKey, (page) => page && { ...page, until: null, waiting: 0 })
  void client.invalidateQueries({ queryKey })
}

const PARTS: QueueParts = {
  Total: QueueTotal,
  Kinds: KindSwitch,
  Words,
  About,
  squares,
  showWaiting,
  queryOf: toQueueQuery,
}
