'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { DeskLink } from '@/components/app/navigate'
import { Timestamp } from '@/components/app/timestamp'
import { Button } from '@/components/ui/button'
import { type DataColumn, DataTable } from '@/components/ui/data-table'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHeader } from '@/components/ui/headings'
import { ProblemText } from '@/components/ui/notice'
import { exportHistoryQuery } from '@/lib/api/exports'
import type { Answer } from '@/lib/contract/endpoints'
import type { ExportEntry } from '@/lib/contract/export'
import { toViewHref } from '@/lib/inbox/view-link'

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
    { name: t('at'), className: 'tabular whitespace-nowrap', cell: ({ at }) => <Timestamp time={at} isInline /> },
    { name: t('list'), cell: ({ list }) => tInbox(`${list}.title`) },
    { name: t('count'), isNumber: true, className: 'font-medium', cell: ({ count }) => t('rows', { count }) },
    { name: t('format'), cell: ({ format }) => tFormat(format) },
    {
      name: t('purpose'),
      className: 'min-w-36 max-w-52 wrap-anywhere',
      // An entry without a purpose could not be decrypted.
      cell: ({ purpose }) => purpose || t('unreadable'),
    },
    { name: t('matching'), className: 'text-mute', cell: (entry) => <ListLink entry={entry} /> },
    { name: t('state'), className: 'whitespace-nowrap', cell: ({ state }) => t(state) },
  ]
  return (
    <div className="page">
      <PageHeader title={t('title')} intro={t('intro')} />
      <ProblemText text={isError ? t('failed') : null} />
      {entries.length === 0 ? (
        <EmptyState icon={<Download />} title={t('empty')} hint={t('emptyHint')} />
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

/** Links to the list with an export's filter, unless single leads were exported or the filter cannot be decrypted. */
function ListLink({ entry: { list, matching, newOnly, purpose } }: { entry: ExportEntry }) {
  const t = useTranslations('export.history')
  if (matching === null || matching.id !== undefined) return t(purpose === '' ? 'unreadable' : 'picked')
  const { list: _list, ...filter } = matching
  return (
    <DeskLink href={toViewHref(list, filter)} searchText={filter.q ?? ''} className="text-link text-accent">
      {t(newOnly ? 'showNew' : 'show')}
    </DeskLink>
  )
}
