'use client'

import { ArrowUpDown } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Menu, MenuItem } from '@/components/ui/menu'
import type { LeadList } from '@/lib/contract/lead'
import type { Sort } from '@/lib/contract/list-query'
import { SORTS_OF } from '@/lib/inbox/filter-params'

export function SortMenu({ list, sort, onSort }: { list: LeadList; sort: Sort; onSort: (sort: Sort) => void }) {
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
        SORTS_OF[list].map((choice) => (
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
