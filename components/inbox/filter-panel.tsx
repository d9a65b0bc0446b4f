import { X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useToday } from '@/components/app/clock'
import { Button } from '@/components/ui/button'
import { ChoiceList } from '@/components/ui/choice-list'
import { SelectField, TextField } from '@/components/ui/field'
import type { ListDescription } from '@/lib/contract/lists'
import { type FilterChange, hasAnyFilter, isToDo } from '@/lib/inbox/filter-params'
import { findPreset, PERIOD_PRESETS, type PeriodPreset, toPeriod } from '@/lib/inbox/period-presets'
import { stockholmDay } from '@/lib/time/stockholm'
import { type FilterChip, type FilterName, listFilterNames, useChoiceFilters, useFilterTexts } from './filter-choices'
import { useInbox } from './use-inbox'

const rowClass =
  'flex min-h-8.5 w-full items-center gap-3 rounded-sm px-2.5 text-left text-sm hover:bg-hover focus-visible:-outline-offset-2 aria-expanded:font-medium touch:min-h-11'

const SEARCHABLE_FROM = 9

export function FilterPanel({ close }: { close: () => void }) {
  const t = useTranslations('inbox.filter')
  const { description } = useInbox()
  if (description !== null) return <ListFilterRows description={description} close={close} />
  // The only filter of a queue needs no row to open it.
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
  const [open, setOpen] = useState<FilterName | null>(null)
  const { texts } = useFilterTexts()
  const clear = () => {
    close()
    actions.clearFilters()
  }
  const save = () => {
    close()
    actions.showDialog({ kind: 'save-view' })
  }
  // A search can also be sorted by relevance, which is its default.
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
            aria-expanded={name === open}
            onClick={() => setOpen(name === open ? null : name)}
            className={rowClass}
          >
            <span className="shrink-0">{t(name)}</span>
            {name !== open && (
              <span className="ml-auto min-w-0 truncate text-mute">{texts[name] ?? t(`any.${name}`)}</span>
            )}
          </button>
          {name === open && (
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
      {(hasAnyFilter(filters.params) || isToDo(filters.params)) && (
        <button type="button" onClick={clear} className={rowClass}>
          {t('clearAll')}
        </button>
      )}
      <button type="button" onClick={save} className={rowClass}>
        {t('save')}
      </button>
    </>
  )
}

/** The server does not count these states. */
const UNCOUNTED_STATES = new Set(['followUp', 'unanswered', 'answered'])

function FilterChoices({ name }: { name: Exclude<FilterName, 'period'> }) {
  const t = useTranslations('inbox')
  const { description, actions } = useInbox()
  const { choices, counts, chosen, change } = useChoiceFilters(name === 'assignee')[name]
  const choicesWithCounts = choices.map((choice) => {
    const isCounted = counts !== undefined && !UNCOUNTED_STATES.has(choice.value)
    return isCounted ? { ...choice, note: t('total', { count: counts[choice.value] ?? 0 }) } : choice
  })
  return (
    <ChoiceList
      legend={t(`filter.${name}`)}
      choices={choicesWithCounts}
      chosen={chosen}
      onChange={(next) => actions.setFilters(change(next))}
      texts={{ searchLabel: t('filter.find') }}
      searchableFrom={name === 'status' || description === null ? Infinity : SEARCHABLE_FROM}
      className="max-w-none!"
    />
  )
}

/** Other days are not filtered by: a year is typed digit by digit, so the field passes `0002` on the way to `2026`. */
const EARLIEST_DAY = '2000-01-01'
const LATEST_DAY = '2100-12-31'

function PeriodChoices({ close }: { close: () => void }) {
  const t = useTranslations('inbox')
  const { filters, actions } = useInbox()
  const { from, to } = filters.params
  const today = stockholmDay(useToday())
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
              const isPlausible = value === '' || (value >= EARLIEST_DAY && value <= LATEST_DAY)
              if (isPlausible && !validity.badInput) actions.setFilters({ [end]: value || null })
            }}
          />
        ))}
        <Button text={t('filter.done')} size="sm" onClick={close} />
      </div>
    </div>
  )
}

export function FilterChips() {
  const t = useTranslations('inbox.filter')
  const { description, actions } = useInbox()
  const { texts, statusText, stateChips } = useFilterTexts()
  const names = description === null ? (['topic'] as const) : listFilterNames(description)
  const chips = names.flatMap((name): FilterChip[] => {
    const text = name === 'status' ? statusText : texts[name]
    const change: FilterChange = name === 'period' ? { from: null, to: null } : { [name]: null }
    const chip = text === null ? [] : [{ name, label: `${t(name)}: ${text}`, text, change }]
    return name === 'status' ? [...chip, ...stateChips] : chip
  })
  return (
    <div
      data-apart={description === null}
      className="flex h-7 min-w-0 flex-1 gap-1.5 data-[apart=true]:min-w-36 overflow-x-auto mask-r-from-85% [scrollbar-width:none] touch:h-11 print:h-auto print:flex-wrap print:mask-none"
    >
      {chips.map(({ name, label, text, change }) => (
        <button
          key={name}
          type="button"
          data-on
          data-prints=""
          aria-label={t('remove', { name: label })}
          onClick={() => actions.setFilters(change)}
          className="chip max-w-full shrink-0 gap-1 rounded-md! pr-1.5 pl-2.5"
        >
          <span className="truncate">{text}</span>
          <X className="size-3 shrink-0 text-mute print:hidden" />
        </button>
      ))}
    </div>
  )
}
