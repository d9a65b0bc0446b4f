'use client'

import { useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { PERIOD_PRESETS, periodOf, presetOf } from '@/lib/inbox/period'
import { stockholmDay } from '@/lib/time/stockholm-day'
import type { ChoicesProps } from './filter-choices'
import { useToday } from './use-today'

/** When leads came: the last days, or any days of the person's choice. */
export function PeriodChoices({ filters: { params, set }, close }: ChoicesProps) {
  const t = useTranslations('inbox')
  const today = stockholmDay(useToday())
  const period = { from: params.from, to: params.to }
  const preset = presetOf(period, today)
  return (
    <div className="flex w-60 flex-col">
      {PERIOD_PRESETS.map((choice) => (
        <button
          key={choice}
          type="button"
          aria-pressed={choice === preset}
          onClick={() => {
            set(periodOf(choice, today))
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
          onChange={(from) => set({ from })}
        />
        <DayField label={t('filter.to')} day={period.to} min={period.from} max={today} onChange={(to) => set({ to })} />
        <Button size="sm" onClick={close}>
          {t('filter.done')}
        </Button>
      </div>
    </div>
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
