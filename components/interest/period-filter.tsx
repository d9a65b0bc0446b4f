'use client'

import { ChevronDown } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Popover } from '@/components/ui/popover'
import { fullDay } from '@/lib/interest/day-words'
import { epochDay } from '@/lib/interest/epoch-day'
import { type Period, type PeriodBasis, periodOf, periodPresets, presetOf } from '@/lib/interest/periods'

type PeriodFilterProps = { period: Period; basis: PeriodBasis; onChange: (period: Period) => void }

/** When the leads came that are counted. */
export function PeriodFilter({ period, basis, onChange }: PeriodFilterProps) {
  const t = useTranslations('interest.period')
  const preset = presetOf(period, basis)
  const text = usePeriodText(period, basis)
  return (
    <Popover
      label={t('name')}
      className="p-1"
      trigger={(props) => (
        <button
          {...props}
          type="button"
          aria-label={`${t('name')}: ${text}`}
          data-on={preset !== 'all'}
          className="tabular inline-flex h-6.5 items-center gap-1 rounded-full border border-line bg-panel pr-2 pl-2.5 text-xs text-mute hover:text-ink data-[on=true]:border-transparent data-[on=true]:bg-accent-soft data-[on=true]:font-medium data-[on=true]:text-ink touch:h-9"
        >
          <span suppressHydrationWarning>{text}</span>
          <ChevronDown aria-hidden className="size-3 text-faint" />
        </button>
      )}
    >
      {(close) => (
        <div className="flex w-60 flex-col">
          {periodPresets.map((choice) => (
            <button
              key={choice}
              type="button"
              aria-pressed={choice === preset}
              onClick={() => {
                onChange(periodOf(choice, basis))
                close()
              }}
              className="min-h-8 rounded-sm px-2.5 text-left text-sm hover:bg-hover aria-pressed:bg-accent-soft aria-pressed:font-medium touch:min-h-11"
            >
              {t(choice, { year: String(basis.cohort) })}
            </button>
          ))}
          <div className="mt-1 flex flex-col gap-2.5 border-t border-line-soft p-2.5">
            <DayField label={t('from')} day={period.from} onChange={(from) => onChange({ ...period, from })} />
            <DayField label={t('to')} day={period.to} onChange={(to) => onChange({ ...period, to })} />
            <Button size="sm" onClick={close}>
              {t('done')}
            </Button>
          </div>
        </div>
      )}
    </Popover>
  )
}

function usePeriodText(period: Period, basis: PeriodBasis): string {
  const t = useTranslations('interest.period')
  const locale = useLocale()
  const preset = presetOf(period, basis)
  if (preset !== null) return t(preset, { year: String(basis.cohort) })
  const day = (text: string) => fullDay(epochDay(text), locale)
  if (period.from === null) return t('until', { to: day(period.to ?? basis.today) })
  return period.to === null
    ? t('since', { from: day(period.from) })
    : t('between', { from: day(period.from), to: day(period.to) })
}

type DayFieldProps = { label: string; day: string | null; onChange: (day: string | null) => void }

/** Years are typed digit by digit, so only what looks like a year of ours counts. */
function DayField({ label, day, onChange }: DayFieldProps) {
  return (
    <Field label={label}>
      {(attributes) => (
        <Input
          {...attributes}
          type="date"
          defaultValue={day ?? ''}
          min="2000-01-01"
          max="2100-12-31"
          onChange={({ target }) => target.validity.valid && onChange(target.value === '' ? null : target.value)}
        />
      )}
    </Field>
  )
}
