import { ArrowUpDown, Download, ListChecks, Search, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { RefObject } from 'react'
import { Button } from '@/components/ui/button'
import { IconButton } from '@/components/ui/icon-button'
import { Kbd } from '@/components/ui/kbd'
import { Menu, MenuItem } from '@/components/ui/menu'
import type { LeadList } from '@/lib/contract/lead'
import type { Sort } from '@/lib/contract/list-query'
import { LISTS } from '@/lib/contract/lists'
import { FilterBar } from './filter-bar'
import type { InboxState } from './use-inbox'

/** Above the rows: the list's name and size, its search, its filters, and what is done with all of it. */
export function ListHeader({ inbox }: { inbox: InboxState }) {
  const t = useTranslations('inbox')
  const { description, filters, marked, rows, counts } = inbox
  const { list } = description
  /** Every match there is; undefined until it is known. */
  const total = rows.isPrevious ? undefined : rows.data?.total
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

type SearchFieldProps = {
  list: LeadList
  value: string
  field: RefObject<HTMLInputElement | null>
  onChange: (text: string) => void
  /** Enter or arrow down: on to the list. */
  onLeave: () => void
}

function SearchField({ list, value, field, onChange, onLeave }: SearchFieldProps) {
  const t = useTranslations('inbox')
  return (
    <div className="flex h-9 items-center gap-2 rounded-md border border-line bg-bg pr-1.5 pl-2.5 text-faint transition-colors focus-within:border-accent focus-within:outline-1 focus-within:outline-accent touch:h-11">
      <Search aria-hidden className="size-4 shrink-0" />
      <input
        ref={field}
        type="search"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        aria-label={t(`${list}.search`)}
        aria-keyshortcuts="/"
        placeholder={t(`${list}.search`)}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && value !== '') {
            event.preventDefault()
            onChange('')
          } else if (event.key === 'Enter' || event.key === 'ArrowDown' || event.key === 'Escape') {
            event.preventDefault()
            onLeave()
          }
        }}
        className="min-w-0 flex-1 bg-transparent text-base text-ink outline-none touch:text-[1rem] [&::-webkit-search-cancel-button]:hidden"
      />
      {value === '' ? (
        <Kbd>/</Kbd>
      ) : (
        <button
          type="button"
          aria-label={t('clearSearch')}
          onClick={() => {
            onChange('')
            field.current?.focus()
          }}
          className="grid size-6 place-items-center rounded-sm hover:bg-hover hover:text-ink touch:size-9"
        >
          <X aria-hidden className="size-3.5" />
        </button>
      )}
    </div>
  )
}

function SortMenu({ list, sort, onSort }: { list: LeadList; sort: Sort; onSort: (sort: Sort) => void }) {
  const t = useTranslations('inbox.sort')
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
          data-on={sort !== '-createdAt'}
          className="-mr-2 grid h-7 w-8 shrink-0 place-items-center rounded-md text-mute hover:bg-hover hover:text-ink aria-expanded:bg-hover aria-expanded:text-ink data-[on=true]:text-accent touch:size-11"
        >
          <ArrowUpDown aria-hidden className="size-3.5 touch:size-4" />
        </button>
      )}
    >
      {(close) =>
        LISTS[list].sorts.map((choice) => (
          <MenuItem
            key={choice}
            checked={choice === sort}
            onSelect={() => {
              onSort(choice)
              close()
            }}
          >
            {t(choice)}
          </MenuItem>
        ))
      }
    </Menu>
  )
}

type ExportButtonProps = {
  /** Undefined until it is known. */
  total: number | undefined
  onExport: () => void
}

/** Everything that the list shows now, as a file. A phone has room for the sign only. */
function ExportButton({ total, onExport }: ExportButtonProps) {
  const t = useTranslations('inbox')
  return (
    <Button
      size="sm"
      variant="ghost"
      disabled={total === undefined || total === 0}
      onClick={onExport}
      className="px-2 touch:min-w-11"
    >
      <Download aria-hidden className="size-3.5 touch:size-4" />
      <span className="sr-only desk:not-sr-only">{t('export')}</span>
    </Button>
  )
}
