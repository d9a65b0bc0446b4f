'use client'

import { useFormatter, useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { PERIOD_PRESETS, periodOf, presetOf, type Period } from '@/lib/inbox/period'
import { stockholmDay } from '@/lib/time/stockholm-day'
import { FilterChip } from './filter-chip'
import { useToday } from './use-today'

type PeriodFilterProps = { period: Period; onChange: (period: Period) => void }

/** When leads came: the last days, or any days of the person's choice. */
export function PeriodFilter({ period, onChange }: PeriodFilterProps) {
  const t = useTranslations('inbox')
  const text = usePeriodText(period)
  const today = stockholmDay(useToday())
  const preset = presetOf(period, today)
  return (
    <FilterChip name={t('filter.period')} value={text} onClear={() => onChange({ from: null, to: null })}>
      {(close) => (
        <div className="flex w-60 flex-col">
          {PERIOD_PRESETS.map((choice) => (
            <button
              key={choice}
              type="button"
              aria-pressed={choice === preset}
              onClick={() => {
                onChange(periodOf(choice, today))
                close()
              }}
              className="min-h-8 rounded-sm px-2.5 text-left text-sm hover:bg-hover aria-pressed:bg-accent-soft aria-pressed:font-medium touch:min-h-11"
            >
              {t(`period.${choice}`)}
            </button>
          ))}
          <div className="mt-1 flex flex-col gap-2.5 border-t border-line-soft p-2.5">
            <DayField
              label={t('filter.from')}
              day={period.from}
              max={period.to ?? today}
              onChange={(from) => onChange({ ...period, from })}
            />
            <DayField
              label={t('filter.to')}
              day={period.to}
              min={period.from}
              max={today}
              onChange={(to) => onChange({ ...period, to })}
            />
            <Button size="sm" onClick={close}>
              {t('filter.done')}
            </Button>
          </div>
        </div>
      )}
    </FilterChip>
  )
}

type DayFieldProps = {
  label: string
  day: string | null
  min?: string | null
  max: string
  onChange: (day: string | null) => void
}

function DayField({ label, day, min, max, onChange }: DayFieldProps) {
  return (
    <Field label={label}>
      {(attributes) => (
        <Input
          {...attributes}
          type="date"
          value={day ?? ''}
          min={min ?? undefined}
          max={max}
          onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
        />
      )}
    </Field>
  )
}

function usePeriodText(period: Period): string | null {
  const t = useTranslations('inbox')
  const format = useFormatter()
  const today = stockholmDay(useToday())
  const preset = presetOf(period, today)
  if (preset !== null) return t(`period.${preset}`)
  const day = (text: string) =>
    format.dateTime(new Date(`${text}T12:00:00Z`), { day: 'numeric', month: 'short', year: 'numeric' })
  if (period.from !== null && period.to !== null) {
    return period.from === period.to
      ? day(period.from)
      : t('filter.between', { from: day(period.from), to: day(period.to) })
  }
  if (period.from !== null) return t('filter.since', { from: day(period.from) })
  return period.to === null ? null : t('filter.until', { to: day(period.to) })
}
