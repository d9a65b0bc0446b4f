import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useStartOfToday } from '@/components/app/clock'
import { Button } from '@/components/ui/button'
import { ChoiceList } from '@/components/ui/choice-list'
import { SelectField, TextField } from '@/components/ui/field'
import type { ListDescription } from '@/lib/contract/lists'
import { hasAnyFilter, isToDo } from '@/lib/inbox/filter-params'
import { STATE_CHOICES } from '@/lib/inbox/filter-states'
import { findPreset, PERIOD_PRESETS, type PeriodPreset, toPeriod } from '@/lib/inbox/period-presets'
import { toStockholmDay } from '@/lib/time/stockholm'
import { type FilterName, listFilterNames, useChoiceFilters, useFilterTexts } from './filter-choices'
import { useInbox } from './use-inbox'

const rowClass =
  'flex min-h-8.5 w-full items-center gap-3 rounded-sm px-2.5 text-left text-sm hover:bg-hover focus-visible:-outline-offset-2 aria-expanded:font-medium touch:min-h-11'

const MIN_SEARCHABLE_CHOICES = 9

export function FilterPanel({ close }: { close: () => void }) {
  const t = useTranslations('inbox.filter')
  const { description } = useInbox()
  if (description !== null) return <ListFilterRows description={description} close={close} />
  // A queue's menu has one filter only, so it is open at once.
  return (
    <>
      <p className="px-2.5 py-1.5 text-sm font-medium">{t('topic')}</p>
      <FilterChoices name="topic" />
    </>
  )
}

function ListFilterRows({ description, close }: { description: ListDescription; close: () => void }) {
  const tInbox = useTranslations('inbox')
  const t = useTranslations('inbox.filter')
  const { filters, actions } = useInbox()
  const [openName, setOpenName] = useState<FilterName | null>(null)
  const { texts } = useFilterTexts()
  // Only a search can be sorted by relevance, which is then the default.
  const isSearch = filters.query.q !== undefined
  const defaultSort = isSearch ? 'relevance' : '-createdAt'
  const sorts = isSearch ? (['relevance', ...description.sorts] as const) : description.sorts
  return (
    <>
      {listFilterNames(description).map((name, index) => (
        <div key={name}>
          <button
            type="button"
            autoFocus={index === 0}
            aria-expanded={name === openName}
            onClick={() => setOpenName(name === openName ? null : name)}
            className={rowClass}
          >
            <span className="shrink-0">{t(name)}</span>
            {name !== openName && (
              <span className="ml-auto min-w-0 truncate text-mute">{texts[name] ?? t(`any.${name}`)}</span>
            )}
          </button>
          {name === openName && (
            <div className="mb-1 border-b border-line-soft pb-1">
              {name === 'period' ? <PeriodChoices close={close} /> : <FilterChoices name={name} />}
            </div>
          )}
        </div>
      ))}
      <div className="p-2.5 pt-1.5">
        <SelectField
          label={t('sort')}
          options={sorts.map((sort) => [sort, tInbox(`sort.${sort}`)] as const)}
          value={filters.query.sort ?? defaultSort}
          onChoose={(sort) => actions.setFilters({ sort: sort === defaultSort || sort === 'relevance' ? null : sort })}
        />
      </div>
      <hr className="my-1 border-line-soft" />
      {/* The popover closes before a button acts, because closing moves the focus. */}
      <div onClickCapture={close}>
        {(hasAnyFilter(filters.params) || isToDo(filters.params)) && (
          <button type="button" onClick={actions.clearFilters} className={rowClass}>
            {t('clearAll')}
          </button>
        )}
        <button type="button" onClick={() => actions.showDialog({ kind: 'save-view' })} className={rowClass}>
          {t('save')}
        </button>
      </div>
    </>
  )
}

const isState = (choice: string) => STATE_CHOICES.some((state) => state === choice)

function FilterChoices({ name }: { name: Exclude<FilterName, 'period'> }) {
  const t = useTranslations('inbox')
  const { description, actions } = useInbox()
  const { choices, counts, chosenValues, toChange } = useChoiceFilters({ listsPeople: name === 'assignee' })[name]
  const choicesWithCounts = choices.map((choice) => {
    // The server leaves out choices without leads, and counts only some of the states.
    const isCounted = counts !== undefined && (choice.value in counts || !isState(choice.value))
    return isCounted ? { ...choice, note: t('total', { count: counts[choice.value] ?? 0 }) } : choice
  })
  return (
    <ChoiceList
      legend={t(`filter.${name}`)}
      choices={choicesWithCounts}
      chosen={chosenValues}
      onChange={(next) => actions.setFilters(toChange(next))}
      searchLabel={t('filter.find')}
      searchableFrom={name === 'status' || description === null ? Infinity : MIN_SEARCHABLE_CHOICES}
      className="max-w-none!"
    />
  )
}

/** Days outside of these change no filter: someone who types the year 2026 digit by digit passes the year 0002. */
const EARLIEST_DAY = '2000-01-01'
const LATEST_DAY = '2100-12-31'

function PeriodChoices({ close }: { close: () => void }) {
  const t = useTranslations('inbox')
  const { filters, actions } = useInbox()
  const { from, to } = filters.params
  const today = toStockholmDay(useStartOfToday())
  const preset = findPreset({ from, to }, today)
  const choose = (value: PeriodPreset) => {
    actions.setFilters(toPeriod(value, today))
    close()
  }
  const limits = { from: { min: EARLIEST_DAY, max: to ?? today }, to: { min: from ?? EARLIEST_DAY, max: today } }
  return (
    <div className="flex flex-col">
      {PERIOD_PRESETS.map((value) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === preset}
          onClick={() => choose(value)}
          className="min-h-8 rounded-sm px-2.5 text-left text-sm hover:bg-hover aria-pressed:bg-fill aria-pressed:font-medium touch:min-h-11"
        >
          {t(`period.${value}`)}
        </button>
      ))}
      <div className="mt-1 flex flex-col gap-2.5 border-t border-line-soft p-2.5">
        {(['from', 'to'] as const).map((end) => (
          <TextField
            key={end}
            label={t(`filter.${end}`)}
            type="date"
            defaultValue={filters.params[end] ?? ''}
            {...limits[end]}
            onChange={({ target: { value, validity } }) => {
              const isInRange = value === '' || (value >= EARLIEST_DAY && value <= LATEST_DAY)
              if (isInRange && !validity.badInput) actions.setFilters({ [end]: value || null })
            }}
          />
        ))}
        <Button text={t('filter.done')} size="sm" onClick={close} />
      </div>
    </div>
  )
}
