'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { CircleCheck, CircleDashed, CircleSlash, Download } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { DeskLink } from '@/components/app/navigate'
import { useSchoolNames } from '@/components/app/schools'
import { Timestamp } from '@/components/app/timestamp'
import { useTopicChoices } from '@/components/app/topics'
import { Button } from '@/components/ui/button'
import { buttonClass } from '@/components/ui/button-class'
import { type DataColumn, DataTable } from '@/components/ui/data-table'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHeader } from '@/components/ui/headings'
import { ProblemText } from '@/components/ui/notice'
import { exportHistoryQuery } from '@/lib/api/exports'
import type { Answer } from '@/lib/contract/endpoints'
import type { ExportEntry } from '@/lib/contract/export'
import { findFilterStates } from '@/lib/inbox/filter-states'

const MAX_NAMED_SCHOOLS = 2

export function ExportsScreen({ firstPage }: { firstPage: Answer<'GET /api/exports'> }) {
  const t = useTranslations('export.history')
  const tFormat = useTranslations('export.format')
  const tInbox = useTranslations('inbox')
  const { data, isError, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    ...exportHistoryQuery,
    initialData: { pages: [firstPage], pageParams: [undefined] },
  })
  const entries = data.pages.flatMap((page) => page.exports)
  const columns: DataColumn<ExportEntry>[] = [
    {
      name: t('at'),
      className: 'tabular whitespace-nowrap',
      cell: ({ at }) => <Timestamp time={at} isInline />,
    },
    { name: t('list'), cell: ({ list }) => tInbox(`${list}.title`) },
    { name: t('count'), isNumber: true, className: 'font-medium', cell: ({ count }) => t('rows', { count }) },
    { name: t('format'), cell: ({ format }) => tFormat(format) },
    {
      name: t('purpose'),
      className: 'min-w-36 max-w-52 wrap-anywhere',
      // An entry without a purpose could not be decrypted.
      cell: ({ purpose }) => purpose || t('unreadable'),
    },
    {
      name: t('matching'),
      className: 'min-w-44 max-w-72 text-mute wrap-anywhere',
      cell: (entry) => <FilterText entry={entry} />,
    },
    { name: t('state'), className: 'whitespace-nowrap', cell: (entry) => <StateText entry={entry} /> },
  ]
  const listLink = (
    <DeskLink href="/declarations" className={buttonClass()}>
      {t('toList')}
    </DeskLink>
  )
  return (
    <div className="page">
      <PageHeader title={t('title')} intro={t('intro')} />
      <ProblemText text={isError ? t('failed') : null} />
      {entries.length === 0 ? (
        <EmptyState icon={<Download />} title={t('empty')} hint={t('emptyHint')} action={listLink} />
      ) : (
        <DataTable variant="card" caption={t('table')} columns={columns} rows={entries} rowKey={({ id }) => id} />
      )}
      {hasNextPage && (
        <Button
          text={t('more')}
          className="self-center"
          busy={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        />
      )}
    </div>
  )
}

const STATE_ICONS = {
  started: { Icon: CircleDashed, colour: 'text-status-progress' },
  finished: { Icon: CircleCheck, colour: 'text-status-handled' },
  broken: { Icon: CircleSlash, colour: 'text-danger' },
}

function StateText({ entry: { state } }: { entry: ExportEntry }) {
  const t = useTranslations('export.history')
  const { Icon, colour } = STATE_ICONS[state]
  return (
    <span className="tabular inline-flex items-center align-middle gap-1.5">
      <Icon className={`size-4 shrink-0 ${colour}`} />
      {t(state)}
    </span>
  )
}

const ASSIGNEE_LABELS: Partial<Record<string, 'mine' | 'unassigned'>> = { me: 'mine', none: 'unassigned' }

function FilterText({ entry: { matching, newOnly, purpose } }: { entry: ExportEntry }) {
  const t = useTranslations()
  const { nameById } = useSchoolNames()
  const topics = matching !== null && 'topic' in matching ? (matching.topic ?? []) : []
  const topicNames = useTopicChoices(topics).flatMap(({ value, label }) => (topics.includes(value) ? [label] : []))
  if (matching === null) return t(`export.history.${purpose === '' ? 'unreadable' : 'picked'}`)
  const { q, status, school, assignee, from, to, id, waiting } = matching
  const texts = [
    q !== undefined && q.trim() !== '' && t('export.history.search', { text: q.trim() }),
    status?.map((name) => t(`common.status.${name}`)).join(', '),
    'year' in matching && matching.year && t('inbox.filter.start', { year: matching.year.join(', ') }),
    topics.length > 0 && `${t('inbox.filter.topic')}: ${topicNames.join(', ')}`,
    waiting === true && t('inbox.queues.waiting'),
    ...findFilterStates(matching).map((state) => t(`inbox.state.${state}`)),
    'mode' in matching && matching.mode?.map((name) => t(`inbox.mode.${name}`)).join(', '),
    school &&
      (school.length > MAX_NAMED_SCHOOLS
        ? t('shell.schools.some', { count: school.length })
        : school.map(nameById).join(', ')),
    assignee?.map((who) => t(`inbox.filter.${ASSIGNEE_LABELS[who] ?? 'person'}`)).join(', '),
    from !== undefined && t('inbox.filter.since', { from }),
    to !== undefined && t('inbox.filter.until', { to }),
    id && t('inbox.queue.count', { count: id.length }),
  ]
  const filter = texts.filter(Boolean).join(' · ') || t('export.history.everything')
  return newOnly ? t('export.history.onlyNew', { filter }) : filter
}
