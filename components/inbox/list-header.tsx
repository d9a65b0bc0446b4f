'use client'

import { ListChecks } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { IconButton } from '@/components/ui/icon-button'
import { ExportButton } from './export-button'
import { FilterBar } from './filter-bar'
import { SearchField } from './search-field'
import { SortMenu } from './sort-menu'
import type { InboxState } from './use-inbox'

export function ListHeader({ inbox }: { inbox: InboxState }) {
  const t = useTranslations('inbox')
  const { description, filters, marked, rows, counts } = inbox
  const { list } = description
  /** Every match there is; undefined until it is known. */
  const total = rows.isPassing ? undefined : rows.data?.total
  return (
    <header className="flex flex-col gap-2.5 border-b border-line-soft px-4 pt-3 pb-2">
      <div className="flex h-8 items-center gap-2">
        <h1 className="min-w-0 truncate text-lg font-semibold">{t(`${list}.title`)}</h1>
        {total !== undefined && (
          <span aria-hidden className="tabular text-base text-faint">
            {t('total', { count: total })}
          </span>
        )}
        <span className="flex-1" />
        <div className="flex shrink-0 items-center desk:gap-1">
          <span className="hidden touch:inline">
            <IconButton
              label={t(marked.isMarking ? 'marked.stop' : 'marked.start')}
              aria-pressed={marked.isMarking}
              onClick={marked.isMarking ? marked.clear : marked.choose}
            >
              <ListChecks aria-hidden />
            </IconButton>
          </span>
          <ExportButton total={total} onExport={inbox.exportAll} />
          <SortMenu list={list} sort={filters.query.sort} onSort={(sort) => filters.set({ sort })} />
        </div>
      </div>
      <SearchField
        list={list}
        value={filters.search}
        field={inbox.searchField}
        onChange={filters.setSearch}
        onLeave={inbox.focusList}
      />
      <FilterBar
        description={description}
        filters={filters}
        counts={counts}
        onSave={() => inbox.setDialog({ is: 'save-view' })}
      />
      <output className="sr-only">{total !== undefined && t(`${list}.count`, { count: total })}</output>
    </header>
  )
}
