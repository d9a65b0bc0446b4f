'use client'

import { useTranslations } from 'next-intl'
import type { RefObject } from 'react'
import { FilterBar } from './filter-bar'
import type { ListDescription } from './lists'
import { SearchField } from './search-field'
import { SortMenu } from './sort-menu'
import type { ListFilters } from './use-list-filters'

type ListHeaderProps = {
  description: ListDescription
  filters: ListFilters
  /** Every match there is; undefined until it is known. */
  total: number | undefined
  searchField: RefObject<HTMLInputElement | null>
  onLeaveSearch: () => void
}

export function ListHeader({ description, filters, total, searchField, onLeaveSearch }: ListHeaderProps) {
  const t = useTranslations('inbox')
  const { list } = description
  return (
    <header className="flex flex-col gap-2.5 border-b border-line-soft px-4 pt-3 pb-2.5">
      <div className="flex h-8 items-center gap-2">
        <h1 className="min-w-0 truncate text-lg font-semibold">{t(`${list}.title`)}</h1>
        {total !== undefined && (
          <span aria-hidden className="tabular text-base text-faint">
            {t('total', { count: total })}
          </span>
        )}
        <span className="flex-1" />
        <SortMenu list={list} sort={filters.query.sort} onSort={(sort) => filters.set({ sort })} />
      </div>
      <SearchField
        list={list}
        value={filters.search}
        field={searchField}
        onChange={filters.setSearch}
        onLeave={onLeaveSearch}
      />
      <FilterBar description={description} filters={filters} />
      <output className="sr-only">{total !== undefined && t(`${list}.count`, { count: total })}</output>
    </header>
  )
}
