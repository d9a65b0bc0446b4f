import { ArrowUpDown, Download, ListChecks } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'
import { IconButton } from '@/components/ui/icon-button'
import { Menu, MenuItem } from '@/components/ui/menu'
import type { LeadList } from '@/lib/contract/lead'
import { LISTS } from '@/lib/contract/lists'
import { FilterBar } from './filter-bar'
import type { ListFilters } from './list-filters'
import { SearchField } from './search-field'
import type { InboxState } from './use-inbox'

export function ListHeader({ inbox }: { inbox: InboxState }) {
  const t = useTranslations('inbox')
  const { description, filters, marked, rows, counts } = inbox
  const { list } = description
  const total = rows.isPrevious ? undefined : rows.data?.total
  return (
    <header className="flex flex-col gap-2.5 edge border-b border-line-soft pt-3 pb-2">
      <div className="flex min-h-8 flex-wrap items-center gap-x-2">
        <div
          data-short={list === 'asked-questions' || undefined}
          className="flex min-w-0 flex-[1_1_12.5rem] flex-wrap items-baseline gap-x-2 data-short:basis-32 max-[24.5rem]:basis-44"
        >
          <h1 className="min-w-0 text-title font-semibold wrap-anywhere max-[14rem]:text-base">{t(`${list}.title`)}</h1>
          {total !== undefined && (
            <span aria-hidden className="tabular text-base text-faint">
              {t('total', { count: total })}
            </span>
          )}
        </div>
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
          <SortMenu list={list} filters={filters} />
        </div>
      </div>
      <SearchField inbox={inbox} />
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

/** The orders to choose from; a search has one more, its own: best match first. */
function SortMenu({ list, filters }: { list: LeadList; filters: ListFilters }) {
  const t = useTranslations('inbox.sort')
  const { q, sort: chosen } = filters.query
  const byItself = q === undefined ? '-createdAt' : 'relevance'
  const sort = chosen ?? byItself
  const orders = [...(q === undefined ? [] : (['relevance'] as const)), ...LISTS[list].sorts]
  const choose = (choice: (typeof orders)[number]) =>
    filters.set({ sort: choice === byItself || choice === 'relevance' ? null : choice })
  return (
    <Menu
      label={t('label')}
      align="end"
      trigger={(props) => (
        <button
          {...props}
          type="button"
          aria-label={`${t('label')}: ${t(sort)}`}
          title={t(sort)}
          data-on={sort !== byItself}
          className="-mr-2 grid h-7 w-8 shrink-0 place-items-center rounded-md text-mute hover:bg-hover hover:text-ink aria-expanded:bg-hover aria-expanded:text-ink data-[on=true]:bg-fill data-[on=true]:text-ink touch:size-11"
        >
          <ArrowUpDown aria-hidden className="size-3.5 touch:size-4" />
        </button>
      )}
    >
      {(close) =>
        orders.map((choice) => (
          <MenuItem key={choice} checked={choice === sort} onSelect={() => (choose(choice), close())}>
            {t(choice)}
          </MenuItem>
        ))
      }
    </Menu>
  )
}

/** Everything that the list shows now, as a file. A phone has room for the sign only. */
function ExportButton({ total, onExport }: { total: number | undefined; onExport: () => void }) {
  const t = useTranslations('inbox')
  return (
    <Button
      size="sm"
      variant="ghost"
      disabled={!total}
      title={total === 0 ? t('nothingToExport') : undefined}
      onClick={onExport}
      className="px-2 touch:min-w-11"
    >
      <Download aria-hidden className="size-3.5 touch:size-4" />
      <span className="sr-only wide:not-sr-only">{t('export')}</span>
    </Button>
  )
}
