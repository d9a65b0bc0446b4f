'use client'

import { useLocale, useTranslations } from 'next-intl'
import { useId } from 'react'
import { inputClass } from '@/components/ui/input'
import { daysOfMonth, withPart } from '@/lib/interest/cycle-days'
import { epochDayOf } from '@/lib/interest/epoch-day'

const SOME_YEAR = 2026

type CycleDateFieldProps = {
  label: string
  hint: string
  error: string | null
  /** `MM-dd`. */
  value: string
  onChange: (date: string) => void
}

/** A day of every year: its day and its month. */
export function CycleDateField({ label, hint, error, value, onChange }: CycleDateFieldProps) {
  const t = useTranslations('interest.cycle')
  const locale = useLocale()
  const noteId = useId()
  const [month = 1, day = 1] = value.split('-').map(Number)
  const field = { 'aria-invalid': error !== null ? (true as const) : undefined, 'aria-describedby': noteId }
  return (
    <li className="border-b border-line-soft last:border-b-0">
      <fieldset className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
        <legend className="sr-only">{label}</legend>
        <div className="min-w-48 flex-1">
          <p aria-hidden="true" className="text-sm font-medium">
            {label}
          </p>
          <p id={noteId} className={error === null ? 'text-xs text-mute' : 'text-xs text-danger'}>
            {error ?? hint}
          </p>
        </div>
        <div className="flex gap-2">
          <select
            {...field}
            aria-label={`${label}: ${t('day')}`}
            value={day}
            onChange={(event) => onChange(withPart(value, { day: Number(event.target.value) }))}
            className={`${inputClass} tabular max-w-20`}
          >
            {Array.from({ length: daysOfMonth[month - 1] ?? 31 }, (_, index) => (
              <option key={index + 1} value={index + 1}>
                {index + 1}
              </option>
            ))}
          </select>
          <select
            {...field}
            aria-label={`${label}: ${t('month')}`}
            value={month}
            onChange={(event) => onChange(withPart(value, { month: Number(event.target.value) }))}
            className={`${inputClass} min-w-36`}
          >
            {monthNames(locale).map((name, index) => (
              <option key={name} value={index + 1}>
                {name}
              </option>
            ))}
          </select>
        </div>
      </fieldset>
    </li>
  )
}

function monthNames(locale: string): string[] {
  const format = new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' })
  return daysOfMonth.map((_, index) => format.format(epochDayOf(SOME_YEAR, index + 1, 1) * 86_400_000))
}
