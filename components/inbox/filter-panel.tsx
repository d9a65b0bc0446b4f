import { ChevronLeft } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { highSchools } from '@/lib/api/queries'
import type { ListCounts } from '@/lib/contract/list-query'
import type { ListDescription } from '@/lib/contract/lists'
import { isAnySet, isToDo } from '@/lib/inbox/filter-params'
import { FilterChoices } from './filter-choices'
import { type FilterName, filterNames, useFilterTexts } from './filter-words'
import type { ListFilters } from './list-filters'

export type FilterPanelProps = {
  description: ListDescription
  filters: ListFilters
  counts: ListCounts | undefined
  onSave: () => void
  close: () => void
}

/** A row for each filter and what it is set to; a row leads to its choices, in its place. */
export function FilterPanel(props: FilterPanelProps) {
  const t = useTranslations('inbox.filter')
  const [at, setAt] = useState<FilterName | null>(null)
  const [left, setLeft] = useState<FilterName>('assignee')
  if (at === null) return <FilterRows {...props} from={left} open={setAt} />
  const { filters, counts, description, close } = props
  return (
    <>
      <button type="button" autoFocus onClick={() => (setLeft(at), setAt(null))} className={`${rowClass} font-medium`}>
        <ChevronLeft aria-hidden className="size-4 shrink-0 text-mute" />
        <span className="sr-only">{t('back')}</span>
        {t(at)}
      </button>
      <hr className="my-1 border-line-soft" />
      <FilterChoices is={at} name={t(at)} description={description} filters={filters} counts={counts} close={close} />
      {at === 'school' && <p className="px-2.5 pt-1 pb-1.5 text-xs text-mute">{t('everywhere')}</p>}
    </>
  )
}

const rowClass =
  'flex min-h-8.5 w-full items-center gap-3 rounded-sm px-2.5 text-left text-sm hover:bg-hover focus-visible:-outline-offset-2 touch:min-h-11'

type FilterRowsProps = FilterPanelProps & { from: FilterName; open: (name: FilterName) => void }

function FilterRows({ description, filters, onSave, from, open, close }: FilterRowsProps) {
  const t = useTranslations('inbox.filter')
  const { texts } = useFilterTexts(filters)
  const { data } = useQuery(highSchools)
  const isOneSchool = data?.highSchools.length === 1 && filters.params.school.length === 0
  const acts = [
    ...(isAnySet(filters.params) || isToDo(filters.params) ? [['clearAll', filters.clear] as const] : []),
    ['save', onSave] as const,
  ]
  return (
    <>
      {filterNames(description).map(
        (name) =>
          !(name === 'school' && isOneSchool) && (
            <button key={name} type="button" autoFocus={name === from} onClick={() => open(name)} className={rowClass}>
              <span className="shrink-0">{t(name)}</span>
              <span className="ml-auto min-w-0 truncate text-mute">
                {name === 'sort' ? texts.sort : (texts[name] ?? t(`any.${name}`))}
              </span>
            </button>
          ),
      )}
      <hr className="my-1 border-line-soft" />
      {acts.map(([name, act]) => (
        <button key={name} type="button" onClick={() => (close(), act())} className={rowClass}>
          {t(name)}
        </button>
      ))}
    </>
  )
}
